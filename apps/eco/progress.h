#pragma once
// A line on stderr with what is done, how fast, and when it will be over. Shown on a terminal or
// with --progress, never with --quiet; gone when the work is.

#include <chrono>
#include <cstddef>
#include <string>

#include "eco/verb.h"
#include "report/progress.h"

namespace eco::cli {

class Progress {
 public:
  // total 0: unknown, no ETA.
  Progress(const Session& session, std::string what, std::size_t total);

  void advance(std::size_t items = 1);  // from one thread at a time
  // Instead, for work that is not made of items: how much of what is done, 0 to 1, and the cost of
  // the best so far (0: none yet).
  void reach(const std::string& what, double share, double cost);

 private:
  using Clock = std::chrono::steady_clock;
  void draw();

  std::string what_;
  std::size_t total_, done_ = 0;
  double share_ = 0, cost_ = 0;
  Clock::time_point start_ = Clock::now();
  ProgressLine line_;
};

}  // namespace eco::cli
