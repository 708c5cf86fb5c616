// The masked pointer of one solution. Keys are put in visiting order first, so that what is still
// unvisited is a tail of the columns: half of a square is never computed. The depot, if any, is the
// last column. The logits of kTile steps exist at a time, in the backward pass once more.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

constexpr std::size_t kTile = 64;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Scratch of one thread, kept between calls.
struct Workspace {
  std::vector<float> keys;    // [columns, dim] in visiting order
  std::vector<float> bias;    // [columns]
  std::vector<float> rank;    // [columns]: exact, ranks are below 2^24
  std::vector<float> logits;  // [kTile, columns]
  std::vector<float> grad_keys, grad_bias;
};

class Sorted {
 public:
  Sorted(const Pointer& in, Workspace& work) : in_(in), work_(work) {
    columns_ = in.customers + (in.rank != nullptr ? 1 : 0);
    work.keys.resize(columns_ * in.dim);
    work.bias.resize(columns_);
    work.rank.resize(columns_);
    work.logits.resize(kTile * columns_);
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::size_t node = node_at(column);
      std::copy_n(in.k + node * in.dim, in.dim, work.keys.data() + column * in.dim);
      work.bias[column] = in.bias[node];
      if (in.rank != nullptr) work.rank[column] = static_cast<float>(in.rank[node]);
    }
  }

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t node_at(std::size_t column) const {
    return column < in_.customers ? static_cast<std::size_t>(in_.order[column]) : 0;
  }
  // The column of the choice at step t: the next in visiting order, or the depot.
  [[nodiscard]] std::size_t choice(std::size_t t) const {
    const bool depot = in_.rank != nullptr && in_.path[t] == 0;
    return depot ? in_.customers : static_cast<std::size_t>(in_.served[t]);
  }

  // Masked logits of steps [first, first + count) over columns [from, columns), rows one after the
  // other.
  void tile(std::size_t first, std::size_t count, std::size_t from) {
    const std::size_t width = columns_ - from;
    multiply({count,
              width,
              in_.dim,
              {in_.q + first * in_.dim, in_.dim},
              {work_.keys.data() + from * in_.dim, in_.dim, true},
              work_.logits.data(),
              width,
              false,
              scale()});
    for (std::size_t i = 0; i < count; ++i) mask_row(first + i, from, row(i, from));
  }
  [[nodiscard]] float* row(std::size_t i, std::size_t from) {
    return work_.logits.data() + i * (columns_ - from);
  }
  [[nodiscard]] float scale() const { return 1.0F / std::sqrt(static_cast<float>(in_.dim)); }

 private:
  void mask_row(std::size_t t, std::size_t from, float* logits) const {
    const std::size_t width = columns_ - from;
    const std::size_t visited = static_cast<std::size_t>(in_.served[t]) - from;
    std::fill_n(logits, visited, kMinusInfinity);
    const float* bias = work_.bias.data() + from;
    for (std::size_t j = visited; j < width; ++j) logits[j] += bias[j];
    if (in_.rank == nullptr) return;
    const float* rank = work_.rank.data() + from;
    const auto fits = static_cast<float>(in_.fits[t]);
    for (std::size_t j = visited; j + 1 < width; ++j) {
      logits[j] = rank[j] < fits ? logits[j] : kMinusInfinity;
    }
    if (in_.at_depot[t] != 0) logits[width - 1] = kMinusInfinity;
  }

  const Pointer& in_;
  Workspace& work_;
  std::size_t columns_;
};

float row_max(const float* values, std::size_t count) {
  F8 best = simd::set(kMinusInfinity);
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) best = simd::max(best, simd::load(values + j));
  float result = simd::max_lane(best);
  for (; j < count; ++j) result = std::max(result, values[j]);
  return result;
}

// exp2 gives 2^-126 where it should give 0; a masked column must give nothing at all.
F8 exp_or_zero(F8 x) {
  const F8 value = simd::exp(x);
  return x < -80.0F ? F8{} : value;
}

// log of the sum of exp over a row.
float log_sum(const float* values, std::size_t count) {
  const float max = row_max(values, count);
  F8 sum{};
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) sum += exp_or_zero(simd::load(values + j) - max);
  float total = simd::sum(sum);
  for (; j < count; ++j) total += std::exp(values[j] - max);
  return max + std::log(total);
}

// values = -grad * exp(values - log_sum).
void softmax_times(float* values, std::size_t count, float log_sum_of_row, float grad) {
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    simd::store(values + j, exp_or_zero(simd::load(values + j) - log_sum_of_row) * -grad);
  }
  for (; j < count; ++j) values[j] = std::exp(values[j] - log_sum_of_row) * -grad;
}

Workspace& workspace() {
  thread_local Workspace work;
  return work;
}

}  // namespace

void pointer_log_probs(const Pointer& in, float* log_probs, float* log_sums) {
  Sorted sorted(in, workspace());
  for (std::size_t first = 0; first < in.steps; first += kTile) {
    const std::size_t count = std::min(kTile, in.steps - first);
    const auto from = static_cast<std::size_t>(in.served[first]);
    sorted.tile(first, count, from);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t t = first + i;
      log_probs[t] = log_sums[t] = 0.0F;
      if (in.counted[t] == 0.0F) continue;
      const float* logits = sorted.row(i, from);
      log_sums[t] = log_sum(logits, sorted.columns() - from);
      log_probs[t] = logits[sorted.choice(t) - from] - log_sums[t];
    }
  }
}

void pointer_log_probs_backward(const Pointer& in, const float* log_sums, const float* grad,
                                float* grad_q, float* grad_k, float* grad_bias) {
  Workspace& work = workspace();
  Sorted sorted(in, work);
  const std::size_t columns = sorted.columns();
  work.grad_keys.assign(columns * in.dim, 0.0F);
  work.grad_bias.assign(columns, 0.0F);
  for (std::size_t first = 0; first < in.steps; first += kTile) {
    const std::size_t count = std::min(kTile, in.steps - first);
    const auto from = static_cast<std::size_t>(in.served[first]);
    const std::size_t width = columns - from;
    sorted.tile(first, count, from);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t t = first + i;
      float* row = sorted.row(i, from);
      if (in.counted[t] == 0.0F) {
        std::fill_n(row, width, 0.0F);
        continue;
      }
      softmax_times(row, width, log_sums[t], grad[t]);
      row[sorted.choice(t) - from] += grad[t];
      float* sums = work.grad_bias.data() + from;
      for (std::size_t j = 0; j < width; ++j) sums[j] += row[j];
    }
    const float* logits = sorted.row(0, from);
    multiply({count,
              in.dim,
              width,
              {logits, width},
              {work.keys.data() + from * in.dim, in.dim},
              grad_q + first * in.dim,
              in.dim,
              false,
              sorted.scale()});
    multiply({width,
              in.dim,
              count,
              {logits, width, true},
              {in.q + first * in.dim, in.dim},
              work.grad_keys.data() + from * in.dim,
              in.dim,
              true,
              sorted.scale()});
  }
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t node = sorted.node_at(column);
    const float* from = work.grad_keys.data() + column * in.dim;
    float* to = grad_k + node * in.dim;
    for (std::size_t i = 0; i < in.dim; ++i) to[i] += from[i];
    grad_bias[node] += work.grad_bias[column];
  }
}

}  // namespace eco::train::kernels
