#include <gtest/gtest.h>

#include <vector>

#include "core/base/rng.h"
#include "core/kernels/row_attention.h"
#include "core/kernels/simd.h"

namespace eco {
namespace {

TEST(AttendRows, AgreesWithThePlainKernel) {
  Rng rng(4);
  for (const std::size_t heads : {1, 3, 4}) {
    for (const std::size_t width : {8, 24, 32}) {
      for (const std::size_t count : {1, 2, 7, 13}) {
        const std::size_t dim = heads * width, stride = 2 * dim, tokens = 20;
        const auto draw = [&](std::size_t size) {
          std::vector<float> values(size);
          for (float& value : values) value = static_cast<float>(rng.normal());
          return values;
        };
        const auto q = draw(dim), memory = draw(tokens * stride), bias = draw(count * heads);
        std::vector<std::uint32_t> rows(count);
        for (auto& row : rows) row = rng.below(tokens);
        std::vector<float> weights(simd::padded(count * heads, 16)), out(dim),
            plain_weights(count * heads), plain_out(dim);
        std::vector<float> spread;  // bias with something after every row
        for (std::size_t i = 0; i < bias.size(); ++i) {
          spread.push_back(bias[i]);
          if ((i + 1) % heads == 0) spread.insert(spread.end(), 5, 9.0F);
        }
        attend_rows(rows, heads, width, q.data(), memory.data(), memory.data() + dim, stride,
                    spread.data(), heads + 5, weights.data(), out.data());
        plain::attend_rows(rows, heads, width, q.data(), memory.data(), memory.data() + dim, stride,
                           bias.data(), plain_weights.data(), plain_out.data());
        for (std::size_t i = 0; i < plain_weights.size(); ++i) {
          EXPECT_NEAR(weights[i], plain_weights[i], 1e-5);
        }
        for (std::size_t i = 0; i < dim; ++i) EXPECT_NEAR(out[i], plain_out[i], 1e-5);
      }
    }
  }
}

TEST(AttendRows, SumsRowsByHead) {
  Rng rng(5);
  constexpr std::size_t kHeads = 3, kCount = 7;
  for (const std::size_t columns : {8, 21, 24}) {
    std::vector<float> weights(kCount * kHeads), rows(kCount * columns), out(kHeads * columns);
    for (float& value : weights) value = static_cast<float>(rng.normal());
    for (float& value : rows) value = static_cast<float>(rng.normal());
    sum_by_head(kCount, kHeads, weights.data(), rows.data(), columns, out.data());
    for (std::size_t head = 0; head < kHeads; ++head) {
      for (std::size_t f = 0; f < columns; ++f) {
        double sum = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
          sum += double{weights[i * kHeads + head]} * rows[i * columns + f];
        }
        EXPECT_NEAR(out[head * columns + f], sum, 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace eco
