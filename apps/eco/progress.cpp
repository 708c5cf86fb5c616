#include "eco/progress.h"

#include <utility>

namespace eco::cli {

Progress::Progress(const Session& session, std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      line_(!session.common().quiet && (ProgressLine::on_terminal() || session.common().progress),
            {0.2, 0.2, 2}) {}

void Progress::advance(std::size_t items) {
  done_ += items;
  if (line_.due()) draw();
}

void Progress::reach(const std::string& what, double share, double cost) {
  what_ = what;
  share_ = share;
  cost_ = cost;
  if (share > 0 && line_.due()) draw();  // before that there is nothing to reckon with
}

void Progress::draw() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (share_ > 0) {
    std::string text = fmt::format("{} {:.0f}%, ETA {}", what_, 100 * share_,
                                   duration_text(seconds / share_ - seconds));
    if (cost_ > 0) text += fmt::format(", cost {:.6g}", cost_);
    line_.draw(text);
    return;
  }
  const double rate = static_cast<double>(done_) / seconds;
  std::string text = fmt::format("{} {}", what_, done_);
  if (total_ >= done_) {
    const double left = static_cast<double>(total_ - done_) / rate;
    text +=
        fmt::format("/{} ({:.0f}%), ETA {}", total_, 100.0 * done_ / total_, duration_text(left));
  }
  line_.draw(text + fmt::format(", {:.{}f}/s", rate, rate < 100 ? 1 : 0));
}

}  // namespace eco::cli
