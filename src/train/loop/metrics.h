#pragma once
// The metrics of a run, one JSON object a line, flushed at once; and the progress line on stderr.

#include <cstdint>
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

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

// One line that is rewritten in place on a terminal, and a line every 30 s elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` in [0, 1]; `seconds`: any clock that goes on between two calls.
  void show(const std::string& text, double done, double seconds);
  // A line that stays.
  void say(const std::string& text);
  // A line that stays, also if all else is quiet.
  void warn(const std::string& text);

 private:
  void put_line(const std::string& text);

  bool quiet_, terminal_;
  TimeLeft left_;
  double last_ = -1e9;
  bool open_ = false;
};

// "2h05m", "3m20s", "12s"
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace eco::train
