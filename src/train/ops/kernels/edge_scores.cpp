// The scorer of a token's candidates, a tile of tokens at a time: all that a tile makes stays in
// the second-level cache, on the way forward and, made again, on the way back. Written out to
// memory, queries, keys and values of all candidates alone would cost more than the products that
// make them. Only candidates that exist become rows.

#include <algorithm>
#include <cstring>

#include "core/kernels/gemm.h"
#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/set_head.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

constexpr std::size_t kTileRows = 96;

// x -> x w^T, and with `back` x -> x w, the way back through it.
PackedLinear packed(const float* weight, std::size_t outputs, std::size_t inputs, bool back,
                    const float* bias = nullptr) {
  if (!back) {
    return {std::span(weight, outputs * inputs), outputs, inputs,
            bias != nullptr ? std::span(bias, outputs) : std::span<const float>()};
  }
  std::vector<float> turned(outputs * inputs);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) turned[i * outputs + o] = weight[o * inputs + i];
  }
  return {turned, inputs, outputs};
}

struct PackedWeights {
  PackedWeights(const EdgeScorer& in, bool back)
      : feature(packed(in.weights.feature, in.width, in.inputs, back, in.weights.bias)),
        hidden(packed(in.weights.hidden, in.width, in.width, back, in.weights.hidden_bias)) {
    for (const auto& layer : in.weights.layers) {
      qkv.push_back(packed(layer.qkv, 3 * in.width, in.width, back));
      out.push_back(packed(layer.out, in.width, in.width, back));
    }
  }
  PackedLinear feature, hidden;
  std::vector<PackedLinear> qkv, out;
};

// A normed input of a product, with what the way back through the norm needs.
struct Normed {
  std::vector<float> x, scale, y;  // [rows, width], [rows], [rows, width]
  void resize(std::size_t rows, std::size_t width) {
    x.resize(rows * width);
    scale.resize(rows);
    y.resize(rows * width);
  }
};

struct Layer {
  Normed input;
  std::vector<float> qkv, weights, mixed;  // weights: of attention, set by set and head by head
};

class Tile {
 public:
  explicit Tile(const EdgeScorer& in)
      : in_(in),
        capacity_(std::max(kTileRows, in.k)),
        head_(in.k, in.heads, in.width / in.heads),
        layers_(in.weights.layers.size()),
        features_(capacity_ * in.inputs),
        hidden_(capacity_ * in.width) {
    top_.resize(capacity_, in.width);
    for (Layer& layer : layers_) {
      layer.input.resize(capacity_, in.width);
      layer.qkv.resize(capacity_ * 3 * in.width);
      layer.mixed.resize(capacity_ * in.width);
      // A set of n has n padded(n) weights a head, and n is at most k.
      layer.weights.resize(capacity_ * simd::padded(in.k) * in.heads);
    }
  }

  // Takes tokens from `first` on while they fit; returns the one after the last.
  std::size_t take(std::size_t first) {
    rows_ = 0;
    sets_.clear();
    std::size_t token = first;
    for (; token < in_.tokens; ++token) {
      const auto count = static_cast<std::size_t>(in_.count[token]);
      if (rows_ + count > capacity_) break;
      if (count == 0) continue;
      sets_.push_back({token, rows_, count});
      std::memcpy(features_.data() + rows_ * in_.inputs, in_.features + token * in_.k * in_.inputs,
                  count * in_.inputs * sizeof(float));
      rows_ += count;
    }
    return token;
  }

  void forward(const PackedWeights& w) {
    const std::size_t width = in_.width;
    gemm(rows_, features_.data(), in_.inputs, w.feature, input(0).x.data(), width);
    add_tokens();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      Layer& layer = layers_[l];
      norm(layer.input, in_.weights.layers[l].norm);
      gemm(rows_, layer.input.y.data(), width, w.qkv[l], layer.qkv.data(), 3 * width);
      each_head(layer, [&](std::size_t row, std::size_t number, float* weights) {
        head_.attend(weights);
        head_.mix(weights, layer.mixed.data() + row * width + number);
      });
      float* next = input(l + 1).x.data();
      std::memcpy(next, layer.input.x.data(), rows_ * width * sizeof(float));
      gemm(rows_, layer.mixed.data(), width, w.out[l], next, width, Epilogue::add);
    }
    norm(top_, in_.weights.hidden_norm);
    gemm(rows_, top_.y.data(), width, w.hidden, hidden_.data(), width, Epilogue::relu);
  }

  // scores [tokens, k].
  void write_scores(float* scores) const {
    for (const Set& set : sets_) {
      for (std::size_t a = 0; a < set.count; ++a) {
        const float* row = hidden_.data() + (set.row + a) * in_.width;
        F8 sum{};
        for (std::size_t i = 0; i < in_.width; i += kLanes) {
          sum = simd::fma(simd::load(row + i), simd::load(in_.weights.score + i), sum);
        }
        scores[set.token * in_.k + a] = simd::sum(sum);
      }
    }
  }

 protected:
  struct Set {
    std::size_t token, row, count;
  };

  // What layer l reads; after the last layer, what the hidden layer reads.
  Normed& input(std::size_t l) { return l < layers_.size() ? layers_[l].input : top_; }

  void norm(Normed& n, const float* weight) const {
    rms_norm(rows_, in_.width, n.x.data(), weight, n.y.data(), n.scale.data());
  }

  // body(row, first number of the head in a row, its weights), with head_ moved there.
  template <class Body>
  void each_head(Layer& layer, const Body& body) {
    const std::size_t width = in_.width / in_.heads;
    float* weights = layer.weights.data();
    for (const Set& set : sets_) {
      for (std::size_t h = 0; h < in_.heads; ++h) {
        head_.move_to(layer.qkv.data() + set.row * 3 * in_.width + h * width, set.count);
        body(set.row, h * width, weights);
        weights += SetHead::weights_size(set.count);
      }
    }
  }

  [[nodiscard]] std::size_t candidate(const Set& set, std::size_t a) const {
    return static_cast<std::size_t>(in_.candidates[set.token * in_.k + a]);
  }

  const EdgeScorer& in_;
  std::size_t capacity_, rows_ = 0;
  SetHead head_;
  std::vector<Set> sets_;
  std::vector<Layer> layers_;
  Normed top_;
  std::vector<float> features_, hidden_;

 private:
  // x = relu(x + own + nodes of the candidates).
  void add_tokens() {
    float* x = input(0).x.data();
    for (const Set& set : sets_) {
      const float* own = in_.own + set.token * in_.width;
      for (std::size_t a = 0; a < set.count; ++a, x += in_.width) {
        const float* node = in_.nodes + candidate(set, a) * in_.width;
        for (std::size_t i = 0; i < in_.width; i += kLanes) {
          const F8 sum = simd::load(x + i) + simd::load(own + i) + simd::load(node + i);
          simd::store(x + i, simd::max(sum, F8{}));
        }
      }
    }
  }
};

// The same, and the way back after forward().
class TileBack : public Tile {
 public:
  TileBack(const EdgeScorer& in, const EdgeScorerGradients& grad)
      : Tile(in),
        grad_(grad),
        grad_rows_(capacity_ * in.width),
        grad_normed_(grad_rows_.size()),
        grad_x_(grad_rows_.size()),
        grad_qkv_(3 * grad_rows_.size()) {}

  // w: the weights packed for the way back.
  void backward(const PackedWeights& w) {
    const std::size_t width = in_.width;
    back_to_hidden();
    add_to_weight(width, top_.y.data(), width, grad_rows_.data(), grad_.weights.hidden);
    gemm(rows_, grad_rows_.data(), width, w.hidden, grad_normed_.data(), width);
    back_through_norm(top_, in_.weights.hidden_norm, grad_x_.data(), grad_.weights.hidden_norm);
    for (std::size_t l = layers_.size(); l-- > 0;) {
      Layer& layer = layers_[l];
      const auto& to = grad_.weights.layers[l];
      add_to_weight(width, layer.mixed.data(), width, grad_x_.data(), to.out);
      gemm(rows_, grad_x_.data(), width, w.out[l], grad_rows_.data(), width);
      each_head(layer, [&](std::size_t row, std::size_t number, const float* weights) {
        head_.backward(weights, grad_rows_.data() + row * width + number,
                       grad_qkv_.data() + row * 3 * width + number);
      });
      add_to_weight(width, layer.input.y.data(), 3 * width, grad_qkv_.data(), to.qkv);
      gemm(rows_, grad_qkv_.data(), 3 * width, w.qkv[l], grad_normed_.data(), width);
      back_through_norm(layer.input, in_.weights.layers[l].norm, grad_rows_.data(), to.norm);
      add_rows(1, rows_ * width, grad_rows_.data(), grad_x_.data());  // beside the residual's
    }
    back_to_tokens();
    add_to_weight(in_.inputs, features_.data(), width, grad_x_.data(), grad_.weights.feature);
    if (grad_.features != nullptr) back_to_features(w.feature);
  }

 private:
  // grad_weight [outputs, inputs] += grad^T x.
  void add_to_weight(std::size_t inputs, const float* x, std::size_t outputs, const float* grad,
                     float* grad_weight) const {
    project_weight_backward(rows_, inputs, outputs, x, inputs, grad, /*add=*/true, grad_weight);
  }

  // From grad_normed_ to grad_x.
  void back_through_norm(const Normed& n, const float* weight, float* grad_x,
                         float* grad_weight) const {
    rms_norm_backward(rows_, in_.width, n.x.data(), weight, n.scale.data(), grad_normed_.data(),
                      grad_x, grad_weight);
  }

  // grad_rows_ = gradient of the hidden layer before its relu.
  void back_to_hidden() {
    const std::size_t width = in_.width;
    for (const Set& set : sets_) {
      for (std::size_t a = 0; a < set.count; ++a) {
        const F8 grad = simd::set(grad_.scores[set.token * in_.k + a]);
        const std::size_t at = (set.row + a) * width;
        for (std::size_t i = 0; i < width; i += kLanes) {
          const F8 value = simd::load(hidden_.data() + at + i);
          float *to_score = grad_.weights.score + i, *to_bias = grad_.weights.hidden_bias + i;
          simd::store(to_score, simd::fma(grad, value, simd::load(to_score)));
          const F8 back = value > F8{} ? grad * simd::load(in_.weights.score + i) : F8{};
          simd::store(grad_rows_.data() + at + i, back);
          simd::store(to_bias, simd::load(to_bias) + back);
        }
      }
    }
  }

  // grad_x_ before the relu of the input, added to token, candidates and bias.
  void back_to_tokens() {
    const std::size_t width = in_.width;
    const float* x = input(0).x.data();
    float* grad = grad_x_.data();
    for (const Set& set : sets_) {
      float* own = grad_.own + set.token * width;
      for (std::size_t a = 0; a < set.count; ++a, x += width, grad += width) {
        float* node = grad_.nodes + candidate(set, a) * width;
        for (std::size_t i = 0; i < width; i += kLanes) {
          const F8 back = simd::load(x + i) > F8{} ? simd::load(grad + i) : F8{};
          simd::store(grad + i, back);
          simd::store(own + i, simd::load(own + i) + back);
          simd::store(node + i, simd::load(node + i) + back);
        }
      }
      for (std::size_t i = 0; i < width; i += kLanes) {
        float* bias = grad_.weights.bias + i;
        simd::store(bias, simd::load(bias) + simd::load(own + i));
      }
    }
  }

  void back_to_features(const PackedLinear& feature) {
    for (const Set& set : sets_) {
      gemm(set.count, grad_x_.data() + set.row * in_.width, in_.width, feature,
           grad_.features + set.token * in_.k * in_.inputs, in_.inputs);
    }
  }

  const EdgeScorerGradients& grad_;
  std::vector<float> grad_rows_, grad_normed_, grad_x_, grad_qkv_;
};

}  // namespace

void edge_scores(const EdgeScorer& in, float* scores) {
  std::memset(scores, 0, in.tokens * in.k * sizeof(float));
  const PackedWeights weights(in, /*back=*/false);
  Tile tile(in);
  for (std::size_t token = 0; token < in.tokens;) {
    token = tile.take(token);
    tile.forward(weights);
    tile.write_scores(scores);
  }
}

void edge_scores_backward(const EdgeScorer& in, const EdgeScorerGradients& grad) {
  const PackedWeights weights(in, /*back=*/false);
  const PackedWeights back(in, /*back=*/true);
  TileBack tile(in, grad);
  for (std::size_t token = 0; token < in.tokens;) {
    token = tile.take(token);
    tile.forward(weights);
    tile.backward(back);
  }
}

}  // namespace eco::train::kernels
