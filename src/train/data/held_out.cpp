#include "train/data/held_out.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "core/base/error.h"
#include "io/reader.h"
#include "train/config/values.h"
#include "train/data/expert.h"
#include "train/data/label_cache.h"
#include "train/data/label_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kMoreEffort = 10;  // than a training label, by default

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

// The generated sets, `cached` ones taken as they are.
HeldOutSet make_set(const TrainConfig& config, std::size_t nodes,
                    std::map<std::pair<std::size_t, std::uint64_t>, Instance>& cached,
                    LabelCache* cache, ThreadPool& pool) {
  DataConfig data = config.data;
  data.seed = config.validate.seed;
  data.effort = config.validate.effort > 0 ? config.validate.effort
                                           : kMoreEffort * default_effort(config.problem, nodes);
  HeldOutSet set{std::string(to_string(config.problem)) + std::to_string(nodes), {}};
  set.instances.resize(config.validate.count);
  std::mutex mutex;
  pool.parallel_for(set.instances.size(), [&](std::size_t i, std::size_t) {
    if (const auto found = cached.find({nodes, i}); found != cached.end()) {
      set.instances[i] = std::move(found->second);
      return;
    }
    set.instances[i] = make_labelled(config.problem, data, nodes, i);
    if (cache == nullptr) return;
    const std::lock_guard lock(mutex);
    cache->append(i, set.instances[i]);
  });
  return set;
}

}  // namespace

std::vector<HeldOutSet> held_out_sets(const TrainConfig& config, const std::string& cache_path,
                                      ThreadPool& pool) {
  std::vector<HeldOutSet> sets;
  for (const std::string& file : config.validate.files) {
    sets.push_back(read_set(file, config.problem, config.validate.count));
  }
  if (!sets.empty()) return sets;

  std::unique_ptr<LabelCache> cache;
  std::map<std::pair<std::size_t, std::uint64_t>, Instance> cached;
  if (!cache_path.empty()) {
    DataConfig data = config.data;
    data.seed = config.validate.seed;
    data.effort = config.validate.effort;
    cache = std::make_unique<LabelCache>(cache_path, labels_description(config.problem, data),
                                         config.problem);
    for (CachedLabel& label : cache->take()) {
      cached.insert_or_assign({label.customers, label.index}, std::move(label.instance));
    }
  }
  const auto& sizes = config.validate.sizes.empty() ? config.data.sizes : config.validate.sizes;
  for (const SizeShare& size : sizes) {
    sets.push_back(make_set(config, size.nodes, cached, cache.get(), pool));
  }
  return sets;
}

}  // namespace eco::train
