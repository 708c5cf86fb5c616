#include "core/ordering/curve.h"

#include <array>

namespace eco {

namespace {

// How the curve lies in the current quadrant: both coordinates complemented, and then swapped.
// The two operations commute, so the composition over levels is these two bits.
struct Pose {
  unsigned flipped = 0;
  unsigned swapped = 0;
};

// One level: which of the four quadrants, in curve order, and the pose of the curve inside it.
constexpr unsigned descend(Pose& pose, unsigned x_bit, unsigned y_bit) {
  x_bit ^= pose.flipped;
  y_bit ^= pose.flipped;
  const unsigned across = pose.swapped != 0 ? y_bit : x_bit;
  const unsigned up = pose.swapped != 0 ? x_bit : y_bit;
  if (up == 0) {
    pose.flipped ^= across;
    pose.swapped ^= 1U;
  }
  return (3U * across) ^ up;
}

constexpr unsigned kNibble = 16;

struct Step {
  std::uint8_t digits;  // four base-4 digits of the key
  std::uint8_t pose;    // flipped + 2 * swapped
};

// [pose][x nibble][y nibble]
using Steps = std::array<std::array<std::array<Step, kNibble>, kNibble>, 4>;

constexpr Steps make_steps() {
  Steps steps{};
  for (unsigned start = 0; start < 4; ++start) {
    for (unsigned x = 0; x < kNibble; ++x) {
      for (unsigned y = 0; y < kNibble; ++y) {
        Pose pose{start & 1U, start >> 1U};
        unsigned digits = 0;
        for (unsigned bit = 4; bit-- > 0;) {
          digits = 4 * digits + descend(pose, (x >> bit) & 1U, (y >> bit) & 1U);
        }
        steps[start][x][y] = {static_cast<std::uint8_t>(digits),
                              static_cast<std::uint8_t>(pose.flipped + 2 * pose.swapped)};
      }
    }
  }
  return steps;
}

constexpr Steps kSteps = make_steps();

// abcd -> 0a0b0c0d
std::uint64_t spread(std::uint64_t v) {
  v = (v | (v << 16U)) & 0x0000ffff0000ffffU;
  v = (v | (v << 8U)) & 0x00ff00ff00ff00ffU;
  v = (v | (v << 4U)) & 0x0f0f0f0f0f0f0f0fU;
  v = (v | (v << 2U)) & 0x3333333333333333U;
  return (v | (v << 1U)) & 0x5555555555555555U;
}

}  // namespace

std::uint64_t morton_key(std::uint32_t x, std::uint32_t y) {
  return spread(x) | (spread(y) << 1U);
}

std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y) {
  std::uint64_t key = 0;
  std::uint8_t pose = 0;
  for (unsigned shift = 32; shift > 0;) {
    shift -= 4;
    const Step step = kSteps[pose][(x >> shift) & 15U][(y >> shift) & 15U];
    key = (key << 8U) | step.digits;
    pose = step.pose;
  }
  return key;
}

std::uint64_t plain_hilbert_key(std::uint32_t x, std::uint32_t y) {
  std::uint64_t key = 0;
  Pose pose;
  for (unsigned bit = 32; bit-- > 0;) {
    key = 4 * key + descend(pose, (x >> bit) & 1U, (y >> bit) & 1U);
  }
  return key;
}

}  // namespace eco
