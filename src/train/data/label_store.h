#pragma once
// The labelled instances of a run, one pool a size. From files all are there at once; generated
// ones are made by the expert in worker threads while training draws from them. What a draw returns
// never depends on how fast the threads are: draw d of a pool picks uniformly among the first
// available(d) labels, a fixed function, and waits until that label is made; in epochs it is label
// d, and later the d-th of a shuffle of all.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/instance.h"
#include "train/config/train_config.h"
#include "train/data/label_cache.h"

namespace eco::train {

// What a checkpoint keeps of one pool.
struct PoolPosition {
  std::size_t nodes = 0;
  std::uint64_t draws = 0;
  std::uint64_t initial = 0;  // labels that were there when the run began
};

class LabelStore {
 public:
  LabelStore(ProblemKind problem, const DataConfig& data);
  ~LabelStore();
  LabelStore(const LabelStore&) = delete;
  LabelStore& operator=(const LabelStore&) = delete;

  // Sizes of the pools (CVRP: customers). From generated data in the order of data.sizes; from
  // files one pool a size that occurs, ascending.
  [[nodiscard]] std::size_t pools() const { return pools_.size(); }
  [[nodiscard]] std::size_t nodes(std::size_t pool) const { return pools_[pool].nodes; }
  [[nodiscard]] std::size_t labels(std::size_t pool) const { return pools_[pool].limit; }
  [[nodiscard]] std::size_t labels_made() const;  // in this process, by the expert

  // Identifies the labels of files by what they hold; empty for generated ones, which follow from
  // the config.
  [[nodiscard]] const std::string& content() const { return content_; }

  // The next draw of the pool; stays valid as long as the store.
  const Instance& draw(std::size_t pool, Rng& rng);

  [[nodiscard]] std::vector<PoolPosition> position() const;
  void restore(const std::vector<PoolPosition>& position);  // throws if the pools are others

 private:
  struct Pool {
    std::size_t nodes = 0;
    std::uint64_t limit = 0;  // labels it will ever have
    std::uint64_t initial = 0;
    std::uint64_t draws = 0;
    std::uint64_t started = 0;                      // labels made or in the making
    std::uint64_t wanted = 0;                       // labels that workers should have made
    std::vector<std::unique_ptr<Instance>> labels;  // null: in the making
    std::vector<std::uint32_t> order;               // data.draw = epochs: of `epoch`
    std::uint64_t epoch = 0;
  };

  void load_files(const std::vector<std::string>& files);
  void open_pools();
  void work();
  Pool* pool_with_work();
  [[nodiscard]] std::uint64_t available(const Pool& pool) const;
  [[nodiscard]] std::uint64_t of_epoch(Pool& pool) const;

  ProblemKind problem_;
  DataConfig data_;
  std::vector<Pool> pools_;
  std::string content_;
  std::unique_ptr<LabelCache> cache_;
  std::vector<std::thread> workers_;
  mutable std::mutex mutex_;
  std::condition_variable work_, made_;
  std::exception_ptr failure_;
  std::size_t labels_made_ = 0;
  bool stop_ = false;
};

}  // namespace eco::train
