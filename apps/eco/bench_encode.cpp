// eco bench encode: the network over the nodes of whole instances, each thread on its own.

#include <memory>

#include "core/base/thread_pool.h"
#include "core/infer/flops.h"
#include "core/model/encoder.h"
#include "core/model/instance_tokens.h"
#include "core/model/merge_network.h"
#include "eco/bench.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

// What one thread encodes: `batch` instances of `nodes` nodes, and where the results go.
// Sequential: with the keys; merging: the first round, with the scores.
class EncodeWork {
 public:
  virtual ~EncodeWork() = default;
  virtual void run() = 0;
};

class SequentialWork final : public EncodeWork {
 public:
  SequentialWork(const PackedModel& model, std::span<const Instance> instances)
      : model_(model), encoder_(model) {
    for (const Instance& instance : instances) {
      const InstanceTokens tokens = instance_tokens(model.config, instance);
      features_.insert(features_.end(), tokens.features.begin(), tokens.features.end());
      sequences_.push_back({tokens_, instance.size(), {}});
      tokens_ += instance.size();
    }
    h_.resize(tokens_ * model.config.dim);
    keys_.resize(tokens_ * model.config.dim);
    mean_.resize(sequences_.size() * model.config.dim);
  }

  void run() override {
    const std::size_t dim = model_.config.dim;
    (void)encoder_.encode(features_, sequences_, h_.data(), mean_.data());
    gemm(tokens_, h_.data(), dim, model_.key, keys_.data(), dim);
  }

 private:
  const PackedModel& model_;
  Encoder encoder_;
  std::size_t tokens_ = 0;
  std::vector<float> features_, h_, keys_, mean_;
  std::vector<TokenSequence> sequences_;
};

class MergingWork final : public EncodeWork {
 public:
  MergingWork(const PackedModel& model, std::span<const Instance> instances) : network_(model) {
    MergeInputBuilder builder;
    input_.clear(model.config.depot(), model.config.candidates);
    for (const Instance& instance : instances) {
      builder.append(Fragments(instance), View(instance), {}, input_);
    }
  }

  void run() override { (void)network_.run(input_, log_probabilities_); }

 private:
  MergeNetwork network_;
  MergeInput input_;
  std::vector<float> log_probabilities_;
};

std::unique_ptr<EncodeWork> encode_work(const PackedModel& model,
                                        std::span<const Instance> instances) {
  if (model.config.constructor == ConstructorKind::merging) {
    return std::make_unique<MergingWork>(model, instances);
  }
  return std::make_unique<SequentialWork>(model, instances);
}

struct EncodeCase {
  std::string_view name;
  ModelConfig config;
  std::size_t nodes, batch;
};

}  // namespace

int bench_encode(const BenchOptions& options, const Session& session) {
  const ModelConfig paper = paper_preset(kProblems.front()), best = best_preset(kProblems.front());
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
          encode_work(model, random_instances(item.batch, item.nodes, session.common().seed + i)));
    }
    const Timing time = best_time(options.seconds, [&] {
      pool.parallel_for(works.size(), [&](std::size_t i, std::size_t) { works[i]->run(); });
    });
    const auto sequences = static_cast<double>(pool.size() * item.batch);
    const double flops = sequences * encode_flops(item.config, item.nodes);
    const double tokens = sequences * static_cast<double>(item.nodes);
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
