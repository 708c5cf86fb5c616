// eco bench encode: the encoder alone, with the keys, each thread on tokens of its own.

#include <memory>

#include "core/base/thread_pool.h"
#include "core/infer/flops.h"
#include "core/model/encoder.h"
#include "core/model/instance_tokens.h"
#include "core/model/subproblem.h"
#include "eco/bench.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

// What one thread encodes: `batch` sequences of `nodes` tokens, and where the results go.
struct EncodeWork {
  EncodeWork(const PackedModel& packed, std::size_t nodes, std::size_t batch, std::uint64_t seed)
      : model(packed), encoder(packed) {
    for (const Instance& instance : random_instances(batch, nodes, seed)) add(instance);
    const std::size_t tokens = sequences.back().first + sequences.back().length;
    h.resize(tokens * model.config.dim);
    keys.resize(tokens * model.config.dim);
    node_keys.resize(tokens * model.config.candidate_dim);
    mean.resize(sequences.size() * model.config.dim);
  }

  void add(const Instance& instance) {
    const std::size_t first =
        sequences.empty() ? 0 : sequences.back().first + sequences.back().length;
    if (model.config.scorer == Scorer::candidate) {
      std::vector<NodeId> others;
      others.reserve(instance.size());
      for (std::size_t i = 1; i < instance.size(); ++i) others.emplace_back(i);
      SubProblem sub;
      (void)sub.build(instance, {NodeId(0), others, NodeId(0), 0});
      features.insert(features.end(), sub.features().begin(), sub.features().end());
      const auto& order = *hilbert.emplace_back(
          std::make_unique<std::vector<std::uint32_t>>(sub.hilbert().begin(), sub.hilbert().end()));
      sequences.push_back({first, sub.size(), order});
      return;
    }
    InstanceTokens tokens = instance_tokens(model.config, instance);
    features.insert(features.end(), tokens.features.begin(), tokens.features.end());
    const auto& order = *hilbert.emplace_back(
        std::make_unique<std::vector<std::uint32_t>>(std::move(tokens.hilbert)));
    sequences.push_back({first, instance.size(), order});
  }

  void run() {
    const std::size_t dim = model.config.dim, tokens = h.size() / dim;
    (void)encoder.encode(features, sequences, h.data(), mean.data());
    gemm(tokens, h.data(), dim, model.key, keys.data(), dim);
    if (model.candidate) {
      gemm(tokens, h.data(), dim, model.candidate->node, node_keys.data(),
           model.config.candidate_dim);
    }
  }

  const PackedModel& model;
  Encoder encoder;
  std::vector<float> features, h, keys, node_keys, mean;
  std::vector<TokenSequence> sequences;
  std::vector<std::unique_ptr<std::vector<std::uint32_t>>> hilbert;  // the sequences point to them
};

struct EncodeCase {
  std::string_view name;
  ModelConfig config;
  std::size_t nodes, batch;
};

}  // namespace

int bench_encode(const BenchOptions& options, const Session& session) {
  const ModelConfig paper = paper_preset(ProblemKind::tsp), best = steady_best(ProblemKind::tsp);
  const std::vector<EncodeCase> cases{{"paper", paper, 100, 64},   {"paper", paper, 1'000, 8},
                                      {"paper", paper, 10'000, 1}, {"best", best, 100, 64},
                                      {"best", best, 1'000, 8},    {"best", best, 10'000, 1}};
  const Peak peak = measure_peak(session.common().threads);
  ThreadPool pool(session.common().threads);
  Json json{{"benchmark", "encode"}, {"peak", to_json(peak)}, {"results", Json::array()}};
  if (!session.common().json) {
    session.print("peak: {:.1f} GFLOP/s on {} threads ({})\n", peak.gflops, peak.threads,
                  peak.source);
    session.print("{:<10}{:>8}{:>7}{:>14}{:>18}{:>9}{:>10}\n", "", "nodes", "batch", "us a token",
                  "CPU us a token", "peak", "CPU peak");
  }
  for (const EncodeCase& item : cases) {
    session.throw_if_interrupted();
    const PackedModel model(random_weights(item.config, session.common().seed));
    std::vector<std::unique_ptr<EncodeWork>> works;
    works.reserve(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i) {
      works.push_back(
          std::make_unique<EncodeWork>(model, item.nodes, item.batch, session.common().seed + i));
    }
    const Timing time = best_time(options.seconds, [&] {
      pool.parallel_for(works.size(), [&](std::size_t i, std::size_t) { works[i]->run(); });
    });
    double flops = 0, tokens = 0;
    for (const TokenSequence& sequence : works[0]->sequences) {
      flops += static_cast<double>(pool.size()) * encode_flops(item.config, sequence.length);
      tokens += static_cast<double>(pool.size() * sequence.length);
    }
    const double fraction = flops / time.wall / 1e9 / peak.gflops;
    const double cpu_fraction = flops / time.cpu / 1e9 / peak.gflops_per_cpu_second;
    json["results"].push_back({{"name", item.name},
                               {"nodes", item.nodes},
                               {"batch", item.batch},
                               {"threads", pool.size()},
                               {"microseconds_per_token", 1e6 * time.wall / tokens},
                               {"cpu_microseconds_per_token", 1e6 * time.cpu / tokens},
                               {"peak_fraction", fraction},
                               {"peak_fraction_cpu", cpu_fraction}});
    if (session.common().json) continue;
    session.print("{:<10}{:>8}{:>7}{:>14.3f}{:>18.3f}{:>8.1f}%{:>9.1f}%\n", item.name, item.nodes,
                  item.batch, 1e6 * time.wall / tokens, 1e6 * time.cpu / tokens, 100 * fraction,
                  100 * cpu_fraction);
  }
  if (session.common().json) session.print("{}\n", json.dump());
  return 0;
}

}  // namespace eco::cli
