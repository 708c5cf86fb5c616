#pragma once
// The line on stderr that says how far a long work is: rewritten in place on a terminal, one line
// after the other elsewhere.

#include <chrono>
#include <optional>
#include <string>

namespace eco {

class ProgressLine {
 public:
  // Least seconds before the first drawing, and between two on a terminal and elsewhere.
  struct Pace {
    double first, terminal, elsewhere;
  };
  ProgressLine(bool shown, Pace pace);
  ~ProgressLine();  // the line is gone when the work is
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  [[nodiscard]] static bool on_terminal();
  [[nodiscard]] bool due() const;
  void draw(const std::string& text);
  void say(const std::string& text);  // a line that stays, shown or not

 private:
  using Clock = std::chrono::steady_clock;

  bool shown_, open_ = false;
  Pace pace_;
  Clock::time_point next_;
};

// How long the rest will take, at the pace since the first call: what came before that (labels, the
// first step with its empty caches) says nothing about the pace.
class TimeLeft {
 public:
  // `done` in [0, 1] after `seconds`; nothing before there is a pace.
  [[nodiscard]] std::optional<double> seconds(double done, double seconds);

 private:
  std::optional<double> first_done_;
  double first_seconds_ = 0;
};

// "2h05m", "3m20s", "12s"
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace eco
