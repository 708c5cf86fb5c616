#pragma once
// How far a run of the engine is: nodes placed of nodes to place, over all its rollouts. Threads
// add; about every half percent one of them tells the watcher, never two at a time.

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>

namespace eco {

class StepCounter {
 public:
  // What a watcher throws ends the run and reaches its caller.
  using Watcher = std::function<void(std::size_t done, std::size_t total)>;

  StepCounter(std::size_t total, Watcher watcher);
  void add(std::size_t steps);

 private:
  const std::size_t total_, interval_;
  const Watcher watcher_;
  std::atomic<std::size_t> done_{0};
  std::mutex telling_;
  std::size_t told_ = 0;
};

}  // namespace eco
