#include "train/loop/metrics.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "io/atomic_file.h"

namespace eco::train {

namespace {

void keep_lines_up_to(const std::string& path, std::uint64_t step) {
  std::ifstream old(path);
  if (!old) return;
  std::string kept;
  for (std::string line; std::getline(old, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_object() && json.value("step", ~std::uint64_t{0}) <= step) kept += line + "\n";
  }
  io::AtomicFile file(path);
  file.write(kept);
  file.commit();
}

}  // namespace

MetricsLog::MetricsLog(const std::string& path, std::optional<std::uint64_t> resumed_at)
    : path_(path) {
  if (resumed_at) keep_lines_up_to(path, *resumed_at);
  file_ = std::fopen(path.c_str(), resumed_at ? "ab" : "wb");
  if (file_ == nullptr) {
    throw Error(ErrorKind::resource, path + ": cannot open: " + std::strerror(errno));
  }
}

MetricsLog::~MetricsLog() {
  (void)std::fclose(file_);
}

void MetricsLog::write(const nlohmann::ordered_json& line) {
  const std::string text = line.dump() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
    throw Error(ErrorKind::resource, path_ + ": cannot write: " + std::strerror(errno));
  }
}

std::optional<double> TimeLeft::seconds(double done, double seconds) {
  if (!first_done_) {
    first_done_ = done;
    first_seconds_ = seconds;
  }
  if (done <= *first_done_) return std::nullopt;
  return (seconds - first_seconds_) * (1 - done) / (done - *first_done_);
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (open_) (void)std::fputc('\n', stderr);
}

void Progress::show(const std::string& text, double done, double seconds) {
  constexpr double kTerminalSeconds = 0.5, kLogSeconds = 30;
  const std::optional<double> seconds_left = left_.seconds(done, seconds);
  if (quiet_ || seconds - last_ < (terminal_ ? kTerminalSeconds : kLogSeconds)) return;
  last_ = seconds;
  const std::string left = seconds_left ? duration_text(*seconds_left) + " left" : "starting";
  std::fprintf(stderr, terminal_ ? "\r%3.0f%%  %s  %s\033[K" : "%3.0f%%  %s  %s\n", 100 * done,
               text.c_str(), left.c_str());
  open_ = terminal_;
}

void Progress::say(const std::string& text) {
  if (!quiet_) put_line(text);
}

void Progress::warn(const std::string& text) {
  put_line("eco-train: " + text);
}

void Progress::put_line(const std::string& text) {
  std::fprintf(stderr, "%s%s\n", open_ ? "\r\033[K" : "", text.c_str());
  open_ = false;
}

std::string duration_text(double seconds) {
  const auto total = static_cast<long>(seconds + 0.5);
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

}  // namespace eco::train
