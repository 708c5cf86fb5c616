// How fast instances are read: 10,000 random TSP1000 lines with tours, from memory, on one thread.
// Prints MB/s by the thread's CPU time, and beside it the same for plain std::from_chars over the
// numbers, which is the floor.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "io/reader.h"
#include "times.h"

namespace {

using eco::times::cpu_seconds;
void append(std::string& text, auto value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
  text += ' ';
}

std::string tsp_lines(std::size_t instances, std::size_t nodes) {
  std::string text;
  std::vector<std::uint32_t> tour(nodes);
  for (std::size_t i = 0; i < instances; ++i) {
    eco::Rng rng(1, i);
    for (std::size_t node = 0; node < nodes; ++node) {
      append(text, rng.uniform());
      append(text, rng.uniform());
      tour[node] = static_cast<std::uint32_t>(node + 1);
    }
    rng.shuffle(std::span<std::uint32_t>(tour));
    text += "output ";
    for (const std::uint32_t node : tour) append(text, node);
    append(text, tour.front());
    text.back() = '\n';
  }
  return text;
}

double floor_seconds(const std::string& text) {
  const double start = cpu_seconds();
  double sum = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    double value = 0;
    const auto result = std::from_chars(at, end, value);
    sum += value;
    at = result.ptr == at ? at + 1 : result.ptr + 1;
  }
  if (sum < 0) std::abort();
  return cpu_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  constexpr std::size_t kNodes = 1000;
  // In parts, so that the benchmark itself does not need the memory of the whole set.
  constexpr std::size_t kPart = 500;
  double bytes = 0, seconds = 0, floor = 0;
  std::size_t read = 0;
  for (std::size_t part = 0; part * kPart < count; ++part) {
    const std::string text = tsp_lines(std::min(kPart, count - part * kPart), kNodes);
    const double start = cpu_seconds();
    const auto reader = eco::io::instances_in(text, "memory");
    while (const auto instance = reader->next()) read += instance->size() / kNodes;
    seconds += cpu_seconds() - start;
    floor += floor_seconds(text);
    bytes += static_cast<double>(text.size());
  }
  std::printf("%zu instances of TSP%zu, %.1f MB: read at %.0f MB/s; numbers alone %.0f MB/s\n",
              read, kNodes, bytes / 1e6, bytes / 1e6 / seconds, bytes / 1e6 / floor);
  return read == count ? 0 : 1;
}
