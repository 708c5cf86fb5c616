#pragma once
// Where the time goes: seconds by named part since the last report, and since the start. The parts
// are wall-clock; the whole is, or is the processor time of all threads.

#include <chrono>
#include <ctime>
#include <map>
#include <string>
#include <utility>

namespace eco::train {

class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Stopwatch(bool cpu = false) : cpu_(cpu) { restart(); }

  [[nodiscard]] double seconds() const { return now() - start_; }
  // seconds() counts from here.
  void restart() { start_ = now(); }

  // Runs the body and books its time under the name.
  template <class Body>
  decltype(auto) time(const char* part, Body&& body) {
    const Booking booking{*this, part, Clock::now()};
    return std::forward<Body>(body)();
  }

  // Seconds by part since the last call.
  [[nodiscard]] std::map<std::string, double> take() { return std::exchange(parts_, {}); }

 private:
  struct Booking {
    Stopwatch& watch;
    const char* part;
    Clock::time_point begin;
    ~Booking() {
      watch.parts_[part] += std::chrono::duration<double>(Clock::now() - begin).count();
    }
  };
  [[nodiscard]] double now() const {
    if (!cpu_) return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    timespec time{};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  bool cpu_;
  double start_ = 0;
  std::map<std::string, double> parts_;
};

}  // namespace eco::train
