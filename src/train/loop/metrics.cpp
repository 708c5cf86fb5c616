#include "train/loop/metrics.h"

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

TrainingProgress::TrainingProgress(bool quiet) : quiet_(quiet), line_(!quiet, {0, 0.5, 30}) {}

void TrainingProgress::show(const std::string& text, double done, double seconds) {
  const std::optional<double> left = left_.seconds(done, seconds);
  if (!line_.due()) return;
  char percent[16];
  (void)std::snprintf(percent, sizeof percent, "%3.0f%%", 100 * done);
  line_.draw(std::string(percent) + "  " + text + "  " +
             (left ? duration_text(*left) + " left" : "starting"));
}

void TrainingProgress::say(const std::string& text) {
  if (!quiet_) line_.say(text);
}

void TrainingProgress::warn(const std::string& text) {
  line_.say("eco-train: " + text);
}

}  // namespace eco::train
