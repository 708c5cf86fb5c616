#pragma once
// A fixed set of workers for loops over independent items. The caller takes part, so a pool of one
// runs everything inline. Items are handed out dynamically: results must not depend on which worker
// runs an item.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace eco {

class ThreadPool {
 public:
  // 0 means one thread per core the process may use.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] std::size_t size() const { return workers_.size() + 1; }

  // Calls body(item, worker) for item in [0, items), worker in [0, size()). Returns when all are
  // done; the first exception thrown by an item is rethrown here. One loop at a time per pool.
  void parallel_for(std::size_t items, const std::function<void(std::size_t, std::size_t)>& body);

 private:
  void work(std::size_t worker);
  void run_items(std::size_t worker);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t, std::size_t)>* body_ = nullptr;
  std::size_t items_ = 0;
  std::atomic<std::size_t> next_{0};
  std::size_t busy_ = 0;
  std::size_t generation_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

[[nodiscard]] std::size_t available_cores();

// More are refused wherever a user names a number: each costs memory, and none would help.
inline constexpr std::size_t kMostThreads = 4096;

}  // namespace eco
