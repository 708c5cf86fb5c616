#include "core/base/rng.h"

#include <cmath>
#include <numbers>

namespace eco {

namespace {

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32U) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32U) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  return counter;
}

std::uint32_t low32(std::uint64_t v) {
  return static_cast<std::uint32_t>(v);
}
std::uint32_t high32(std::uint64_t v) {
  return static_cast<std::uint32_t>(v >> 32U);
}

}  // namespace

void Rng::refill() {
  block_ = philox({low32(counter_), high32(counter_), low32(stream_), high32(stream_)},
                  {low32(seed_), high32(seed_)});
  ++counter_;
  used_ = 0;
}

std::uint32_t Rng::below(std::uint32_t bound) {
  // Lemire: multiply, and reject the few draws that would favour small results.
  std::uint64_t product = std::uint64_t{next_u32()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t threshold = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < threshold) {
      product = std::uint64_t{next_u32()} * bound;
    }
  }
  return static_cast<std::uint32_t>(product >> 32U);
}

std::int64_t Rng::between(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(below(static_cast<std::uint32_t>(high - low + 1)));
}

std::size_t Rng::weighted(std::span<const double> weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double left = uniform() * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace eco
