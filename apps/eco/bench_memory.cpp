#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "core/base/error.h"
#include "core/infer/engine.h"
#include "eco/bench.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Case {
  std::string_view name;
  ModelConfig config;
  std::size_t nodes, batch;
};

// The Transformer, quadratic in time, only encodes and decodes for so long.
void solve_once(const Case& item, double seconds) {
  Engine engine(std::make_shared<const Weights>(random_weights(item.config, 1)), 1);
  const auto instances = random_instances(item.batch, item.nodes, 1);
  DecodeOptions options;
  if (item.config.constructor == ConstructorKind::sequential) options.candidates = 32;
  (void)engine.run(pointers_to(instances), options, Deadline::after(seconds));
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

// What one layer's attention matrix of every head would take if it were stored, as the common
// implementations do.
double stored_attention_bytes(const Case& item) {
  return 4.0 * static_cast<double>(item.config.heads) * static_cast<double>(item.batch) *
         static_cast<double>(item.nodes) * static_cast<double>(item.nodes);
}

std::vector<Case> memory_cases() {
  const ModelConfig mamba = paper_preset(kProblems.front()), best = best_preset(kProblems.front());
  ModelConfig transformer = mamba;
  transformer.backbone = Backbone::transformer;
  std::vector<Case> cases;
  cases.reserve(9);
  for (const std::size_t nodes : {100U, 1'000U, 10'000U, 100'000U}) {
    cases.push_back({"mamba", mamba, nodes, 1});
  }
  // At 100,000 nodes the Transformer's encoder alone would take the better part of an hour.
  for (const std::size_t nodes : {100U, 1'000U, 10'000U}) {
    cases.push_back({"transformer", transformer, nodes, 1});
  }
  cases.push_back({"paper", mamba, 10'000, 8});
  cases.push_back({"best", best, 10'000, 8});
  return cases;
}

}  // namespace

int bench_memory(const BenchOptions&, const Session& session) {
  constexpr double kSeconds = 30;  // enough for the peak; the cases of a batch may be cut short
  Json json{{"benchmark", "memory"}, {"results", Json::array()}};
  if (!session.common().json) {
    session.print("{:<14}{:>8}{:>7}{:>10}{:>13}{:>26}\n", "", "nodes", "batch", "peak MB",
                  "CPU seconds", "stored attention, MB");
  }
  for (const Case& item : memory_cases()) {
    session.throw_if_interrupted();
    const Usage usage = measure(item, kSeconds);
    const bool attends = item.config.backbone == Backbone::transformer;
    Json row{{"name", item.name},
             {"nodes", item.nodes},
             {"batch", item.batch},
             {"peak_rss_bytes", usage.bytes},
             {"cpu_seconds", usage.cpu_seconds}};
    if (attends) row["stored_attention_bytes"] = stored_attention_bytes(item);
    json["results"].push_back(row);
    if (session.common().json) continue;
    session.print(
        "{:<14}{:>8}{:>7}{:>10.1f}{:>13.2f}{:>26}\n", item.name, item.nodes, item.batch,
        static_cast<double>(usage.bytes) / 1e6, usage.cpu_seconds,
        attends ? fmt::format("{:.1f} (computed)", stored_attention_bytes(item) / 1e6) : "");
  }
  if (session.common().json) session.print("{}\n", json.dump());
  return 0;
}

}  // namespace eco::cli
