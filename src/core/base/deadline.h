#pragma once
// When to stop: a point in time, a request to cancel, or never. Cheap enough to ask in inner loops
// every few hundred steps.

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>
#include <stop_token>
#include <utility>

namespace eco {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  // More seconds than this, about thirty years, are no limit: the clock's own range ends after
  // three hundred, and adding to it must not overflow.
  static constexpr double kLongest = 1e9;

  Deadline() = default;  // never, unless cancelled
  // Reached at once if `seconds` is 0 or less. Not for NaN.
  static Deadline after(double seconds, std::stop_token cancel = {}) {
    assert(!std::isnan(seconds));
    Deadline deadline = when_cancelled(std::move(cancel));
    if (seconds > kLongest) return deadline;
    deadline.end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(std::max(seconds, 0.0)));
    return deadline;
  }
  static Deadline when_cancelled(std::stop_token cancel) {
    Deadline deadline;
    deadline.cancel_ = std::move(cancel);
    return deadline;
  }

  // The same, so many seconds earlier: what comes after needs them.
  [[nodiscard]] Deadline sooner_by(double seconds) const {
    Deadline deadline = *this;
    if (!limited()) return deadline;
    deadline.end_ -= std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongest)));
    return deadline;
  }

  // There is a point in time.
  [[nodiscard]] bool limited() const { return end_ != Clock::time_point::max(); }
  [[nodiscard]] bool cancelled() const { return cancel_.stop_requested(); }
  [[nodiscard]] bool reached() const { return cancelled() || (limited() && Clock::now() >= end_); }
  [[nodiscard]] double seconds_left() const {
    if (!limited()) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(end_ - Clock::now()).count();
  }

 private:
  Clock::time_point end_ = Clock::time_point::max();
  std::stop_token cancel_;
};

}  // namespace eco
