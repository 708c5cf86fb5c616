#include "train/data/label_store.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "core/base/error.h"
#include "io/reader.h"
#include "train/data/content.h"
#include "train/data/label_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kAtLeast = 64;    // labels that the first draws choose among
constexpr std::uint64_t kLookAhead = 64;  // labels that may be made before they are asked for
constexpr std::uint64_t kEpochStream = 0x3ae5ULL << 48U;  // apart from every other use of the seed

}  // namespace

LabelStore::LabelStore(ProblemKind problem, const DataConfig& data)
    : problem_(problem), data_(data) {
  if (!data.files.empty()) {
    load_files(data.files);
    return;
  }
  open_pools();
  for (std::size_t i = 0; i < data.label_threads; ++i) workers_.emplace_back([this] { work(); });
}

LabelStore::~LabelStore() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void LabelStore::load_files(const std::vector<std::string>& files) {
  std::map<std::size_t, std::vector<std::unique_ptr<Instance>>> by_size;
  std::uint64_t content = kChecksumStart;
  for (const std::string& file : files) {
    const auto reader = io::open_instances(file);
    std::size_t number = 0;
    while (auto instance = reader->next()) {
      ++number;
      const std::string which = file + ": instance " + std::to_string(number);
      require_problem(*instance, problem_, which);
      if (!instance->reference) {
        throw Error(ErrorKind::input, which + " has no solution to learn from");
      }
      content = content_of(*instance, content);
      by_size[instance->customers()].push_back(std::make_unique<Instance>(std::move(*instance)));
    }
  }
  content_ = content_text(content);
  for (auto& [nodes, labels] : by_size) {
    Pool pool;
    pool.nodes = nodes;
    pool.limit = pool.initial = pool.started = labels.size();
    pool.labels = std::move(labels);
    pools_.push_back(std::move(pool));
  }
  if (pools_.empty()) throw Error(ErrorKind::input, files.front() + ": no instances");
}

void LabelStore::open_pools() {
  for (const SizeShare& size : data_.sizes) {
    Pool pool;
    pool.nodes = size.nodes;
    pool.limit = data_.count;
    pools_.push_back(std::move(pool));
  }
  if (data_.cache.empty()) return;
  cache_ = std::make_unique<LabelCache>(data_.cache, labels_description(problem_, data_), problem_);
  std::map<std::pair<std::size_t, std::uint64_t>, Instance> cached;
  for (CachedLabel& label : cache_->take()) {
    cached.insert_or_assign({label.customers, label.index}, std::move(label.instance));
  }
  for (Pool& pool : pools_) {
    while (pool.started < pool.limit) {
      const auto found = cached.find({pool.nodes, pool.started});
      if (found == cached.end()) break;
      pool.labels.push_back(std::make_unique<Instance>(std::move(found->second)));
      ++pool.started;
    }
    pool.initial = pool.started;
  }
}

std::uint64_t LabelStore::available(const Pool& pool) const {
  const auto grown = static_cast<std::uint64_t>(static_cast<double>(pool.draws) / data_.reuse);
  return std::min(pool.limit, std::max({kAtLeast, pool.initial, grown}));
}

LabelStore::Pool* LabelStore::pool_with_work() {
  for (Pool& pool : pools_) {
    if (pool.started < std::min(pool.wanted, pool.limit)) return &pool;
  }
  return nullptr;
}

void LabelStore::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    Pool* pool = nullptr;
    work_.wait(lock, [&] { return stop_ || (pool = pool_with_work()) != nullptr; });
    if (stop_) return;
    const std::uint64_t index = pool->started++;
    pool->labels.emplace_back();
    lock.unlock();
    std::unique_ptr<Instance> label;
    std::exception_ptr failure;
    try {
      label = std::make_unique<Instance>(make_labelled(problem_, data_, pool->nodes, index));
      if (cache_) cache_->append(index, *label);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) {
      failure_ = failure;
      stop_ = true;
    }
    pool->labels[index] = std::move(label);
    ++labels_made_;
    made_.notify_all();
  }
}

// Which label the next draw is in epochs. Labels in the making come in their own order first: they
// are drawn at random already.
std::uint64_t LabelStore::of_epoch(Pool& pool) const {
  const std::uint64_t epoch = pool.draws / pool.limit, place = pool.draws % pool.limit;
  if (epoch == 0 && data_.files.empty()) return place;
  if (pool.order.empty() || pool.epoch != epoch) {
    pool.order.resize(pool.limit);
    std::iota(pool.order.begin(), pool.order.end(), 0U);
    Rng rng(data_.seed, kEpochStream + (static_cast<std::uint64_t>(pool.nodes) << 24U) + epoch);
    rng.shuffle(std::span<std::uint32_t>(pool.order));
    pool.epoch = epoch;
  }
  return pool.order[place];
}

const Instance& LabelStore::draw(std::size_t index, Rng& rng) {
  Pool& pool = pools_[index];
  const bool epochs = data_.draw == LabelDraw::epochs;
  const std::uint64_t among = epochs ? std::min(pool.limit, pool.draws + 1) : available(pool);
  const std::uint64_t chosen =
      epochs ? of_epoch(pool) : rng.below(static_cast<std::uint32_t>(among));
  ++pool.draws;
  if (workers_.empty()) return *pool.labels[chosen];
  std::unique_lock lock(mutex_);
  pool.wanted = among + kLookAhead;
  if (pool.started < std::min(pool.wanted, pool.limit)) work_.notify_all();
  made_.wait(lock, [&] {
    return failure_ || (chosen < pool.labels.size() && pool.labels[chosen] != nullptr);
  });
  if (failure_) std::rethrow_exception(failure_);
  return *pool.labels[chosen];
}

std::size_t LabelStore::labels_made() const {
  const std::lock_guard lock(mutex_);
  return labels_made_;
}

std::vector<PoolPosition> LabelStore::position() const {
  std::vector<PoolPosition> result;
  for (const Pool& pool : pools_) result.push_back({pool.nodes, pool.draws, pool.initial});
  return result;
}

void LabelStore::restore(const std::vector<PoolPosition>& position) {
  bool same = position.size() == pools_.size();
  for (std::size_t i = 0; same && i < pools_.size(); ++i) {
    same = position[i].nodes == pools_[i].nodes &&
           (data_.files.empty() || position[i].initial == pools_[i].initial);
  }
  if (!same) {
    throw Error(ErrorKind::input,
                "the training data is not that of the checkpoint: its sizes or "
                "counts differ");
  }
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    pools_[i].draws = position[i].draws;
    pools_[i].initial = position[i].initial;
  }
}

}  // namespace eco::train
