#include "core/infer/engine.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/infer/pointer.h"
#include "core/infer/rolling.h"
#include "core/ordering/ordering.h"
#include "core/problem/check.h"

namespace eco {

namespace {

// Rollouts that step together on one thread: enough rows to feed the matrix kernels, few enough for
// their states and keys to stay near.
constexpr std::size_t kRowsPerGroup = 64;
constexpr std::size_t kRollingPerGroup = 32;
// Tokens encoded at a time, which bounds memory: about 1 KB (pointer) or 2 KB (candidate) each.
constexpr std::size_t kTokensPerBatch = 400'000;
constexpr std::size_t kTokensPerEncoding = 2'000;

void check_instance(const ModelConfig& config, const Instance& instance) {
  const std::string name = instance.name.empty() ? "the instance" : quoted(instance.name);
  if (instance.kind != config.problem) {
    throw Error(ErrorKind::usage, "the weights are for " + std::string(to_string(config.problem)) +
                                      ", " + name + " is " + std::string(to_string(instance.kind)));
  }
  if (!instance.has_points()) {
    throw Error(ErrorKind::input,
                name + " has no coordinates, which the model reads; solve it by local search");
  }
}

void check_options(const DecodeOptions& options) {
  const auto require = [](bool condition, const char* message) {
    if (!condition) throw Error(ErrorKind::usage, message);
  };
  require(options.samples > 0 && options.samples < (1U << 22U), "samples must be 1 to 4194303");
  require(options.temperature > 0, "the temperature must be above 0");
  require(options.reencode >= 0 && options.reencode <= 1, "reencode must be in (0, 1]");
  require(options.ends <= 2, "ends must be 1 or 2");
}

// The random stream of a rollout; an even number, the next one is the other end's.
std::uint64_t stream_of(const DecodeOptions& options, std::size_t instance, std::size_t sample) {
  return ((options.first + instance) << 24U) | (sample << 1U);
}

// Consecutive ranges of `count` items, `size` each.
std::size_t ranges(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}

}  // namespace

Engine::Engine(const std::shared_ptr<const Weights>& weights, std::size_t threads)
    : model_(std::make_unique<const PackedModel>(*weights)),
      pool_(std::make_unique<ThreadPool>(threads)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

const ModelConfig& Engine::config() const {
  return model_->config;
}

DecodeOptions Engine::resolved(const DecodeOptions& options) const {
  check_options(options);
  DecodeOptions result = options;
  const ModelConfig& c = model_->config;
  if (result.method == Decode::greedy) result.samples = 1;
  if (result.reencode == 0) result.reencode = c.reencode;
  if (result.ends == 0) result.ends = c.ends;
  if (c.problem != ProblemKind::tsp || c.scorer != Scorer::candidate) result.ends = 1;
  if (result.candidates == 0 && c.scorer == Scorer::candidate) result.candidates = c.candidates;
  return result;
}

std::vector<std::vector<Rollout>> Engine::run(std::span<const Instance* const> instances,
                                              const DecodeOptions& options,
                                              const Deadline& deadline) {
  const DecodeOptions decode = resolved(options);
  for (const Instance* instance : instances) check_instance(config(), *instance);
  std::vector<std::vector<Rollout>> rollouts(instances.size(),
                                             std::vector<Rollout>(decode.samples));

  // Largest first: rollouts that step together end together, and the last group is a short one.
  std::vector<std::size_t> order(instances.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return instances[a]->size() > instances[b]->size();
  });
  if (config().scorer == Scorer::candidate) {
    run_rolling(instances, order, decode, deadline, rollouts);
  } else {
    run_pointer(instances, order, decode, deadline, rollouts);
  }
  pool_->parallel_for(instances.size(), [&](std::size_t i, std::size_t) {
    for (Rollout& rollout : rollouts[i]) {
      rollout.cost = require_feasible(*instances[i], rollout.solution);
    }
  });
  return rollouts;
}

void Engine::run_pointer(std::span<const Instance* const> instances,
                         std::span<const std::size_t> order, const DecodeOptions& options,
                         const Deadline& deadline, std::vector<std::vector<Rollout>>& rollouts) {
  std::vector<Encoder> encoders;
  std::vector<Decoder> decoders;
  for (std::size_t i = 0; i < pool_->size(); ++i) {
    encoders.emplace_back(*model_);
    decoders.emplace_back(*model_);
  }
  const std::size_t rows = kRowsPerGroup * pool_->size();
  for (std::size_t begin = 0; begin < order.size();) {
    // A batch: enough rollouts for every thread, as far as memory goes.
    std::size_t end = begin, tokens = 0;
    while (end < order.size() && (end == begin || (end - begin) * options.samples < rows)) {
      tokens += instances[order[end]]->size();
      if (end > begin && tokens > kTokensPerBatch) break;
      ++end;
    }
    const std::span<const std::size_t> batch = order.subspan(begin, end - begin);
    std::vector<const Instance*> members;
    for (const std::size_t i : batch) members.push_back(instances[i]);

    const std::size_t largest = members.front()->size();
    const std::size_t per_encoding = std::clamp(kTokensPerEncoding / largest, std::size_t{1},
                                                ranges(members.size(), pool_->size()));
    std::vector<std::unique_ptr<PointerEncoding>> encoded(ranges(members.size(), per_encoding));
    pool_->parallel_for(encoded.size(), [&](std::size_t i, std::size_t worker) {
      const std::size_t first = i * per_encoding;
      encoded[i] = std::make_unique<PointerEncoding>(
          *model_, encoders[worker],
          std::span(members).subspan(first, std::min(per_encoding, members.size() - first)));
    });

    std::vector<PointerTask> tasks;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      for (std::size_t sample = 0; sample < options.samples; ++sample) {
        PointerTask task;
        task.encoded = encoded[i / per_encoding]->view(i % per_encoding);
        task.start = options.method == Decode::multistart ? sample % members[i]->size() : 0;
        task.stream = stream_of(options, batch[i], sample);
        task.rollout = &rollouts[batch[i]][sample];
        tasks.push_back(task);
      }
    }
    const std::size_t per_group = std::min(kRowsPerGroup, ranges(tasks.size(), pool_->size()));
    pool_->parallel_for(ranges(tasks.size(), per_group), [&](std::size_t i, std::size_t worker) {
      const std::size_t first = i * per_group;
      decode_pointer(*model_, decoders[worker],
                     std::span(tasks).subspan(first, std::min(per_group, tasks.size() - first)),
                     options, deadline);
    });
    begin = end;
  }
}

void Engine::run_rolling(std::span<const Instance* const> instances,
                         std::span<const std::size_t> order, const DecodeOptions& options,
                         const Deadline& deadline, std::vector<std::vector<Rollout>>& rollouts) {
  std::vector<std::vector<NodeId>> canonical(instances.size());
  pool_->parallel_for(instances.size(), [&](std::size_t i, std::size_t) {
    canonical[i] = canonical_order(*instances[i], config().ordering);
  });
  std::vector<RollingTask> tasks;
  for (const std::size_t i : order) {
    for (std::size_t sample = 0; sample < options.samples; ++sample) {
      RollingTask task;
      task.instance = instances[i];
      const std::size_t first = options.method == Decode::multistart ? sample : 0;
      task.start = canonical[i][first % canonical[i].size()];
      task.stream = stream_of(options, i, sample);
      task.rollout = &rollouts[i][sample];
      tasks.push_back(task);
    }
  }
  // Groups of about equal work, so that no thread is left with one long one at the end.
  std::vector<std::span<const RollingTask>> groups;
  const std::size_t share = ranges(tasks.size(), pool_->size());
  for (std::size_t begin = 0; begin < tasks.size();) {
    const std::size_t tokens = options.ends * tasks[begin].instance->size() + 2;
    const std::size_t fit = std::max<std::size_t>(1, kTokensPerBatch / tokens);
    const std::size_t count = std::min({kRollingPerGroup, fit, share, tasks.size() - begin});
    groups.push_back(std::span(tasks).subspan(begin, count));
    begin += count;
  }
  std::vector<RollingDecoder> decoders;
  for (std::size_t i = 0; i < pool_->size(); ++i) decoders.emplace_back(*model_);
  pool_->parallel_for(groups.size(), [&](std::size_t i, std::size_t worker) {
    decoders[worker].run(groups[i], options, deadline);
  });
}

std::vector<StepScore> Engine::score_path(const Instance& instance, const Solution& solution,
                                          const DecodeOptions& options) {
  check_instance(config(), instance);
  require_feasible(instance, solution);
  DecodeOptions decode = resolved(options);
  decode.ends = 1;
  std::vector<StepScore> scores;
  Rollout rollout;
  if (config().scorer == Scorer::candidate) {
    RollingTask task;
    task.instance = &instance;
    task.start = solution.sequence.front();
    task.rollout = &rollout;
    task.guide = &solution;
    task.scores = &scores;
    RollingDecoder(*model_).run({&task, 1}, decode, {});
  } else {
    Encoder encoder(*model_);
    Decoder decoder(*model_);
    const Instance* one = &instance;
    const PointerEncoding encoded(*model_, encoder, {&one, 1});
    PointerTask task;
    task.encoded = encoded.view(0);
    task.rollout = &rollout;
    task.guide = &solution;
    task.scores = &scores;
    decode_pointer(*model_, decoder, {&task, 1}, decode, {});
  }
  return scores;
}

}  // namespace eco
