#pragma once
// One head of attention within a small set: a few dozen members, heads of a few dozen numbers. A
// library call a set costs more than the set. Here rows are read where they lie, everything in
// between stays in the first-level cache, and only queries (and gradients of results) are
// transposed: with one query a lane, a softmax needs no sum across lanes.

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/kernels/simd.h"
#include "train/ops/kernels/small_product.h"

namespace eco::train::kernels {

class SetHead {
 public:
  // At most k members.
  SetHead(std::size_t k, std::size_t heads, std::size_t width)
      : width_(width),
        stride_(3 * heads * width),
        out_stride_(heads * width),
        columns_(width * simd::padded(k)),
        grad_scores_(weights_size(k)),
        scale_(1.0F / std::sqrt(static_cast<float>(width))) {}

  // How many weights a head of so many members has: [keys, padded queries].
  [[nodiscard]] static std::size_t weights_size(std::size_t count) {
    return count * simd::padded(count);
  }

  // qkv: the first member's query of this head; members are rows [3, heads, width].
  void move_to(const float* qkv, std::size_t count) {
    query_ = qkv;
    key_ = qkv + out_stride_;
    value_ = qkv + 2 * out_stride_;
    count_ = count;
    tall_ = simd::padded(count);
  }

  // weights[j, i] = softmax over j of q_i . k_j / sqrt(width).
  void attend(float* weights) {
    transpose(count_, width_, query_, stride_, columns_.data());
    multiply({width_, key_, stride_, 1, columns_.data(), tall_, weights, tall_}, count_, tall_);
    for (std::size_t i = 0; i < tall_; i += simd::kLanes) {
      float* column = weights + i;
      simd::F8 max = simd::load(column), sum{};
      for (std::size_t j = 1; j < count_; ++j) max = simd::max(max, simd::load(column + j * tall_));
      for (std::size_t j = 0; j < count_; ++j) {
        const simd::F8 e = simd::exp((simd::load(column + j * tall_) - max) * scale_);
        simd::store(column + j * tall_, e);
        sum += e;
      }
      const simd::F8 inverse = 1.0F / sum;
      for (std::size_t j = 0; j < count_; ++j) {
        simd::store(column + j * tall_, simd::load(column + j * tall_) * inverse);
      }
    }
  }

  // y: the first member's result of this head; members are rows [heads, width].
  void mix(const float* weights, float* y) const {
    multiply({count_, weights, 1, tall_, value_, stride_, y, out_stride_}, count_, width_);
  }

  // grad_qkv: where the gradient of the first member's query goes.
  void backward(const float* weights, const float* grad_y, float* grad_qkv) {
    float* grad_scores = grad_scores_.data();
    transpose(count_, width_, grad_y, out_stride_, columns_.data());
    multiply({width_, value_, stride_, 1, columns_.data(), tall_, grad_scores, tall_}, count_,
             tall_);  // of the weights
    for (std::size_t i = 0; i < tall_; i += simd::kLanes) {
      const float* weight = weights + i;
      float* grad = grad_scores + i;
      simd::F8 dot{};
      for (std::size_t j = 0; j < count_; ++j) {
        dot = simd::fma(simd::load(weight + j * tall_), simd::load(grad + j * tall_), dot);
      }
      for (std::size_t j = 0; j < count_; ++j) {
        const simd::F8 of_weight = simd::load(grad + j * tall_) - dot;
        simd::store(grad + j * tall_, simd::load(weight + j * tall_) * of_weight * scale_);
      }
    }
    multiply({count_, grad_scores, 1, tall_, key_, stride_, grad_qkv, stride_}, count_, width_);
    multiply({count_, grad_scores, tall_, 1, query_, stride_, grad_qkv + out_stride_, stride_},
             count_, width_);
    multiply({count_, weights, tall_, 1, grad_y, out_stride_, grad_qkv + 2 * out_stride_, stride_},
             count_, width_);
  }

 private:
  std::size_t width_, stride_, out_stride_, count_ = 0, tall_ = 0;
  const float *query_ = nullptr, *key_ = nullptr, *value_ = nullptr;
  std::vector<float> columns_, grad_scores_;
  float scale_;
};

}  // namespace eco::train::kernels
