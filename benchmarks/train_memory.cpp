// Peak memory of one supervised step at batch 4, preset `paper`, by backbone and size. Each
// measurement is a process of its own, so that the peak is that of the step (and of LibTorch, whose
// share the first row shows). A process is stopped at 8 GB: the Transformer gets there.
//
//   bench_train_memory [threads]

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "arguments.h"
#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "train/nn/gradient.h"
#include "train/nn/policy.h"

namespace {

using namespace eco;
using namespace eco::train;

constexpr std::size_t kBatch = 4;
constexpr rlim_t kLimit = rlim_t{8} << 30;
constexpr int kOutOfMemory = 7;

int run_step(const std::string& backbone, std::size_t nodes, std::size_t threads) {
  const rlimit limit{kLimit, kLimit};
  setrlimit(RLIMIT_DATA, &limit);
  set_up_process();
  ModelConfig config = paper_preset(ProblemKind::tsp);
  if (backbone == "transformer") config.backbone = Backbone::transformer;
  const Policy policy(config, 1);
  ThreadPool pool(threads);
  GradientWorkers workers(policy, pool);
  GeneratorOptions options;
  options.nodes = nodes;
  Rng rng(1);
  std::vector<PointerBatch> parts;
  for (std::size_t i = 0; i < kBatch && nodes > 0; ++i) {
    const Instance instance = generate(options, i);
    Solution tour;
    for (std::size_t node = 0; node < nodes; ++node) tour.sequence.emplace_back(node);
    rng.shuffle(std::span(tour.sequence));
    const Instance* instances[] = {&instance};
    const Solution* tours[] = {&tour};
    const std::size_t owner[] = {0};
    parts.push_back(make_pointer_batch(config, instances, tours, owner, pool));
  }
  try {
    for (int step = 0; step < 2 && nodes > 0; ++step) {
      workers.run(parts.size(), [&](const Policy& replica, std::size_t part) {
        return -replica.log_probabilities(parts[part]).sum();
      });
    }
  } catch (const std::exception&) {  // LibTorch's allocator has an error type of its own
    return kOutOfMemory;
  }
  return 0;
}

// Peak resident megabytes of this program run with the given arguments; -1: stopped at the limit.
double peak_of(const std::string& backbone, std::size_t nodes, std::size_t threads) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string size = std::to_string(nodes), workers = std::to_string(threads);
    execl("/proc/self/exe", "bench_train_memory", workers.c_str(), backbone.c_str(), size.c_str(),
          nullptr);
    _exit(1);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, argc == 4 ? 3 : 1, "bench_train_memory [threads]");
  const std::size_t threads = arguments.count(1, 2);
  // As peak_of() calls it.
  if (argc == 4) return run_step(argv[2], std::strtoul(argv[3], nullptr, 10), threads);
  std::printf("Peak resident memory of a step, MB: batch %zu, %zu threads, preset paper\n", kBatch,
              threads);
  std::printf("%8s %12s %12s\n", "nodes", "mamba", "transformer");
  double thousand = 0, five = 0;
  for (const std::size_t nodes : {0, 100, 1000, 2000, 5000}) {
    const double mamba = peak_of("mamba", nodes, threads);
    const double transformer = peak_of("transformer", nodes, threads);
    if (nodes == 1000) thousand = mamba;
    if (nodes == 5000) five = mamba;
    std::printf("%8zu %12.0f ", nodes, mamba);
    transformer < 0 ? std::printf("%12s\n", "over 8 GB") : std::printf("%12.0f\n", transformer);
    std::fflush(stdout);
  }
  std::printf("mamba, 5000 against 1000 nodes: %.1fx\n", five / thousand);
  return 0;
}
