#pragma once
// Clocks of the benchmarks.

#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace eco::times {

struct Times {
  double cpu = 1e30, wall = 1e30;
};

// Of all threads of this process.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Runs once and lowers `best` where this run was faster; returns its wall-clock seconds.
template <class Body>
double time_once(Times& best, const Body& body) {
  const double cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  body();
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  best.cpu = std::min(best.cpu, cpu_seconds() - cpu);
  best.wall = std::min(best.wall, wall);
  return wall;
}

inline constexpr int kRounds = 5;

// The fastest of several rounds, of every body. They take turns, so that all see the same machine.
template <class... Bodies>
std::array<Times, sizeof...(Bodies)> measure(const Bodies&... bodies) {
  std::array<Times, sizeof...(Bodies)> best;
  (bodies(), ...);
  for (int round = 0; round < kRounds; ++round) {
    std::size_t i = 0;
    (time_once(best[i++], bodies), ...);
  }
  return best;
}

}  // namespace eco::times
