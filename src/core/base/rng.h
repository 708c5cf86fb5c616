#pragma once
// Counter-based random numbers (Philox 4x32-10). A generator is a pure function of
// (seed, stream, counter): instance i of seed S is the same whatever else was drawn before it, on
// whichever thread. Its whole state is four numbers, so that a checkpoint can hold it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace eco {

class Rng {
 public:
  using result_type = std::uint32_t;

  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffU; }
  result_type operator()() { return next_u32(); }

  std::uint32_t next_u32() {
    if (used_ == 4) refill();
    return block_[used_++];
  }
  std::uint64_t next_u64() {
    const std::uint64_t low = next_u32();
    return low | (static_cast<std::uint64_t>(next_u32()) << 32U);
  }
  // [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(next_u64() >> 11U) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // 0 .. bound-1 without bias; bound > 0.
  std::uint32_t below(std::uint32_t bound);
  // Inclusive on both sides.
  std::int64_t between(std::int64_t low, std::int64_t high);
  double normal();  // mean 0, deviation 1
  // An index, as probable as its weight is large; one weight at least is above 0.
  std::size_t weighted(std::span<const double> weights);

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  void refill();

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t counter_ = 0;  // index of the next block to be made
  std::array<std::uint32_t, 4> block_{};
  std::uint32_t used_ = 4;
};

}  // namespace eco
