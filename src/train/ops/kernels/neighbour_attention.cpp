// Attention of each token over its candidates. Candidates are near in the order of the tokens, so
// their rows are in cache; a head's rows are read where they lie, numbers across the lanes.

#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

constexpr std::size_t kWide = 4 * kLanes;  // numbers of a row that are in registers at a time

using Rows = std::vector<const float*>;

// out[a] = row . rows[a] + out[a], for `Count` (at most eight) rows.
template <std::size_t Count>
void add_some_dots(const float* row, const float* const* rows, std::size_t offset,
                   std::size_t width, float* out) {
  F8 sums[kLanes] = {};
  for (std::size_t w = 0; w < width; w += kLanes) {
    const F8 value = simd::load(row + w);
    for (std::size_t a = 0; a < Count; ++a) {
      sums[a] = simd::fma(value, simd::load(rows[a] + offset + w), sums[a]);
    }
  }
  simd::store(out, simd::load(out) + simd::sums(sums));
}

// out[a] += row . (rows[a] + offset), for all a < count; rows and out are padded to whole vectors.
void add_dots(const float* row, const Rows& rows, std::size_t offset, std::size_t count,
              std::size_t width, float* out) {
  for (std::size_t a = 0; a < count; a += kLanes) {
    if (count - a > kLanes / 2) {
      add_some_dots<kLanes>(row, rows.data() + a, offset, width, out + a);
    } else {
      add_some_dots<kLanes / 2>(row, rows.data() + a, offset, width, out + a);
    }
  }
}

// Calls body.operator()<Vectors>(w) for pieces of Vectors * 8 numbers that make up `width`.
template <class Body>
void by_pieces(std::size_t width, const Body& body) {
  std::size_t w = 0;
  for (; w + kWide <= width; w += kWide) body.template operator()<kWide / kLanes>(w);
  for (; w < width; w += kLanes) body.template operator()<1>(w);
}

// out[w] = sum over a of weights[a] (rows[a] + offset)[w].
void combine(const float* weights, const Rows& rows, std::size_t offset, std::size_t count,
             std::size_t width, float* out) {
  by_pieces(width, [&]<std::size_t Vectors>(std::size_t w) {
    F8 sums[Vectors] = {};
    for (std::size_t a = 0; a < count; ++a) {
      const F8 weight = simd::set(weights[a]);
      const float* row = rows[a] + offset + w;
      for (std::size_t v = 0; v < Vectors; ++v) {
        sums[v] = simd::fma(weight, simd::load(row + v * kLanes), sums[v]);
      }
    }
    for (std::size_t v = 0; v < Vectors; ++v) simd::store(out + w + v * kLanes, sums[v]);
  });
}

// (rows[a] + offset)[w] += weights[a] row[w].
void spread(const float* weights, const float* row, const std::vector<float*>& rows,
            std::size_t offset, std::size_t count, std::size_t width) {
  by_pieces(width, [&]<std::size_t Vectors>(std::size_t w) {
    F8 values[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) values[v] = simd::load(row + w + v * kLanes);
    for (std::size_t a = 0; a < count; ++a) {
      const F8 weight = simd::set(weights[a]);
      float* to = rows[a] + offset + w;
      for (std::size_t v = 0; v < Vectors; ++v) {
        float* at = to + v * kLanes;
        simd::store(at, simd::fma(weight, values[v], simd::load(at)));
      }
    }
  });
}

// One token at a time with the rows of its candidates.
class Token {
 public:
  explicit Token(const NeighbourAttention& in)
      : in_(in),
        dim_(in.heads * in.width),
        wide_(simd::padded(in.features)),
        tall_(simd::padded(in.k)),
        keys_(tall_),
        values_(tall_),
        edges_(tall_),
        edge_rows_(tall_ * wide_),
        scale_(1.0F / std::sqrt(static_cast<float>(in.width))) {
    for (std::size_t a = 0; a < tall_; ++a) edges_[a] = edge_rows_.data() + a * wide_;
  }

  void move_to(std::size_t token) {
    token_ = token;
    count_ = static_cast<std::size_t>(in_.count[token]);
    for (std::size_t a = 0; a < count_; ++a) {
      const float* row = in_.qkv + candidate(a) * 3 * dim_;
      keys_[a] = row + dim_;
      values_[a] = row + 2 * dim_;
      std::memcpy(edge_rows_.data() + a * wide_, in_.edges + (token * in_.k + a) * in_.features,
                  in_.features * sizeof(float));
    }
    // Some row or other, for the lanes that nobody reads.
    for (std::size_t a = count_; a < tall_; ++a) keys_[a] = values_[a] = query();
  }

  [[nodiscard]] std::size_t candidate(std::size_t a) const {
    return static_cast<std::size_t>(in_.candidates[token_ * in_.k + a]);
  }
  [[nodiscard]] const float* query() const { return in_.qkv + token_ * 3 * dim_; }
  [[nodiscard]] float* weights(std::size_t head) const {
    return in_.weights + (token_ * in_.heads + head) * tall_;
  }

  void attend(std::size_t head) {
    float* row = weights(head);
    std::memset(row, 0, tall_ * sizeof(float));
    if (count_ == 0) return;
    add_dots(query() + head * in_.width, keys_, head * in_.width, count_, in_.width, row);
    const float* bias = in_.edge_bias + token_ * in_.k * in_.heads + head;
    float max = -INFINITY, sum = 0;
    for (std::size_t a = 0; a < count_; ++a) {
      row[a] = row[a] * scale_ + bias[a * in_.heads];
      max = row[a] > max ? row[a] : max;
    }
    for (std::size_t a = 0; a < tall_; a += kLanes) {
      simd::store(row + a, simd::exp(simd::load(row + a) - max));
    }
    for (std::size_t a = 0; a < count_; ++a) sum += row[a];
    for (std::size_t a = 0; a < count_; ++a) row[a] /= sum;
    for (std::size_t a = count_; a < tall_; ++a) row[a] = 0.0F;
  }

  // mixed [heads, width], edges [heads, padded features].
  void mix(std::size_t head, float* mixed, float* edges) const {
    combine(weights(head), values_, head * in_.width, count_, in_.width, mixed + head * in_.width);
    combine(weights(head), edges_, 0, count_, wide_, edges + head * wide_);
  }

  // scores [padded k] receives the gradient of the scores of one head.
  void back_to_scores(std::size_t head, const float* grad_mixed, const float* grad_edges,
                      float* scores) const {
    std::memset(scores, 0, tall_ * sizeof(float));
    add_dots(grad_mixed + head * in_.width, values_, head * in_.width, count_, in_.width, scores);
    add_dots(grad_edges + head * wide_, edges_, 0, count_, wide_, scores);
    const float* w = weights(head);
    float dot = 0;
    for (std::size_t a = 0; a < count_; ++a) dot += w[a] * scores[a];
    for (std::size_t a = 0; a < tall_; a += kLanes) {
      simd::store(scores + a, simd::load(w + a) * (simd::load(scores + a) - dot));
    }
  }

  // From the gradient of the scores, scaled, to query and keys, and from the mixed ones to values.
  void back_to_rows(std::size_t head, const float* scores, const float* grad_mixed,
                    const std::vector<float*>& grad_keys, const std::vector<float*>& grad_values,
                    float* grad_query) const {
    const std::size_t at = head * in_.width;
    combine(scores, keys_, at, count_, in_.width, grad_query + at);
    spread(scores, query() + at, grad_keys, at, count_, in_.width);
    spread(weights(head), grad_mixed + at, grad_values, at, count_, in_.width);
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t wide() const { return wide_; }
  [[nodiscard]] std::size_t tall() const { return tall_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] float scale() const { return scale_; }

 private:
  const NeighbourAttention& in_;
  std::size_t dim_, wide_, tall_, token_ = 0, count_ = 0;
  Rows keys_, values_, edges_;
  std::vector<float> edge_rows_;
  float scale_;
};

}  // namespace

void neighbour_attention(const NeighbourAttention& in, float* mixed, float* edges) {
  Token token(in);
  std::vector<float> padded(in.heads * token.wide());
  for (std::size_t i = 0; i < in.tokens; ++i, mixed += token.dim()) {
    token.move_to(i);
    for (std::size_t head = 0; head < in.heads; ++head) {
      token.attend(head);
      token.mix(head, mixed, padded.data());
      std::memcpy(edges, padded.data() + head * token.wide(), in.features * sizeof(float));
      edges += in.features;
    }
  }
}

void neighbour_attention_backward(const NeighbourAttention& in, const float* grad_mixed,
                                  const float* grad_edges, float* grad_qkv, float* grad_bias) {
  Token token(in);
  const std::size_t row = 3 * token.dim();
  std::vector<float> padded(in.heads * token.wide()), scores(token.tall());
  std::vector<float*> grad_keys(in.k), grad_values(in.k);
  std::memset(grad_qkv, 0, in.tokens * row * sizeof(float));
  for (std::size_t i = 0; i < in.tokens; ++i, grad_mixed += token.dim()) {
    token.move_to(i);
    for (std::size_t a = 0; a < token.count(); ++a) {
      grad_keys[a] = grad_qkv + token.candidate(a) * row + token.dim();
      grad_values[a] = grad_keys[a] + token.dim();
    }
    for (std::size_t head = 0; head < in.heads; ++head, grad_edges += in.features) {
      std::memcpy(padded.data() + head * token.wide(), grad_edges, in.features * sizeof(float));
      token.back_to_scores(head, grad_mixed, padded.data(), scores.data());
      for (std::size_t a = 0; a < in.k; ++a) grad_bias[a * in.heads + head] = scores[a];
      for (std::size_t a = 0; a < token.tall(); ++a) scores[a] *= token.scale();
      token.back_to_rows(head, scores.data(), grad_mixed, grad_keys, grad_values,
                         grad_qkv + i * row);
    }
    grad_bias += in.k * in.heads;
  }
}

}  // namespace eco::train::kernels
