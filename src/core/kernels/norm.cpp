#include "core/kernels/norm.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/simd.h"

namespace eco {

using simd::F8;
using simd::kLanes;

void rms_norm(std::size_t dim, const float* x, const float* weight, float* y) {
  F8 squares{};
  for (std::size_t i = 0; i < dim; i += kLanes) {
    const F8 value = simd::load(x + i);
    squares = simd::fma(value, value, squares);
  }
  const float scale = 1.0F / std::sqrt(simd::sum(squares) / static_cast<float>(dim) + kNormEpsilon);
  for (std::size_t i = 0; i < dim; i += kLanes) {
    simd::store(y + i, simd::load(x + i) * scale * simd::load(weight + i));
  }
}

void rms_norm_rows(std::size_t rows, std::size_t dim, const float* x, const float* weight,
                   float* y) {
  std::size_t r = 0;
  for (; r + kLanes <= rows; r += kLanes, x += kLanes * dim, y += kLanes * dim) {
    F8 squares[kLanes] = {};
    for (std::size_t i = 0; i < dim; i += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) {
        const F8 value = simd::load(x + j * dim + i);
        squares[j] = simd::fma(value, value, squares[j]);
      }
    }
    const F8 means = simd::sums(squares) / static_cast<float>(dim) + kNormEpsilon;
    for (std::size_t j = 0; j < kLanes; ++j) {
      const float scale = 1.0F / std::sqrt(means[j]);
      for (std::size_t i = j * dim; i < (j + 1) * dim; i += kLanes) {
        simd::store(y + i, simd::load(x + i) * scale * simd::load(weight + i - j * dim));
      }
    }
  }
  for (; r < rows; ++r, x += dim, y += dim) rms_norm(dim, x, weight, y);
}

void scale_shift(std::size_t rows, std::size_t dim, const float* scale, const float* shift,
                 float* x) {
  for (std::size_t r = 0; r < rows; ++r, x += dim) {
    for (std::size_t i = 0; i < dim; i += kLanes) {
      simd::store(x + i,
                  simd::fma(simd::load(x + i), simd::load(scale + i), simd::load(shift + i)));
    }
  }
}

void column_norm(std::size_t rows, std::size_t dim, const float* weight, const float* bias,
                 float* x) {
  const float share = 1.0F / static_cast<float>(rows);
  for (std::size_t i = 0; i < dim; i += kLanes) {
    F8 sum{}, squares{};
    for (std::size_t r = 0; r < rows; ++r) sum += simd::load(x + r * dim + i);
    const F8 mean = sum * share;
    for (std::size_t r = 0; r < rows; ++r) {
      const F8 off = simd::load(x + r * dim + i) - mean;
      squares = simd::fma(off, off, squares);
    }
    F8 scale = squares * share + kNormEpsilon;
    for (std::size_t lane = 0; lane < kLanes; ++lane) scale[lane] = 1.0F / std::sqrt(scale[lane]);
    scale = scale * simd::load(weight + i);
    const F8 shift = simd::load(bias + i);
    for (std::size_t r = 0; r < rows; ++r) {
      simd::store(x + r * dim + i, simd::fma(simd::load(x + r * dim + i) - mean, scale, shift));
    }
  }
}

float dot(std::size_t dim, const float* x, const float* y) {
  F8 acc{};
  std::size_t i = 0;
  for (; i + kLanes <= dim; i += kLanes) acc = simd::fma(simd::load(x + i), simd::load(y + i), acc);
  float result = simd::sum(acc);
  for (; i < dim; ++i) result = std::fma(x[i], y[i], result);
  return result;
}

void add_dots(std::size_t rows, std::size_t dim, const float* x, const float* y, float* out) {
  std::size_t r = 0;
  for (; r + kLanes <= rows; r += kLanes, x += kLanes * dim) {
    F8 acc[kLanes] = {};
    for (std::size_t i = 0; i < dim; i += kLanes) {
      const F8 value = simd::load(y + i);
      for (std::size_t j = 0; j < kLanes; ++j) {
        acc[j] = simd::fma(simd::load(x + j * dim + i), value, acc[j]);
      }
    }
    simd::store(out + r, simd::load(out + r) + simd::sums(acc));
  }
  for (; r < rows; ++r, x += dim) out[r] += dot(dim, x, y);
}

void add_to(std::size_t dim, const float* x, float* y) {
  for (std::size_t i = 0; i < dim; i += kLanes) {
    simd::store(y + i, simd::load(y + i) + simd::load(x + i));
  }
}

namespace {

// The last, partial vector of an array, filled up with `fill`.
F8 load_tail(const float* from, std::size_t count, float fill) {
  float buffer[kLanes];
  std::fill_n(buffer, kLanes, fill);
  std::copy_n(from, count, buffer);
  return simd::load(buffer);
}

float maximum(std::span<const float> values) {
  F8 best = simd::set(values[0]);
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    best = simd::max(best, simd::load(values.data() + i));
  }
  float result = simd::max_lane(best);
  for (; i < values.size(); ++i) result = std::max(result, values[i]);
  return result;
}

template <class Store>
ExpSum exponentials(std::span<const float> values, Store store) {
  const float highest = maximum(values);
  F8 total{};
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes) {
    const F8 e = simd::exp(simd::load(values.data() + i) - highest);
    total += e;
    store(i, kLanes, e);
  }
  if (i < values.size()) {
    const std::size_t rest = values.size() - i;
    F8 e = simd::exp(load_tail(values.data() + i, rest, highest) - highest);
    for (std::size_t lane = rest; lane < kLanes; ++lane) e[lane] = 0;
    total += e;
    store(i, rest, e);
  }
  return {highest, simd::sum(total)};
}

}  // namespace

ExpSum exp_in_place(std::span<float> values) {
  return exponentials(values, [&](std::size_t at, std::size_t count, F8 e) {
    if (count == kLanes) {
      simd::store(values.data() + at, e);
      return;
    }
    float buffer[kLanes];
    simd::store(buffer, e);
    std::copy_n(buffer, count, values.data() + at);
  });
}

ExpSum exp_sum(std::span<const float> values) {
  return exponentials(values, [](std::size_t, std::size_t, F8) {});
}

namespace plain {

void rms_norm(std::size_t dim, const float* x, const float* weight, float* y) {
  double squares = 0;
  for (std::size_t i = 0; i < dim; ++i) squares += double{x[i]} * x[i];
  const double scale = 1.0 / std::sqrt(squares / static_cast<double>(dim) + kNormEpsilon);
  for (std::size_t i = 0; i < dim; ++i) y[i] = static_cast<float>(x[i] * scale * weight[i]);
}

void column_norm(std::size_t rows, std::size_t dim, const float* weight, const float* bias,
                 float* x) {
  const auto count = static_cast<double>(rows);
  for (std::size_t i = 0; i < dim; ++i) {
    double mean = 0, variance = 0;
    for (std::size_t r = 0; r < rows; ++r) mean += x[r * dim + i] / count;
    for (std::size_t r = 0; r < rows; ++r) {
      variance += (x[r * dim + i] - mean) * (x[r * dim + i] - mean) / count;
    }
    const double scale = weight[i] / std::sqrt(variance + kNormEpsilon);
    for (std::size_t r = 0; r < rows; ++r) {
      x[r * dim + i] = static_cast<float>((x[r * dim + i] - mean) * scale + bias[i]);
    }
  }
}

ExpSum exp_in_place(std::span<float> values) {
  const float highest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (float& value : values) {
    value = std::exp(value - highest);
    sum += value;
  }
  return {highest, static_cast<float>(sum)};
}

}  // namespace plain

}  // namespace eco
