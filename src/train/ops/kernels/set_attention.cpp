// Attention within small sets: at most 64 members, a few heads of a few dozen numbers. A library
// call a set costs more than the set; here a head's members are brought into small padded arrays,
// members or numbers across the lanes, and everything stays in the first-level cache.

#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/simd.h"
#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

using simd::F8;
using simd::kLanes;

namespace {

// One head of one set. Rows are members [members, width], columns the transpose [width, members],
// both padded with zeros to whole vectors.
class Head {
 public:
  Head(std::size_t k, std::size_t heads, std::size_t width)
      : width_(width),
        stride_(3 * heads * width),
        out_stride_(heads * width),
        wide_(simd::padded(width)),
        tall_(simd::padded(k)),
        q_(tall_ * wide_),
        k_(tall_ * wide_),
        v_(tall_ * wide_),
        k_columns_(wide_ * tall_),
        v_columns_(wide_ * tall_),
        weights_(tall_ * tall_),
        grad_scores_(tall_ * tall_),
        grad_q_(tall_ * wide_),
        grad_k_(tall_ * wide_),
        grad_v_(tall_ * wide_),
        out_(tall_ * wide_),
        scale_(1.0F / std::sqrt(static_cast<float>(width))) {}

  // qkv: the first member's query of this head.
  void load(const float* qkv, std::size_t count) {
    count_ = count;
    for (std::size_t i = 0; i < count; ++i, qkv += stride_) {
      for (std::size_t w = 0; w < width_; ++w) {
        q_[i * wide_ + w] = qkv[w] * scale_;
        k_[i * wide_ + w] = k_columns_[w * tall_ + i] = qkv[stride_ / 3 + w];
        v_[i * wide_ + w] = v_columns_[w * tall_ + i] = qkv[2 * (stride_ / 3) + w];
      }
    }
  }

  // weights[i, :] = softmax(q_i . k_j).
  void attend() {
    for (std::size_t i = 0; i < count_; ++i) {
      float* row = weights_.data() + i * tall_;
      multiply(q_.data() + i * wide_, k_columns_.data(), row);
      float max = row[0], sum = 0;
      for (std::size_t j = 1; j < count_; ++j) max = row[j] > max ? row[j] : max;
      for (std::size_t j = 0; j < tall_; j += kLanes) {
        simd::store(row + j, simd::exp(simd::load(row + j) - max));
      }
      for (std::size_t j = count_; j < tall_; ++j) row[j] = 0.0F;
      for (std::size_t j = 0; j < count_; ++j) sum += row[j];
      for (std::size_t j = 0; j < tall_; j += kLanes) {
        simd::store(row + j, simd::load(row + j) / sum);
      }
    }
  }

  // y: the first member's output of this head.
  void mix(float* y) {
    for (std::size_t i = 0; i < count_; ++i) {
      float* out = out_.data() + i * wide_;
      combine(weights_.data() + i * tall_, v_.data(), out);
      std::memcpy(y + i * out_stride_, out, width_ * sizeof(float));
    }
  }

  void backward(const float* grad_y, float* grad_qkv) {
    clear(grad_k_);
    clear(grad_v_);
    clear(out_);
    for (std::size_t i = 0; i < count_; ++i) {
      float* grad_out = out_.data() + i * wide_;  // padded copy of the incoming gradient
      std::memcpy(grad_out, grad_y + i * out_stride_, width_ * sizeof(float));
      const float* weights = weights_.data() + i * tall_;
      float* grad_scores = grad_scores_.data() + i * tall_;
      multiply(grad_out, v_columns_.data(), grad_scores);  // of the weights
      float dot = 0;
      for (std::size_t j = 0; j < count_; ++j) dot += weights[j] * grad_scores[j];
      for (std::size_t j = 0; j < tall_; j += kLanes) {
        simd::store(grad_scores + j, simd::load(weights + j) * (simd::load(grad_scores + j) - dot));
      }
      combine(grad_scores, k_.data(), grad_q_.data() + i * wide_);
      spread(weights, grad_out, grad_v_.data());
      spread(grad_scores, q_.data() + i * wide_, grad_k_.data());
    }
    for (std::size_t i = 0; i < count_; ++i, grad_qkv += stride_) {
      for (std::size_t w = 0; w < width_; ++w) {
        grad_qkv[w] = grad_q_[i * wide_ + w] * scale_;
        grad_qkv[stride_ / 3 + w] = grad_k_[i * wide_ + w];  // q_ has the scale in it
        grad_qkv[2 * (stride_ / 3) + w] = grad_v_[i * wide_ + w];
      }
    }
  }

 private:
  static void clear(std::vector<float>& values) {
    std::memset(values.data(), 0, values.size() * sizeof(float));
  }
  // out[j] = sum_w row[w] columns[w, j].
  void multiply(const float* row, const float* columns, float* out) const {
    for (std::size_t j = 0; j < tall_; j += kLanes) {
      F8 sum{};
      for (std::size_t w = 0; w < width_; ++w) {
        sum = simd::fma(simd::set(row[w]), simd::load(columns + w * tall_ + j), sum);
      }
      simd::store(out + j, sum);
    }
  }
  // out[w] = sum_j weights[j] rows[j, w].
  void combine(const float* weights, const float* rows, float* out) const {
    for (std::size_t w = 0; w < wide_; w += kLanes) {
      F8 sum{};
      for (std::size_t j = 0; j < count_; ++j) {
        sum = simd::fma(simd::set(weights[j]), simd::load(rows + j * wide_ + w), sum);
      }
      simd::store(out + w, sum);
    }
  }
  // rows[j, w] += weights[j] row[w].
  void spread(const float* weights, const float* row, float* rows) const {
    for (std::size_t j = 0; j < count_; ++j) {
      const F8 weight = simd::set(weights[j]);
      for (std::size_t w = 0; w < wide_; w += kLanes) {
        float* at = rows + j * wide_ + w;
        simd::store(at, simd::fma(weight, simd::load(row + w), simd::load(at)));
      }
    }
  }

  std::size_t width_, stride_, out_stride_, wide_, tall_, count_ = 0;
  std::vector<float> q_, k_, v_, k_columns_, v_columns_, weights_, grad_scores_;
  std::vector<float> grad_q_, grad_k_, grad_v_, out_;
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
      head.load(qkv + set * k * 3 * heads * width + h * width, members);
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
      head.load(qkv + set * k * row + h * width, members);
      head.attend();
      head.backward(grad_y + set * k * heads * width + h * width, grad + h * width);
    }
  }
}

}  // namespace eco::train::kernels
