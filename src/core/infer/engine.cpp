#include "core/infer/engine.h"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>

#include "core/base/error.h"
#include "core/geometry/symmetry.h"
#include "core/infer/constructor.h"
#include "core/infer/decode_keys.h"
#include "core/problem/check.h"

namespace eco {

namespace {

std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// One instance cannot be split: better an error than being killed.
void check_memory(const Constructor& constructor, const Instance& instance) {
  const std::size_t need = constructor.bytes(instance.size());
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

void check_options(const DecodeOptions& options) {
  const auto require = [](bool condition, const char* message) {
    if (!condition) throw Error(ErrorKind::usage, message);
  };
  require(options.samples > 0U && options.samples < (1U << 22U), "samples must be 1 to 4194303");
  require(!options.temperature || *options.temperature > 0, "the temperature must be above 0");
  require(!options.top_k || *options.top_k > 0, "top_k must be above 0");
  require(!options.candidates || (*options.candidates > 0 && *options.candidates <= kMaxNodes),
          "candidates must be 1 to 100000000");
}

// What the model reads of an instance, in one of the 8 positions of a square.
Instance symmetric_image(const Instance& instance, unsigned symmetry) {
  Instance image;
  image.kind = instance.kind;
  image.demands = instance.demands;
  image.capacity = instance.capacity;
  image.start = instance.start;
  image.end = instance.end;
  image.points = instance.points;
  apply_symmetry(image.points, symmetry);
  return image;
}

}  // namespace

struct Engine::InUse {
  std::mutex mutex;
};

Engine::Engine(const std::shared_ptr<const Weights>& weights, std::size_t threads)
    : Engine(pack(*weights), threads) {}
Engine::Engine(std::shared_ptr<const PackedModel> model, std::size_t threads)
    : model_(std::move(model)),
      pool_(std::make_unique<ThreadPool>(threads)),
      constructor_(make_constructor(*model_, pool_->size())),
      in_use_(std::make_unique<InUse>()) {}
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
  DecodeOptions result = options;
  fill_in(model_->decode, result);
  constructor_->check(result);
  if (!result.method) result.method = Decode::greedy;
  if (result.method == Decode::greedy || !result.samples) result.samples = 1;
  if (result.method == Decode::augment) result.samples = kSymmetries;
  check_options(result);
  return result;
}

std::vector<std::vector<Rollout>> Engine::run(std::span<const Instance* const> instances,
                                              const DecodeOptions& options,
                                              const Deadline& deadline) {
  const std::lock_guard lock(in_use_->mutex);
  const DecodeOptions decode = resolved(options);
  for (const Instance* instance : instances) {
    check_instance(config(), *instance);
    check_memory(*constructor_, *instance);
  }
  const std::size_t count = decode.method == Decode::reconstruct ? 1 : *decode.samples;
  Rollouts rollouts(instances.size(), std::vector<Rollout>(count));
  if (decode.method == Decode::augment) {
    run_augmented(instances, decode, deadline, rollouts);
  } else {
    construct(instances, decode, deadline, rollouts);
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
    for (unsigned i = 0; i < kSymmetries; ++i) images.push_back(symmetric_image(*instance, i));
  }
  std::vector<const Instance*> members;
  members.reserve(images.size());
  for (const Instance& image : images) members.push_back(&image);
  DecodeOptions greedy = options;
  greedy.method = Decode::greedy;
  greedy.samples = 1;
  Rollouts of_images(images.size(), std::vector<Rollout>(1));
  construct(members, greedy, deadline, of_images);
  for (std::size_t i = 0; i < images.size(); ++i) {
    rollouts[i / kSymmetries][i % kSymmetries] = std::move(of_images[i][0]);
  }
}

void Engine::construct(std::span<const Instance* const> instances, const DecodeOptions& options,
                       const Deadline& deadline, Rollouts& rollouts) {
  std::vector<ConstructionTask> tasks;
  tasks.reserve(instances.size());
  for (std::size_t i = 0; i < instances.size(); ++i) {
    tasks.push_back({instances[i], options.first + i, rollouts[i]});
  }
  // Largest first: rollouts that step together end together, and the last group is a short one.
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const ConstructionTask& a, const ConstructionTask& b) {
                     if (a.instance->kind != b.instance->kind) {
                       return a.instance->kind < b.instance->kind;
                     }
                     return a.instance->size() > b.instance->size();
                   });
  constructor_->run(tasks, options, *pool_, deadline);
}

const Rollout& best_rollout(std::span<const Rollout> rollouts) {
  return *std::min_element(rollouts.begin(), rollouts.end(),
                           [](const Rollout& a, const Rollout& b) { return a.cost < b.cost; });
}

std::vector<StepScore> Engine::score_path(const Instance& instance, const Solution& solution) {
  const std::lock_guard lock(in_use_->mutex);
  check_instance(config(), instance);
  require_feasible(instance, solution);
  return constructor_->score_path(instance, solution);
}

}  // namespace eco
