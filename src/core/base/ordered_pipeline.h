#pragma once
// A stream of items worked on in parallel and delivered in order, in bounded memory: at most
// `window` items are between their making and their delivery. For jobs whose items come from a
// file, take uneven time, and must come out as if one thread had done them.

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace eco {

struct PipelineLimits {
  std::size_t threads = 1;
  std::size_t window = 64;   // at least `threads` are used
  std::stop_token cancel{};  // nothing new is started, and what is under way is not delivered
};

// make() -> std::optional<Item>: the next item; one call at a time, in order; nothing at the end.
// work(Item&&, index) -> Result: in parallel; index counts from 0.
// deliver(Result&&, index): one call at a time, in order.
// If anything throws, items before it are still delivered, later ones are not, and the exception of
// the earliest item is rethrown: what was delivered does not depend on the number of threads.
template <class Make, class Work, class Deliver>
void ordered_pipeline(const PipelineLimits& limits, Make make, Work work, Deliver deliver) {
  using Item = typename decltype(make())::value_type;
  using Result = decltype(work(std::declval<Item>(), std::size_t{0}));
  struct Slot {
    std::optional<Result> result;
    std::exception_ptr failure;
    bool ready = false;
  };

  const std::size_t threads = std::max<std::size_t>(1, limits.threads);
  std::vector<Slot> slots(std::max(limits.window, threads));
  std::mutex making, mutex;  // `making` serialises make() alone; `mutex` guards what follows
  std::condition_variable room;
  std::size_t made = 0, delivered = 0;
  bool delivering = false, ended = false;
  std::exception_ptr failure;

  // Delivers what is ready at the head. One thread at a time does it, without holding the lock.
  const auto deliver_ready = [&](std::unique_lock<std::mutex>& lock) {
    if (delivering) return;
    delivering = true;
    while (!failure && !limits.cancel.stop_requested()) {
      Slot& slot = slots[delivered % slots.size()];
      if (!slot.ready) break;
      if (slot.failure) {
        failure = slot.failure;
        break;
      }
      lock.unlock();
      std::exception_ptr problem;
      try {
        deliver(std::move(*slot.result), delivered);
      } catch (...) {
        problem = std::current_exception();
      }
      lock.lock();
      slot = {};
      if (problem) failure = problem;
      ++delivered;
      room.notify_all();
    }
    delivering = false;
    if (failure) ended = true;
    room.notify_all();
  };

  const auto run = [&] {
    for (;;) {
      std::optional<Item> item;
      std::exception_ptr problem;
      std::size_t index = 0;
      {
        const std::lock_guard order(making);
        std::unique_lock lock(mutex);
        room.wait(lock, [&] {
          return ended || limits.cancel.stop_requested() || made - delivered < slots.size();
        });
        if (ended || limits.cancel.stop_requested()) return;
        lock.unlock();
        try {
          item = make();
        } catch (...) {
          problem = std::current_exception();
        }
        lock.lock();
        if (!item) ended = true;
        if (!item && !problem) return;
        index = made++;
      }
      std::optional<Result> result;
      if (!problem) {
        try {
          result = work(std::move(*item), index);
        } catch (...) {
          problem = std::current_exception();
        }
      }
      std::unique_lock lock(mutex);
      if (problem) ended = true;
      slots[index % slots.size()] = {std::move(result), problem, true};
      deliver_ready(lock);
    }
  };

  {
    std::vector<std::jthread> workers;
    workers.reserve(threads - 1);
    for (std::size_t i = 1; i < threads; ++i) workers.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace eco
