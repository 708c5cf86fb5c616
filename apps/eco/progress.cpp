#include "eco/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <utility>

namespace eco::cli {

namespace {

constexpr auto kBetweenDraws = std::chrono::milliseconds(200);
constexpr auto kBetweenLines = std::chrono::seconds(2);  // where the line cannot be overwritten

}  // namespace

std::string clock_text(double seconds) {
  const long whole = std::lround(seconds);
  const long hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

Progress::Progress(const Session& session, std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1) {
  shown_ = !session.common().quiet && (terminal_ || session.common().progress);
  next_draw_ = start_ + kBetweenDraws;
}

Progress::~Progress() {
  if (!drawn_) return;
  if (terminal_) (void)std::fputs("\r\x1b[K", stderr);
}

void Progress::advance(std::size_t items) {
  done_ += items;
  draw_if_due();
}

void Progress::reach(const std::string& what, double share, double cost) {
  what_ = what;
  share_ = share;
  cost_ = cost;
  if (share > 0) draw_if_due();  // before that there is nothing to reckon with
}

void Progress::draw_if_due() {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (now >= next_draw_) draw(now);
}

void Progress::draw(Clock::time_point now) {
  next_draw_ = now + (terminal_ ? Clock::duration(kBetweenDraws) : Clock::duration(kBetweenLines));
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line;
  if (share_ > 0) {
    const double left = seconds / share_ - seconds;
    line = fmt::format("{} {:.0f}%, ETA {}", what_, 100 * share_, clock_text(left));
    if (cost_ > 0) line += fmt::format(", cost {:.6g}", cost_);
  } else {
    const double rate = static_cast<double>(done_) / seconds;
    line = fmt::format("{} {}", what_, done_);
    if (total_ >= done_) {
      const double left = static_cast<double>(total_ - done_) / rate;
      line +=
          fmt::format("/{} ({:.0f}%), ETA {}", total_, 100.0 * done_ / total_, clock_text(left));
    }
    line += rate < 100 ? fmt::format(", {:.1f}/s", rate) : fmt::format(", {:.0f}/s", rate);
  }
  (void)std::fprintf(stderr, terminal_ ? "\r\x1b[K%s" : "%s\n", line.c_str());
  (void)std::fflush(stderr);
}

}  // namespace eco::cli
