#pragma once
// The metrics of a run, one JSON object a line, flushed at once; and the progress of the run.

#include <cstdint>
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "report/progress.h"

namespace eco::train {

class MetricsLog {
 public:
  // Of a run that is resumed at a step, keeps the lines up to it: the run will write the later ones
  // again. Nothing: starts an empty file.
  MetricsLog(const std::string& path, std::optional<std::uint64_t> resumed_at);
  ~MetricsLog();
  MetricsLog(const MetricsLog&) = delete;
  MetricsLog& operator=(const MetricsLog&) = delete;

  // `line` must have a "step". Throws eco::Error (resource) if it cannot be written.
  void write(const nlohmann::ordered_json& line);

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

// What a run says on stderr: its progress line, and lines that stay.
class TrainingProgress {
 public:
  explicit TrainingProgress(bool quiet);

  // `done` in [0, 1]; `seconds`: any clock that goes on between two calls.
  void show(const std::string& text, double done, double seconds);
  void say(const std::string& text);
  void warn(const std::string& text);  // also if all else is quiet

 private:
  bool quiet_;
  ProgressLine line_;
  TimeLeft left_;
};

}  // namespace eco::train
