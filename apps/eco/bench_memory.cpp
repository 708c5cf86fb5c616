#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/infer/engine.h"
#include "eco/bench.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Case {
  Backbone backbone;
  std::size_t nodes;
};

// Solves one instance; the Transformer, quadratic in time, only encodes and decodes for so long.
void solve_once(const Case& item, double seconds) {
  ModelConfig config = paper_preset(ProblemKind::tsp);
  config.backbone = item.backbone;
  Engine engine(std::make_shared<const Weights>(random_weights(config, 1)), 1);
  Instance instance;
  Rng rng(1);
  for (std::size_t i = 0; i < item.nodes; ++i) {
    instance.points.push_back({rng.uniform(), rng.uniform()});
  }
  DecodeOptions options;
  options.candidates = 32;
  const Instance* one = &instance;
  (void)engine.run({&one, 1}, options, Deadline::after(seconds));
}

struct Usage {
  std::size_t bytes = 0;
  double cpu_seconds = 0;
};

Usage measure(const Case& item, double seconds) {
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorKind::resource, "cannot start a process to measure");
  if (child == 0) {
    try {
      solve_once(item, seconds);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) {
    throw Error(ErrorKind::resource, "a measured process failed");
  }
  return {static_cast<std::size_t>(usage.ru_maxrss) * 1024,
          static_cast<double>(usage.ru_utime.tv_sec) +
              1e-6 * static_cast<double>(usage.ru_utime.tv_usec)};
}

}  // namespace

int bench_memory(const Session& session) {
  constexpr std::array<std::size_t, 4> kNodes{100, 1'000, 10'000, 100'000};
  constexpr double kSeconds = 30;
  Json json{{"benchmark", "memory"}, {"results", Json::array()}};
  if (!session.common().json) {
    session.print("{:<14}{:>10}{:>14}{:>14}\n", "backbone", "nodes", "peak MB", "CPU seconds");
  }
  for (const Backbone backbone : {Backbone::mamba, Backbone::transformer}) {
    const std::string_view name = backbone == Backbone::mamba ? "mamba" : "transformer";
    for (const std::size_t nodes : kNodes) {
      session.throw_if_interrupted();
      // At 100,000 nodes the Transformer's encoder alone would take the better part of an hour.
      if (backbone == Backbone::transformer && nodes > 10'000) continue;
      const Usage usage = measure({backbone, nodes}, kSeconds);
      json["results"].push_back({{"backbone", name},
                                 {"nodes", nodes},
                                 {"peak_rss_bytes", usage.bytes},
                                 {"cpu_seconds", usage.cpu_seconds}});
      if (!session.common().json) {
        session.print("{:<14}{:>10}{:>14.1f}{:>14.2f}\n", name, nodes,
                      static_cast<double>(usage.bytes) / 1e6, usage.cpu_seconds);
      }
    }
  }
  if (session.common().json) session.print("{}\n", json.dump());
  return 0;
}

}  // namespace eco::cli
