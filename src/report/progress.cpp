#include "report/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace eco {

namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

std::chrono::steady_clock::duration seconds_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

ProgressLine::ProgressLine(bool shown, Pace pace)
    : shown_(shown), pace_(pace), next_(Clock::now() + seconds_of(pace.first)) {}

ProgressLine::~ProgressLine() {
  if (open_) (void)std::fputs(kEraseLine, stderr);
}

bool ProgressLine::on_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

bool ProgressLine::due() const {
  return shown_ && Clock::now() >= next_;
}

void ProgressLine::draw(const std::string& text) {
  const bool terminal = on_terminal();
  next_ = Clock::now() + seconds_of(terminal ? pace_.terminal : pace_.elsewhere);
  (void)std::fprintf(stderr, "%s%s%s", terminal ? kEraseLine : "", text.c_str(),
                     terminal ? "" : "\n");
  (void)std::fflush(stderr);
  open_ = terminal;
}

void ProgressLine::say(const std::string& text) {
  (void)std::fprintf(stderr, "%s%s\n", open_ ? kEraseLine : "", text.c_str());
  open_ = false;
}

std::optional<double> TimeLeft::seconds(double done, double seconds) {
  if (!first_done_) {
    first_done_ = done;
    first_seconds_ = seconds;
  }
  if (done <= *first_done_) return std::nullopt;
  return (seconds - first_seconds_) * (1 - done) / (done - *first_done_);
}

std::string duration_text(double seconds) {
  const auto total = std::lround(seconds);
  char text[32];
  if (total >= 3600) {
    (void)std::snprintf(text, sizeof text, "%ldh%02ldm", total / 3600, total / 60 % 60);
  } else if (total >= 60) {
    (void)std::snprintf(text, sizeof text, "%ldm%02lds", total / 60, total % 60);
  } else {
    (void)std::snprintf(text, sizeof text, "%lds", total);
  }
  return text;
}

}  // namespace eco
