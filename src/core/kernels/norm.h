#pragma once
// RMSNorm, softmax and the other row-wise pieces. Row lengths are multiples of 8 where said.

#include <cstddef>
#include <span>

namespace eco {

inline constexpr float kNormEpsilon = 1e-5F;

// y = x / sqrt(mean(x^2) + eps) * weight; all [dim], dim a multiple of 8; y may be x.
void rms_norm(std::size_t dim, const float* x, const float* weight, float* y);
// The same of rows one after another, with the same bits.
void rms_norm_rows(std::size_t rows, std::size_t dim, const float* x, const float* weight,
                   float* y);

// Rows x [rows, dim], dim a multiple of 8, in place.
// x = x * scale + shift: batch norm once its statistics are fixed.
void scale_shift(std::size_t rows, std::size_t dim, const float* scale, const float* shift,
                 float* x);
// x = (x - mean) / sqrt(variance + eps) * weight + bias, mean and variance of each column.
void column_norm(std::size_t rows, std::size_t dim, const float* weight, const float* bias,
                 float* x);

// x . y, any length; lanes of 8 first, then summed in a fixed order.
[[nodiscard]] float dot(std::size_t dim, const float* x, const float* y);
// out[r] += x[r] . y for rows one after another, dim a multiple of 8; the bits of dot().
void add_dots(std::size_t rows, std::size_t dim, const float* x, const float* y, float* out);

// y += x, dim a multiple of 8.
void add_to(std::size_t dim, const float* x, float* y);

// values[i] = exp(values[i] - max); returns max and the sum of the results. Not empty.
struct ExpSum {
  float max, sum;
};
ExpSum exp_in_place(std::span<float> values);

// The same sum without changing the values.
[[nodiscard]] ExpSum exp_sum(std::span<const float> values);

namespace plain {
void rms_norm(std::size_t dim, const float* x, const float* weight, float* y);
void column_norm(std::size_t rows, std::size_t dim, const float* weight, const float* bias,
                 float* x);
ExpSum exp_in_place(std::span<float> values);
}  // namespace plain

}  // namespace eco
