#include "core/infer/step_counter.h"

#include <algorithm>
#include <utility>

namespace eco {

namespace {

constexpr std::size_t kReportsARun = 200;

}  // namespace

StepCounter::StepCounter(std::size_t total, Watcher watcher)
    : total_(total), interval_(total / kReportsARun + 1), watcher_(std::move(watcher)) {}

void StepCounter::add(std::size_t steps) {
  done_.fetch_add(steps, std::memory_order_relaxed);
  if (!watcher_) return;
  const std::unique_lock lock(telling_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  // Depot visits are steps too, so a plan of routes may count beyond its nodes.
  const std::size_t done = std::min(done_.load(std::memory_order_relaxed), total_);
  if (done < told_ + interval_) return;
  told_ = done;
  watcher_(done, total_);
}

}  // namespace eco
