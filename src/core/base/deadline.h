#pragma once
// When to stop: a point in time, a request to cancel, or never. Cheap enough to ask in inner loops
// every few hundred steps.

#include <chrono>
#include <limits>
#include <stop_token>
#include <utility>

namespace eco {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never, unless cancelled
  static Deadline after(double seconds, std::stop_token cancel = {}) {
    Deadline deadline;
    deadline.end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds));
    deadline.cancel_ = std::move(cancel);
    return deadline;
  }
  static Deadline when_cancelled(std::stop_token cancel) {
    Deadline deadline;
    deadline.cancel_ = std::move(cancel);
    return deadline;
  }

  [[nodiscard]] bool cancelled() const { return cancel_.stop_requested(); }
  [[nodiscard]] bool reached() const {
    return cancelled() || (end_ != Clock::time_point::max() && Clock::now() >= end_);
  }
  [[nodiscard]] double seconds_left() const {
    if (end_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(end_ - Clock::now()).count();
  }

 private:
  Clock::time_point end_ = Clock::time_point::max();
  std::stop_token cancel_;
};

}  // namespace eco
