#include "report/metrics.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "report/plot.h"

namespace eco {

namespace {

namespace fs = std::filesystem;

// What is of the line itself and not measured.
const std::set<std::string>& line_fields() {
  static const std::set<std::string> fields{"step", "kind", "seconds", "instances"};
  return fields;
}

void flatten(const nlohmann::json& json, const std::string& prefix,
             std::map<std::string, double>& values) {
  for (const auto& [key, value] : json.items()) {
    if (prefix.empty() && line_fields().contains(key)) continue;
    if (value.is_number()) {
      values[prefix + key] = value.get<double>();
    } else if (value.is_object()) {
      flatten(value, prefix + key + ".", values);
    }
  }
}

std::string number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

double modified(const fs::path& file) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

void read_lines(const fs::path& file, RunMetrics& run) {
  const MetricsLine before = run.lines.empty() ? MetricsLine{} : run.lines.back();
  const std::string stage =
      file.filename() == "metrics.jsonl" ? file.parent_path().filename() : file.stem();
  const std::size_t first = run.lines.size();
  std::ifstream stream(file);
  std::string text;
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    const Location where{file.string(), number};
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) throw input_error(where, text, "a JSON object");
    const std::string kind = json.value("kind", "");
    if (kind != "train" && kind != "validation") continue;
    MetricsLine line;
    line.stage = stage;
    try {
      line.step = json.at("step").get<double>();
      line.seconds = before.seconds + json.at("seconds").get<double>();
      line.instances = before.instances + json.value("instances", 0.0);
    } catch (const nlohmann::json::exception& error) {
      throw input_error(where, std::string("not a line of metrics: ") + error.what());
    }
    flatten(json, "", line.values);
    run.lines.push_back(std::move(line));
  }
  if (run.lines.size() == first) return;
  const double end = modified(file), last = run.lines.back().seconds;
  for (std::size_t i = first; i < run.lines.size(); ++i) {
    run.lines[i].written = end - (last - run.lines[i].seconds);
  }
}

}  // namespace

RunMetrics read_metrics(const std::string& stages) {
  RunMetrics run;
  for (const std::string& file : metrics_files_of(stages, run.name)) read_lines(file, run);
  if (run.lines.empty()) throw Error(ErrorKind::input, stages + ": no metrics so far");
  return run;
}

std::vector<std::string> metric_names(const std::vector<RunMetrics>& runs) {
  std::set<std::string> names;
  for (const RunMetrics& run : runs) {
    for (const MetricsLine& line : run.lines) {
      for (const auto& [name, value] : line.values) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

Series metric_series(const RunMetrics& run, const std::string& metric, double unit) {
  Series series;
  series.name = run.name;
  std::string stage;
  for (const MetricsLine& line : run.lines) {
    const auto found = line.values.find(metric);
    if (found == line.values.end()) continue;
    if (!stage.empty() && line.stage != stage) series.rings.push_back(series.x.size());
    stage = line.stage;
    series.x.push_back(line.seconds / unit);
    series.y.push_back(found->second);
  }
  return series;
}

std::string metrics_csv(const std::vector<RunMetrics>& runs) {
  const auto cell = [](const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted_text = "\"";
    for (const char c : text) quoted_text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted_text + "\"";
  };
  std::string out = "run,stage,step,seconds,instances,metric,value\n";
  for (const RunMetrics& run : runs) {
    for (const MetricsLine& line : run.lines) {
      const std::string start = cell(run.name) + "," + cell(line.stage) + "," + number(line.step) +
                                "," + number(line.seconds) + "," + number(line.instances) + ",";
      for (const auto& [name, value] : line.values) {
        out += start + cell(name) + "," + number(value) + "\n";
      }
    }
  }
  return out;
}

}  // namespace eco
