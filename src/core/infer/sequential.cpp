#include "core/infer/sequential.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/infer/beam.h"
#include "core/infer/reconstruct.h"
#include "core/kernels/ssm.h"
#include "core/problem/codec.h"

namespace eco {

namespace {

// Rollouts that step together on one thread: enough rows to feed the matrix kernels, few enough for
// the keys of their instances to stay in cache from one step to the next.
constexpr std::size_t kRowsPerGroup = 64, kFewestRows = 8;
constexpr std::size_t kKeyFloatsPerGroup = 3'000'000;
constexpr std::size_t kTokensPerEncoding = 2'000;
// What a batch may take is bounded, so a call of any size is cut into batches that fit.
constexpr std::size_t kMostBytes = 512'000'000;

// H, keys and features of a token; what another decoder needs of it.
std::size_t bytes_per_node(const ModelConfig& config) {
  // The heavy decoder: every token of a step with its queries, keys and values.
  const std::size_t rows = config.heavy() ? 8 : config.glimpse() ? 6 : 2;
  return 4 * (rows * config.dim + config.token_features() + 2) + 32;
}

// Where a rollout starts: multi-start spreads the first nodes along the curve. With a depot
// position 0 is the depot's, from which the policy chooses: the first rollout, so that it is the
// greedy one. Samples that are spread all start where they are told.
std::optional<std::size_t> first_position(const ModelConfig& config, const DecodeOptions& options,
                                          std::size_t sample, const Instance& instance) {
  const std::size_t depot = instance.has_depot() ? 1 : 0;
  if (options.method != Decode::multistart && !options.spread) {
    return config.chooses_first() ? std::nullopt : std::optional<std::size_t>(0);
  }
  const std::size_t free = options.spread ? 0 : depot;
  const std::size_t nodes = instance.size() - depot, starts = *options.samples - free;
  if (sample < free || nodes == 0) return std::nullopt;
  sample -= free;
  return depot + (starts <= nodes ? sample * nodes / starts : sample % nodes);
}

// Consecutive ranges of `count` items, `size` each.
std::size_t ranges(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}

}  // namespace

SequentialConstructor::SequentialConstructor(const PackedModel& model, std::size_t threads)
    : model_(model) {
  for (std::size_t i = 0; i < threads; ++i) {
    encoders_.emplace_back(model);
    decoders_.emplace_back(model);
  }
}

void SequentialConstructor::check(const DecodeOptions& options) const {
  if (options.effort) {
    throw Error(ErrorKind::usage,
                "an effort needs weights with constructor = merging (preset best)");
  }
}

std::size_t SequentialConstructor::bytes(std::size_t nodes) const {
  const ModelConfig& config = model_.config;
  const std::size_t layer = config.backbone == Backbone::mamba
                                ? config.inner() * (kConv - 1 + kState)
                                : 2 * config.dim * (nodes + 8);
  const std::size_t layers = config.decoder == DecoderKind::recurrent ? config.decoder_layers : 0;
  return nodes * bytes_per_node(config) + 4 * layer * layers;
}

void SequentialConstructor::run(std::span<const ConstructionTask> tasks,
                                const DecodeOptions& options, ThreadPool& pool,
                                const Deadline& deadline) {
  // Batches: enough rollouts for every thread, as far as memory goes.
  const std::size_t rows = kRowsPerGroup * pool.size();
  for (std::size_t begin = 0; begin < tasks.size();) {
    std::size_t end = begin, tokens = 0;
    const std::size_t rollouts = tasks[begin].rollouts.size();
    while (end < tasks.size() && (end == begin || (end - begin) * rollouts < rows)) {
      tokens += tasks[end].instance->size();
      if (tasks[end].instance->kind != tasks[begin].instance->kind) break;
      if (end > begin && tokens * bytes_per_node(model_.config) > kMostBytes) break;
      ++end;
    }
    run_batch(tasks.subspan(begin, end - begin), options, pool, deadline);
    begin = end;
  }
}

void SequentialConstructor::run_batch(std::span<const ConstructionTask> batch,
                                      const DecodeOptions& asked, ThreadPool& pool,
                                      const Deadline& deadline) {
  DecodeOptions options = asked;
  if (asked.method == Decode::reconstruct) {
    options.method = Decode::greedy;
    options.samples = 1;
  }
  std::vector<const Instance*> members;
  members.reserve(batch.size());
  for (const ConstructionTask& task : batch) members.push_back(task.instance);
  const std::size_t largest = members.front()->size();
  const std::size_t per_encoding =
      std::clamp(kTokensPerEncoding / largest, std::size_t{1}, ranges(members.size(), pool.size()));
  const std::size_t encodings = ranges(members.size(), per_encoding);
  if (encodings_.size() < encodings) encodings_.resize(encodings);
  pool.parallel_for(encodings, [&](std::size_t i, std::size_t worker) {
    const std::size_t first = i * per_encoding;
    encodings_[i].encode(
        model_, encoders_[worker],
        std::span(members).subspan(first, std::min(per_encoding, members.size() - first)),
        deadline);
  });
  const auto view = [&](std::size_t i) {
    return encodings_[i / per_encoding].view(i % per_encoding);
  };

  if (options.method == Decode::beam) {
    pool.parallel_for(batch.size(), [&](std::size_t i, std::size_t worker) {
      decode_beam(model_, decoders_[worker], view(i), options, deadline, batch[i].rollouts);
    });
    return;
  }
  std::vector<PointerTask> tasks;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (std::size_t sample = 0; sample < batch[i].rollouts.size(); ++sample) {
      PointerTask task;
      task.encoded = view(i);
      task.start = first_position(model_.config, options, sample, *members[i]);
      task.stream = batch[i].stream(sample);
      task.rollout = &batch[i].rollouts[sample];
      tasks.push_back(task);
    }
  }
  const std::size_t key_floats = ranges(largest * model_.config.dim, *options.samples);
  std::size_t most = options.candidates
                         ? kRowsPerGroup
                         : std::clamp(kKeyFloatsPerGroup / key_floats, kFewestRows, kRowsPerGroup);
  // The others have no product to share, and the nodes of one rollout stay in cache.
  if (model_.config.decoder != DecoderKind::recurrent) most = 1;
  // Groups of equal size, as many for each thread.
  const std::size_t groups =
      std::min(tasks.size(), ranges(ranges(tasks.size(), most), pool.size()) * pool.size());
  const std::size_t per_group = ranges(tasks.size(), groups);
  pool.parallel_for(ranges(tasks.size(), per_group), [&](std::size_t i, std::size_t worker) {
    const std::size_t first = i * per_group;
    decode_pointer(model_, decoders_[worker],
                   std::span(tasks).subspan(first, std::min(per_group, tasks.size() - first)),
                   options, deadline);
  });
  if (asked.method != Decode::reconstruct) return;
  pool.parallel_for(tasks.size(), [&](std::size_t i, std::size_t worker) {
    reconstruct(model_, decoders_[worker], tasks[i], *asked.samples, options, deadline);
  });
}

std::vector<StepScore> SequentialConstructor::score_path(const Instance& instance,
                                                         const Solution& solution) {
  const Instance* one = &instance;
  PointerEncoding encoded;
  encoded.encode(model_, encoders_[0], {&one, 1});
  std::vector<StepScore> scores;
  Rollout rollout;
  PointerTask task;
  task.encoded = encoded.view(0);
  task.start = first_position(model_.config, {}, 0, instance);
  task.rollout = &rollout;
  const std::vector<NodeId> steps = steps_of(instance, solution);
  task.guide = &steps;
  task.scores = &scores;
  decode_pointer(model_, decoders_[0], {&task, 1}, {}, {});
  return scores;
}

}  // namespace eco
