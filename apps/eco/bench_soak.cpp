// eco bench soak: instances of mixed size, problem and decoding through the engines of one process.
// Every solution goes to the checker once more, and what is allocated may not grow once every
// engine has seen the largest batch with every decoding. Resident memory is shown beside it: it
// also holds what the allocator keeps between pieces of many sizes, some megabytes more or less.

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>

#include "core/base/rng.h"
#include "core/infer/decode_keys.h"
#include "core/infer/engine.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "eco/bench.h"
#include "eco/progress.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

// What the process holds in memory now, not at its peak.
std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// What is allocated and not freed, in all threads.
std::size_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

constexpr std::size_t kSmallest = 1, kLargest = 300;
constexpr std::array kSoakDecodings{"greedy", "sample:3", "augment:8"};

// Sizes by their logarithm: as many small ones as large ones.
Instance soak_instance(ProblemKind kind, std::uint64_t seed, std::size_t index, Rng& rng) {
  GeneratorOptions generator;
  generator.kind = kind;
  generator.distribution = index % 3 == 0 ? Distribution::clustered : Distribution::uniform;
  generator.nodes =
      static_cast<std::size_t>(std::exp(rng.uniform(std::log(kSmallest), std::log(kLargest + 1))));
  generator.seed = seed;
  return generate(generator, index);
}

// Working memory is kept between calls: after the largest batch it has all it will ever need.
void warm_up(Engine& engine, std::size_t largest_call, std::uint64_t seed) {
  GeneratorOptions generator;
  generator.kind = engine.config().problem;
  generator.nodes = kLargest;
  generator.seed = seed;
  std::vector<Instance> instances;
  instances.reserve(largest_call);
  for (std::size_t i = 0; i < largest_call; ++i) instances.push_back(generate(generator, i));
  for (const char* decoding : kSoakDecodings) {
    DecodeOptions decode;
    set_decode_key("decode", decoding, decode);
    (void)engine.run(pointers_to(instances), decode);
  }
}

}  // namespace

int bench_soak(const BenchOptions& options, const Session& session) {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.reserve(4);
  for (const ProblemKind kind : kProblems) {
    for (const ModelConfig& config : {paper_preset(kind), best_preset(kind)}) {
      engines.push_back(std::make_unique<Engine>(
          std::make_shared<const Weights>(random_weights(config, session.common().seed)),
          session.common().threads));
    }
  }
  const std::size_t largest_call = std::clamp<std::size_t>(options.count / 50, 1, 24);
  for (const auto& engine : engines) warm_up(*engine, largest_call, session.common().seed);
  const std::size_t warm = allocated_bytes();
  Rng rng(session.common().seed, 0);
  Progress progress(session, "soak", options.count);
  std::size_t done = 0, solutions = 0, infeasible = 0, calls = 0;
  std::vector<std::size_t> allocated, resident;  // after every tenth of the instances
  const auto measure = [&] {
    for (; allocated.size() < 10 * done / options.count; resident.push_back(resident_bytes())) {
      allocated.push_back(allocated_bytes());
    }
  };
  for (; done < options.count; measure()) {
    session.throw_if_interrupted();
    Engine& engine = *engines[calls % engines.size()];
    std::vector<Instance> instances;
    const std::size_t size = 1 + rng.below(static_cast<std::uint32_t>(largest_call));
    while (instances.size() < size && done + instances.size() < options.count) {
      instances.push_back(soak_instance(engine.config().problem, session.common().seed,
                                        done + instances.size(), rng));
    }
    DecodeOptions decode;
    set_decode_key("decode", kSoakDecodings[calls / engines.size() % kSoakDecodings.size()],
                   decode);
    decode.first = done;
    const auto rollouts = engine.run(pointers_to(instances), decode);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      for (const Rollout& rollout : rollouts[i]) {
        ++solutions;
        if (!check(instances[i], rollout.solution).feasible || !rollout.complete) ++infeasible;
      }
    }
    done += instances.size();
    ++calls;
    progress.advance(instances.size());
  }
  // A leak of one tour of 100 nodes an instance would be 4 MB for 10,000 of them.
  const std::size_t end = allocated.back();
  const bool flat = static_cast<double>(end) <= static_cast<double>(warm) + 2e6;
  const bool good = flat && infeasible == 0;
  if (session.common().json) {
    session.print("{}\n", Json{{"benchmark", "soak"},
                               {"instances", done},
                               {"calls", calls},
                               {"solutions", solutions},
                               {"infeasible", infeasible},
                               {"warm_bytes", warm},
                               {"allocated_bytes", allocated},
                               {"resident_bytes", resident},
                               {"flat", flat}}
                              .dump());
    return good ? 0 : 1;
  }
  session.print("{} instances of {} to {} nodes in {} calls: {} solutions, {} infeasible\n", done,
                kSmallest, kLargest, calls, solutions, infeasible);
  session.print("allocated when warm, MB: {:.1f}; after every tenth:",
                static_cast<double>(warm) / 1e6);
  for (const std::size_t bytes : allocated) {
    session.print(" {:.1f}", static_cast<double>(bytes) / 1e6);
  }
  session.print("\nresident:");
  for (const std::size_t bytes : resident) {
    session.print(" {:.1f}", static_cast<double>(bytes) / 1e6);
  }
  session.print("\n{}\n", flat ? "flat" : "memory grew");
  return good ? 0 : 1;
}

}  // namespace eco::cli
