// Attention within small sets: a few dozen members, heads of a few dozen numbers. A library call a
// set costs more than the set. Here rows are read where they lie, everything in between stays in
// the first-level cache, and only queries (and gradients of results) are transposed: with one query
// a lane, a softmax needs no sum across lanes.

#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"
#include "train/ops/kernels/small_product.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

// One head of one set. Weights and scores are [keys, padded queries].
class Head {
 public:
  Head(std::size_t k, std::size_t heads, std::size_t width)
      : width_(width),
        stride_(3 * heads * width),
        out_stride_(heads * width),
        columns_(width * simd::padded(k)),
        weights_(k * simd::padded(k)),
        grad_scores_(weights_.size()),
        scale_(1.0F / std::sqrt(static_cast<float>(width))) {}

  // qkv: the first member's query of this head.
  void move_to(const float* qkv, std::size_t count) {
    query_ = qkv;
    key_ = qkv + out_stride_;
    value_ = qkv + 2 * out_stride_;
    count_ = count;
    tall_ = simd::padded(count);
  }

  // weights[j, i] = softmax over j of q_i . k_j.
  void attend() {
    transpose(count_, width_, query_, stride_, columns_.data());
    multiply({width_, key_, stride_, 1, columns_.data(), tall_, weights_.data(), tall_}, count_,
             tall_);
    for (std::size_t i = 0; i < tall_; i += kLanes) {
      float* column = weights_.data() + i;
      F8 max = simd::load(column), sum{};
      for (std::size_t j = 1; j < count_; ++j) max = simd::max(max, simd::load(column + j * tall_));
      for (std::size_t j = 0; j < count_; ++j) {
        const F8 e = simd::exp((simd::load(column + j * tall_) - max) * scale_);
        simd::store(column + j * tall_, e);
        sum += e;
      }
      const F8 inverse = 1.0F / sum;
      for (std::size_t j = 0; j < count_; ++j) {
        simd::store(column + j * tall_, simd::load(column + j * tall_) * inverse);
      }
    }
  }

  // y: the first member's output of this head.
  void mix(float* y) const {
    multiply({count_, weights_.data(), 1, tall_, value_, stride_, y, out_stride_}, count_, width_);
  }

  void backward(const float* grad_y, float* grad_qkv) {
    float* grad_scores = grad_scores_.data();
    transpose(count_, width_, grad_y, out_stride_, columns_.data());
    multiply({width_, value_, stride_, 1, columns_.data(), tall_, grad_scores, tall_}, count_,
             tall_);  // of the weights
    for (std::size_t i = 0; i < tall_; i += kLanes) {
      const float* weight = weights_.data() + i;
      float* grad = grad_scores + i;
      F8 dot{};
      for (std::size_t j = 0; j < count_; ++j) {
        dot = simd::fma(simd::load(weight + j * tall_), simd::load(grad + j * tall_), dot);
      }
      for (std::size_t j = 0; j < count_; ++j) {
        const F8 of_weight = simd::load(grad + j * tall_) - dot;
        simd::store(grad + j * tall_, simd::load(weight + j * tall_) * of_weight * scale_);
      }
    }
    multiply({count_, grad_scores, 1, tall_, key_, stride_, grad_qkv, stride_}, count_, width_);
    multiply({count_, grad_scores, tall_, 1, query_, stride_, grad_qkv + out_stride_, stride_},
             count_, width_);
    multiply({count_, weights_.data(), tall_, 1, grad_y, out_stride_, grad_qkv + 2 * out_stride_,
              stride_},
             count_, width_);
  }

 private:
  std::size_t width_, stride_, out_stride_, count_ = 0, tall_ = 0;
  const float *query_ = nullptr, *key_ = nullptr, *value_ = nullptr;
  std::vector<float> columns_, weights_, grad_scores_;
  float scale_;
};

}  // namespace

void set_attention(std::size_t sets, std::size_t k, std::size_t heads, std::size_t width,
                   const float* qkv, const std::int32_t* count, float* y) {
  Head head(k, heads, width);
  for (std::size_t set = 0; set < sets; ++set) {
    const auto members = static_cast<std::size_t>(count[set]);
    float* out = y + set * k * heads * width;
    std::memset(out + members * heads * width, 0, (k - members) * heads * width * sizeof(float));
    for (std::size_t h = 0; h < heads; ++h) {
      head.move_to(qkv + set * k * 3 * heads * width + h * width, members);
      head.attend();
      head.mix(out + h * width);
    }
  }
}

void set_attention_backward(std::size_t sets, std::size_t k, std::size_t heads, std::size_t width,
                            const float* qkv, const std::int32_t* count, const float* grad_y,
                            float* grad_qkv) {
  Head head(k, heads, width);
  const std::size_t row = 3 * heads * width;
  for (std::size_t set = 0; set < sets; ++set) {
    const auto members = static_cast<std::size_t>(count[set]);
    float* grad = grad_qkv + set * k * row;
    std::memset(grad + members * row, 0, (k - members) * row * sizeof(float));
    for (std::size_t h = 0; h < heads; ++h) {
      head.move_to(qkv + set * k * row + h * width, members);
      head.attend();
      head.backward(grad_y + set * k * heads * width + h * width, grad + h * width);
    }
  }
}

}  // namespace eco::train::kernels
