#pragma once
// Measuring: clocks, the machine's fastest matrix product, memory. Parts of `eco bench`.

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/instance/instance.h"
#include "core/model/config.h"
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

// Uniform TSP instances in the unit square.
[[nodiscard]] std::vector<Instance> random_instances(std::size_t count, std::size_t nodes,
                                                     std::uint64_t seed);
[[nodiscard]] std::vector<const Instance*> pointers_to(const std::vector<Instance>& instances);

struct BenchOptions {
  std::string what = "decode";
  double seconds = 1;          // at least, a measurement
  std::size_t count = 10'000;  // instances of a soak, or of each file to solve
  // solve
  std::vector<std::string> files;
  std::vector<double> times{0.1, 1, 10};  // seconds
  std::string costs;                      // CSV of best-known costs
  std::string program, solver_path;       // an external solver beside ours
  std::vector<std::string> only;          // rows of the table, by name; none: all
  std::string runs;                       // file that keeps what was measured
  bool policies = false;                  // the policy with every effort, and samples
  std::string out;                        // figure
};

// The benchmarks that are more than a list of solves; each prints its table or its JSON.
int bench_encode(const BenchOptions& options, const Session& session);
int bench_expert(const BenchOptions& options, const Session& session);
// Peak memory by nodes, batch and backbone, each in a process of its own.
int bench_memory(const BenchOptions& options, const Session& session);
// Methods beside each other on the user's files.
int bench_solve(const BenchOptions& options, const Session& session);
// Many instances of mixed size through one process: 1 if memory grew or a solution was wrong.
int bench_soak(const BenchOptions& options, const Session& session);

}  // namespace eco::cli
