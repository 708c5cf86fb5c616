#pragma once
// Where the time goes: seconds by named part since the last report, and since the start.

#include <chrono>
#include <map>
#include <string>

namespace eco::train {

class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] double seconds() const { return since(start_); }
  // seconds() counts from here.
  void restart() { start_ = Clock::now(); }

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
    ~Booking() { watch.parts_[part] += since(begin); }
  };
  static double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Clock::time_point start_ = Clock::now();
  std::map<std::string, double> parts_;
};

}  // namespace eco::train
