#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "report/plot.h"

namespace eco {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> metrics_files(const fs::path& path) {
  if (fs::is_regular_file(path)) return {path};
  if (fs::exists(path / "metrics.jsonl")) return {path / "metrics.jsonl"};
  std::vector<fs::path> files;
  for (const char* stage : {"sft", "dpo"}) {
    if (fs::exists(path / stage / "metrics.jsonl")) files.push_back(path / stage / "metrics.jsonl");
  }
  return files;
}

// Of one line: the gap of a set, or the mean of all. Older runs give a set several numbers.
double gap_of(const nlohmann::json& line, const std::string& set, const Location& where) {
  if (set.empty()) return line.at("mean_gap").get<double>();
  const auto& gaps = line.at("gap");
  if (!gaps.contains(set)) {
    std::string known;
    for (const auto& [name, value] : gaps.items())
      known.append(known.empty() ? "" : ", ").append(name);
    throw input_error(where, set, "one of the held-out sets: " + known);
  }
  const auto& gap = gaps.at(set);
  if (gap.is_number()) return gap.get<double>();
  return gap.at(gap.contains("all_ends") ? "all_ends" : "one_end").get<double>();
}

void read_stage(const fs::path& file, const std::string& set, RunCurve& run) {
  const double seconds = run.points.empty() ? 0 : run.points.back().seconds;
  const double instances = run.points.empty() ? 0 : run.points.back().instances;
  bool first = !run.points.empty();
  std::ifstream stream(file);
  std::string text;
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    const Location where{file.string(), number};
    const auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object()) throw input_error(where, text, "a JSON object");
    if (line.value("kind", "") != "validation") continue;
    try {
      run.points.push_back({seconds + line.at("seconds").get<double>(),
                            instances + line.at("instances").get<double>(),
                            gap_of(line, set, where), std::exchange(first, false)});
    } catch (const nlohmann::json::exception& error) {
      throw input_error(where, std::string("not a line of metrics: ") + error.what());
    }
  }
}

}  // namespace

RunCurve read_run(const std::string& path, const std::string& set) {
  RunCurve run;
  const fs::path folder = fs::path(path).lexically_normal();
  run.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  const auto files = fs::exists(path) ? metrics_files(path) : std::vector<fs::path>{};
  if (files.empty()) throw Error(ErrorKind::input, path + ": no metrics.jsonl of a run");
  for (const fs::path& file : files) read_stage(file, set, run);
  if (run.points.empty()) throw Error(ErrorKind::input, path + ": no validation so far");
  return run;
}

}  // namespace eco
