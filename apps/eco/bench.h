#pragma once
// Measuring: clocks, the machine's fastest matrix product, memory. Parts of `eco bench`.

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "eco/verb.h"

namespace eco::cli {

struct Timing {
  double wall = 0, cpu = 0;  // seconds; cpu over all threads of the process
};
// The best of as many runs as fit, at least one.
[[nodiscard]] Timing best_time(double seconds, const std::function<void()>& body);

struct Peak {
  std::size_t threads = 1;
  double gflops = 0;                 // by the wall clock, on all threads together
  double gflops_per_cpu_second = 0;  // of one thread
  std::string source;                // whose product was the fastest
  double own = 0, blas = 0;          // a CPU second; blas 0: no library found
};
// Large single-precision products by our own kernel and, where it can be loaded, by OpenBLAS.
[[nodiscard]] Peak measure_peak(std::size_t threads);
[[nodiscard]] nlohmann::ordered_json to_json(const Peak& peak);

// Peak memory of one solve by nodes and backbone, each in a process of its own.
int bench_memory(const Session& session);

}  // namespace eco::cli
