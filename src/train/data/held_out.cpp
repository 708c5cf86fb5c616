#include "train/data/held_out.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>

#include "core/base/error.h"
#include "core/problem/problem.h"
#include "io/reader.h"
#include "train/data/content.h"
#include "train/data/expert.h"
#include "train/data/label_cache.h"
#include "train/data/label_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kMoreEffort = 10;     // than a training label, by default
constexpr std::size_t kMostSizesOfFiles = 4;  // that are judged on without being asked

HeldOutSet read_set(const std::string& file, ProblemKind problem, std::size_t limit) {
  HeldOutSet set{std::filesystem::path(file).stem().string(), {}};
  const auto reader = io::open_instances(file);
  while (set.instances.size() < limit) {
    auto instance = reader->next();
    if (!instance) break;
    const std::string which = file + ": instance " + std::to_string(set.instances.size() + 1);
    require_problem(*instance, problem, which);
    if (!instance->reference_cost) {
      throw Error(ErrorKind::input, which + " has no reference cost to measure the gap against");
    }
    set.instances.push_back(std::move(*instance));
  }
  if (set.instances.empty()) throw Error(ErrorKind::input, file + ": no instances");
  return set;
}

// One generated set in the making.
struct SetInTheMaking {
  HeldOutSet set;
  std::size_t nodes = 0;
  DataConfig data;  // what its labels are made from
  std::unique_ptr<LabelCache> cache;
  std::vector<std::size_t> missing;  // indices without a label
};

// What the cache has is taken from there, if it is what the generator makes today.
void take_cached(ProblemKind problem, SetInTheMaking& making) {
  auto& instances = making.set.instances;
  for (CachedLabel& label : making.cache->take()) {
    if (label.customers != making.nodes || label.index >= instances.size()) continue;
    Instance instance = make_unlabelled(problem, making.data, making.nodes, label.index);
    if (instance.points != label.instance.points || instance.demands != label.instance.demands ||
        instance.capacity != label.instance.capacity) {
      continue;
    }
    instance.reference_cost = cost(instance, *label.instance.reference);
    instance.reference = std::move(label.instance.reference);
    instances[label.index] = std::move(instance);
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (!instances[i].reference) making.missing.push_back(i);
  }
}

SetInTheMaking begin_set(const TrainConfig& config, std::size_t nodes, const std::string& cache) {
  SetInTheMaking making;
  making.nodes = nodes;
  making.data = config.data;
  making.data.seed = config.validate.seed;
  making.data.effort = config.validate.effort > 0
                           ? config.validate.effort
                           : kMoreEffort * default_effort(config.problem, nodes);
  making.set.name = std::string(to_string(config.problem)) + std::to_string(nodes);
  making.set.instances.resize(config.validate.count);
  const std::string description =
      labels_description(config.problem, making.data) + " nodes=" + std::to_string(nodes);
  making.cache = std::make_unique<LabelCache>(
      cache + "-" + making.set.name + "-" + content_text(checksum(description)) + ".labels",
      description, config.problem);
  take_cached(config.problem, making);
  return making;
}

[[noreturn]] void stop_labelling(const std::string& cache) {
  throw Error(ErrorKind::interrupted,
              "interrupted while the held-out set was labelled; the labels so far are kept (" +
                  cache + "-*.labels)");
}

void make_missing(const TrainConfig& config, std::vector<SetInTheMaking>& sets,
                  const HeldOutOptions& options, ThreadPool& pool) {
  struct Missing {
    SetInTheMaking* set;
    std::size_t index;
  };
  std::vector<Missing> missing;
  double total = 0, done = 0;  // in iterations of the expert
  for (SetInTheMaking& set : sets) {
    for (const std::size_t index : set.missing) missing.push_back({&set, index});
    total += static_cast<double>(set.missing.size()) * static_cast<double>(set.data.effort);
  }
  if (missing.empty()) return;
  if (options.progress) options.progress(0);
  std::mutex mutex;
  pool.parallel_for(missing.size(), [&](std::size_t i, std::size_t) {
    const auto [set, index] = missing[i];
    if (options.stop.stop_requested()) stop_labelling(options.cache);
    Instance instance = make_labelled(config.problem, set->data, set->nodes, index, options.stop);
    if (options.stop.stop_requested()) stop_labelling(options.cache);
    const std::lock_guard lock(mutex);
    set->cache->append(index, instance);
    set->set.instances[index] = std::move(instance);
    done += static_cast<double>(set->data.effort);
    if (options.progress) options.progress(done / total);
  });
}

}  // namespace

std::vector<HeldOutSet> read_held_out(const TrainConfig& config) {
  std::vector<HeldOutSet> sets;
  for (const std::string& file : config.validate.files) {
    sets.push_back(read_set(file, config.problem, config.validate.count));
  }
  return sets;
}

std::vector<std::size_t> held_out_sizes(const TrainConfig& config,
                                        const std::vector<std::size_t>& trained) {
  std::vector<std::size_t> sizes;
  const auto add = [&](std::size_t nodes) {
    if (std::find(sizes.begin(), sizes.end(), nodes) == sizes.end()) sizes.push_back(nodes);
  };
  for (const SizeShare& size : config.validate.sizes) add(size.nodes);
  if (!sizes.empty()) return sizes;
  for (const std::size_t nodes : trained) add(nodes);
  if (config.data.sizes.empty() && sizes.size() > kMostSizesOfFiles) {
    throw Error(ErrorKind::usage,
                "data.files hold instances of " + std::to_string(sizes.size()) +
                    " sizes: name those to validate on in validate.sizes, or give validate.files");
  }
  return sizes;
}

std::vector<HeldOutSet> make_held_out(const TrainConfig& config,
                                      const std::vector<std::size_t>& sizes,
                                      const HeldOutOptions& options, ThreadPool& pool) {
  std::vector<SetInTheMaking> making;
  for (const std::size_t nodes : sizes) making.push_back(begin_set(config, nodes, options.cache));
  make_missing(config, making, options, pool);
  std::vector<HeldOutSet> sets;
  for (SetInTheMaking& one : making) sets.push_back(std::move(one.set));
  return sets;
}

std::string content_of(const std::vector<HeldOutSet>& sets) {
  std::uint64_t sum = kChecksumStart;
  for (const HeldOutSet& set : sets) {
    sum = checksum(std::to_string(set.instances.size()), sum);
    for (const Instance& instance : set.instances) sum = content_of(instance, sum);
  }
  return content_text(sum);
}

}  // namespace eco::train
