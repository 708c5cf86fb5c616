#include "core/base/thread_pool.h"

#include <sched.h>

#include <algorithm>

namespace eco {

std::size_t available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(std::size_t threads) {
  if (threads == 0) threads = available_cores();
  workers_.reserve(threads - 1);
  for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(std::size_t items,
                              const std::function<void(std::size_t, std::size_t)>& body) {
  if (workers_.empty() || items <= 1) {
    for (std::size_t i = 0; i < items; ++i) body(i, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    items_ = items;
    next_.store(0);
    busy_ = workers_.size();
    failure_ = nullptr;
    ++generation_;
  }
  wake_.notify_all();
  run_items(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::run_items(std::size_t worker) {
  for (std::size_t i = next_.fetch_add(1); i < items_; i = next_.fetch_add(1)) {
    try {
      (*body_)(i, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_.store(items_);  // nothing more is started
    }
  }
}

void ThreadPool::work(std::size_t worker) {
  std::size_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    run_items(worker);
    {
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }
}

}  // namespace eco
