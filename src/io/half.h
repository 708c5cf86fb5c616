#pragma once
// IEEE 754 half precision (F16 of safetensors) to float and back, bit by bit: storage only, so that
// weights take half the room. Every half is a float; a float is rounded to the nearest half, ties
// to even, and to infinity beyond 65504.

#include <bit>
#include <cstdint>

namespace eco::io {

[[nodiscard]] inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t exponent = (half >> 10U) & 0x1fU, fraction = half & 0x3ffU;
  if (exponent == 0x1fU) {  // infinity, NaN
    return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13U));
  }
  if (exponent == 0) {  // zero and subnormals: a multiple of 2^-24, exact as a float
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
}

[[nodiscard]] inline std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const auto signed_half = [sign](std::uint32_t half) {
    return static_cast<std::uint16_t>(sign | half);
  };
  if (magnitude > 0x7f800000U) return signed_half(0x7e00U);   // NaN
  if (magnitude >= 0x477ff000U) return signed_half(0x7c00U);  // rounds beyond 65504
  if (magnitude < 0x38800000U) {  // below 2^-14: adding 0.5 leaves a rounded multiple of 2^-24
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    return signed_half(std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F));
  }
  const std::uint32_t odd = (magnitude >> 13U) & 1U;
  return signed_half((magnitude - 0x38000000U + 0xfffU + odd) >> 13U);
}

}  // namespace eco::io
