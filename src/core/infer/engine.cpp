#include "core/infer/engine.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/infer/beam.h"
#include "core/infer/merging.h"
#include "core/infer/pointer.h"
#include "core/kernels/ssm.h"
#include "core/ordering/ordering.h"
#include "core/problem/check.h"
#include "core/problem/codec.h"

namespace eco {

namespace {

// Rollouts that step together on one thread: enough rows to feed the matrix kernels, few enough for
// the keys of their instances to stay in cache from one step to the next.
constexpr std::size_t kRowsPerGroup = 64, kFewestRows = 8;
constexpr std::size_t kKeyFloatsPerGroup = 3'000'000;
constexpr std::size_t kTokensPerEncoding = 2'000;

// Memory. What a batch may take is bounded, so a call of any size is cut into batches that fit.
constexpr std::size_t kMostBytes = 512'000'000;

// Bytes for each node of an instance. Sequential: H, keys and features of all tokens at once.
// Merging, a rough estimate: the state, and what is chosen among; what is encoded at a time is
// bounded.
std::size_t bytes_per_node(const ModelConfig& config) {
  if (config.constructor == Constructor::merging) return 12 * config.candidates + 400;
  return 4 * (2 * config.dim + config.token_features() + 2) + 32;
}

// Bytes of decoder state for each rollout.
std::size_t bytes_per_row(const ModelConfig& config, std::size_t steps) {
  if (config.constructor == Constructor::merging) return 0;
  const std::size_t layer = config.backbone == Backbone::mamba
                                ? config.inner() * (kConv - 1 + kState)
                                : 2 * config.dim * (steps + 8);
  return 4 * layer * config.decoder_layers;
}

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// One instance cannot be split: better an error than being killed.
void check_memory(const ModelConfig& config, const Instance& instance) {
  const std::size_t need =
      instance.size() * bytes_per_node(config) + bytes_per_row(config, instance.size());
  if (need > physical_memory()) {
    throw Error(ErrorKind::resource, "an instance of " + std::to_string(instance.size()) +
                                         " nodes needs about " + std::to_string(need >> 20U) +
                                         " MB, the machine has " +
                                         std::to_string(physical_memory() >> 20U));
  }
}

void check_instance(const ModelConfig& config, const Instance& instance) {
  const std::string name = instance.name.empty() ? "the instance" : quoted(instance.name);
  if (instance.kind != config.problem && instance.problem().policy != config.problem) {
    throw Error(ErrorKind::usage, "the weights are for " + std::string(to_string(config.problem)) +
                                      ", " + name + " is " + std::string(to_string(instance.kind)));
  }
  if (!instance.has_points()) {
    throw Error(ErrorKind::input,
                name + " has no coordinates, which the model reads; solve it by local search");
  }
}

void check_options(const ModelConfig& config, const DecodeOptions& options) {
  const auto require = [](bool condition, const char* message) {
    if (!condition) throw Error(ErrorKind::usage, message);
  };
  require(options.samples > 0 && options.samples < (1U << 22U), "samples must be 1 to 4194303");
  require(options.temperature > 0, "the temperature must be above 0");
  require(options.candidates <= kMaxNodes, "candidates must be at most 100000000");
  if (config.constructor == Constructor::sequential) {
    require(options.effort == Effort::balanced,
            "an effort needs weights with constructor = merging (preset best)");
    return;
  }
  require(options.method != Decode::beam,
          "beam search needs weights with constructor = sequential (preset paper)");
  require(options.method != Decode::multistart,
          "multistart needs weights with constructor = sequential (preset paper)");
  require(options.candidates == 0,
          "candidates need weights with constructor = sequential (preset paper)");
  require(options.top_k == 0, "top_k needs weights with constructor = sequential (preset paper)");
}

// The random stream of a rollout.
std::uint64_t stream_of(const DecodeOptions& options, std::size_t instance, std::size_t sample) {
  return ((options.first + instance) << 24U) | sample;
}

// Where a rollout starts: multi-start spreads the first nodes along the curve. With a depot
// position 0 is the depot's, from which the policy chooses: the first rollout, so that it is the
// greedy one.
std::size_t first_position(const DecodeOptions& options, std::size_t sample,
                           const Instance& instance) {
  const std::size_t free = instance.has_depot() ? 1 : 0;
  if (options.method != Decode::multistart || sample < free) return 0;
  const std::size_t nodes = instance.size() - free, starts = options.samples - free;
  if (nodes == 0) return 0;
  sample -= free;
  return free + (starts <= nodes ? sample * nodes / starts : sample % nodes);
}

// What the model reads of an instance, in one of the 8 positions of a square.
constexpr std::size_t kSymmetries = 8;
Instance symmetric_image(const Instance& instance, std::size_t symmetry) {
  Instance image;
  image.kind = instance.kind;
  image.demands = instance.demands;
  image.capacity = instance.capacity;
  image.start = instance.start;
  image.end = instance.end;
  image.points = instance.points;
  for (Point& p : image.points) {
    if ((symmetry & 1U) != 0) p.x = -p.x;
    if ((symmetry & 2U) != 0) p.y = -p.y;
    if ((symmetry & 4U) != 0) std::swap(p.x, p.y);
  }
  return image;
}

// Consecutive ranges of `count` items, `size` each.
std::size_t ranges(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}

}  // namespace

struct Engine::Memory {
  Memory(const PackedModel& model, std::size_t threads) {
    if (model.config.constructor == Constructor::merging) {
      merging = std::make_unique<MergingDecoder>(model, threads);
      return;
    }
    for (std::size_t i = 0; i < threads; ++i) {
      encoders.emplace_back(model);
      decoders.emplace_back(model);
    }
  }

  std::mutex in_use;
  std::vector<Encoder> encoders;  // one a thread
  std::vector<Decoder> decoders;
  std::vector<PointerEncoding> encodings;
  std::unique_ptr<MergingDecoder> merging;
};

Engine::Engine(const std::shared_ptr<const Weights>& weights, std::size_t threads)
    : Engine(pack(*weights), threads) {}
Engine::Engine(std::shared_ptr<const PackedModel> model, std::size_t threads)
    : model_(std::move(model)),
      pool_(std::make_unique<ThreadPool>(threads)),
      memory_(std::make_unique<Memory>(*model_, pool_->size())) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

std::shared_ptr<const PackedModel> Engine::pack(const Weights& weights) {
  return std::make_shared<const PackedModel>(weights);
}

const ModelConfig& Engine::config() const {
  return model_->config;
}

DecodeOptions Engine::resolved(const DecodeOptions& options) const {
  check_options(config(), options);
  DecodeOptions result = options;
  if (result.method == Decode::greedy) result.samples = 1;
  if (result.method == Decode::augment) result.samples = kSymmetries;
  return result;
}

std::vector<std::vector<Rollout>> Engine::run(std::span<const Instance* const> instances,
                                              const DecodeOptions& options,
                                              const Deadline& deadline) {
  const std::lock_guard lock(memory_->in_use);
  const DecodeOptions decode = resolved(options);
  for (const Instance* instance : instances) {
    check_instance(config(), *instance);
    check_memory(config(), *instance);
  }
  Rollouts rollouts(instances.size(), std::vector<Rollout>(decode.samples));
  if (decode.method == Decode::augment) {
    run_augmented(instances, decode, deadline, rollouts);
  } else {
    run_policy(instances, decode, deadline, rollouts);
  }
  pool_->parallel_for(instances.size(), [&](std::size_t i, std::size_t) {
    const ProblemFacts& problem = instances[i]->problem();
    for (Rollout& rollout : rollouts[i]) {
      // Of the tour that the path and the way back are, the longest edge is the one to leave out.
      if (!problem.closed) problem.cut_open(*instances[i], rollout.solution);
      rollout.cost = require_feasible(*instances[i], rollout.solution);
    }
  });
  return rollouts;
}

void Engine::run_augmented(std::span<const Instance* const> instances, const DecodeOptions& options,
                           const Deadline& deadline, Rollouts& rollouts) {
  std::vector<Instance> images;
  images.reserve(instances.size() * kSymmetries);
  for (const Instance* instance : instances) {
    for (std::size_t i = 0; i < kSymmetries; ++i) images.push_back(symmetric_image(*instance, i));
  }
  std::vector<const Instance*> members;
  members.reserve(images.size());
  for (const Instance& image : images) members.push_back(&image);
  DecodeOptions greedy = options;
  greedy.method = Decode::greedy;
  greedy.samples = 1;
  Rollouts of_images(images.size(), std::vector<Rollout>(1));
  run_policy(members, greedy, deadline, of_images);
  for (std::size_t i = 0; i < images.size(); ++i) {
    rollouts[i / kSymmetries][i % kSymmetries] = std::move(of_images[i][0]);
  }
}

void Engine::run_policy(std::span<const Instance* const> instances, const DecodeOptions& options,
                        const Deadline& deadline, Rollouts& rollouts) {
  // Largest first: rollouts that step together end together, and the last group is a short one.
  std::vector<std::size_t> order(instances.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (instances[a]->kind != instances[b]->kind) return instances[a]->kind < instances[b]->kind;
    return instances[a]->size() > instances[b]->size();
  });
  if (config().constructor == Constructor::merging) {
    run_merging(instances, order, options, deadline, rollouts);
  } else {
    run_pointer(instances, order, options, deadline, rollouts);
  }
}

void Engine::run_pointer(std::span<const Instance* const> instances,
                         std::span<const std::size_t> order, const DecodeOptions& options,
                         const Deadline& deadline, Rollouts& rollouts) {
  // Batches: enough rollouts for every thread, as far as memory goes.
  const std::size_t rows = kRowsPerGroup * pool_->size();
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin, tokens = 0;
    while (end < order.size() && (end == begin || (end - begin) * options.samples < rows)) {
      tokens += instances[order[end]]->size();
      if (instances[order[end]]->kind != instances[order[begin]]->kind) break;
      if (end > begin && tokens * bytes_per_node(config()) > kMostBytes) break;
      ++end;
    }
    run_pointer_batch(instances, order.subspan(begin, end - begin), options, deadline, rollouts);
    begin = end;
  }
}

void Engine::run_pointer_batch(std::span<const Instance* const> instances,
                               std::span<const std::size_t> batch, const DecodeOptions& options,
                               const Deadline& deadline, Rollouts& rollouts) {
  std::vector<const Instance*> members;
  members.reserve(batch.size());
  for (const std::size_t i : batch) members.push_back(instances[i]);
  const std::size_t largest = members.front()->size();
  const std::size_t per_encoding = std::clamp(kTokensPerEncoding / largest, std::size_t{1},
                                              ranges(members.size(), pool_->size()));
  const std::size_t encodings = ranges(members.size(), per_encoding);
  std::vector<PointerEncoding>& encoded = memory_->encodings;
  if (encoded.size() < encodings) encoded.resize(encodings);
  pool_->parallel_for(encodings, [&](std::size_t i, std::size_t worker) {
    const std::size_t first = i * per_encoding;
    encoded[i].encode(
        *model_, memory_->encoders[worker],
        std::span(members).subspan(first, std::min(per_encoding, members.size() - first)),
        deadline);
  });
  const auto view = [&](std::size_t i) { return encoded[i / per_encoding].view(i % per_encoding); };

  if (options.method == Decode::beam) {
    pool_->parallel_for(members.size(), [&](std::size_t i, std::size_t worker) {
      decode_beam(*model_, memory_->decoders[worker], view(i), options, deadline,
                  rollouts[batch[i]]);
    });
    return;
  }
  std::vector<PointerTask> tasks;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (std::size_t sample = 0; sample < options.samples; ++sample) {
      PointerTask task;
      task.encoded = view(i);
      task.start = first_position(options, sample, *members[i]);
      task.stream = stream_of(options, batch[i], sample);
      task.rollout = &rollouts[batch[i]][sample];
      tasks.push_back(task);
    }
  }
  const std::size_t key_floats = ranges(largest * config().dim, options.samples);
  const std::size_t most = options.candidates > 0 ? kRowsPerGroup
                                                  : std::clamp(kKeyFloatsPerGroup / key_floats,
                                                               kFewestRows, kRowsPerGroup);
  // Groups of equal size, as many for each thread.
  const std::size_t groups =
      std::min(tasks.size(), ranges(ranges(tasks.size(), most), pool_->size()) * pool_->size());
  const std::size_t per_group = ranges(tasks.size(), groups);
  pool_->parallel_for(ranges(tasks.size(), per_group), [&](std::size_t i, std::size_t worker) {
    const std::size_t first = i * per_group;
    decode_pointer(*model_, memory_->decoders[worker],
                   std::span(tasks).subspan(first, std::min(per_group, tasks.size() - first)),
                   options, deadline);
  });
}

void Engine::run_merging(std::span<const Instance* const> instances,
                         std::span<const std::size_t> order, const DecodeOptions& options,
                         const Deadline& deadline, Rollouts& rollouts) {
  std::vector<MergingTask> tasks;
  for (const std::size_t i : order) {
    for (std::size_t sample = 0; sample < options.samples; ++sample) {
      MergingTask task;
      task.instance = instances[i];
      task.rule = rule_of(options.effort);
      if (options.method == Decode::sample) task.rule.temperature = kNoise * options.temperature;
      task.keep_rounds = options.keep_rounds;
      task.seed = options.seed;
      task.stream = stream_of(options, i, sample);
      task.rollout = &rollouts[i][sample];
      task.counter = options.counter;
      tasks.push_back(std::move(task));
    }
  }
  memory_->merging->run(tasks, *pool_, deadline);
}

const Rollout& best_rollout(std::span<const Rollout> rollouts) {
  return *std::min_element(rollouts.begin(), rollouts.end(),
                           [](const Rollout& a, const Rollout& b) { return a.cost < b.cost; });
}

std::vector<StepScore> Engine::score_path(const Instance& instance, const Solution& solution) {
  if (config().constructor == Constructor::merging) {
    throw Error(ErrorKind::usage, "a path is scored with weights of constructor = sequential");
  }
  check_instance(config(), instance);
  require_feasible(instance, solution);
  Encoder encoder(*model_);
  Decoder decoder(*model_);
  const Instance* one = &instance;
  PointerEncoding encoded;
  encoded.encode(*model_, encoder, {&one, 1});
  std::vector<StepScore> scores;
  Rollout rollout;
  PointerTask task;
  task.encoded = encoded.view(0);
  task.rollout = &rollout;
  const std::vector<NodeId> steps = steps_of(instance, solution);
  task.guide = &steps;
  task.scores = &scores;
  decode_pointer(*model_, decoder, {&task, 1}, {}, {});
  return scores;
}

}  // namespace eco
