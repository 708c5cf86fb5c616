#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "core/base/error.h"
#include "report/plot.h"

namespace eco {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> metrics_files(const fs::path& path) {
  if (fs::is_regular_file(path)) return {path};
  if (fs::exists(path / "metrics.jsonl")) return {path / "metrics.jsonl"};
  std::vector<fs::path> files;
  // Older runs call the second stage dpo.
  for (const char* stage : {"sft", "dpo", "improve"}) {
    if (fs::exists(path / stage / "metrics.jsonl")) files.push_back(path / stage / "metrics.jsonl");
  }
  return files;
}

// Of one line: the gap of a set, or the mean of all; none if it has no such set. Older runs give a
// set several numbers.
std::optional<double> gap_of(const nlohmann::json& line, const std::string& set,
                             std::set<std::string>& known) {
  if (set.empty()) return line.at("mean_gap").get<double>();
  const auto& gaps = line.at("gap");
  for (const auto& [name, value] : gaps.items()) known.insert(name);
  if (!gaps.contains(set)) return std::nullopt;
  const auto& gap = gaps.at(set);
  if (gap.is_number()) return gap.get<double>();
  return gap.at(gap.contains("all_ends") ? "all_ends" : "one_end").get<double>();
}

// Where a stage begins and ends. Stages that never judged the set count, too.
struct Reached {
  double seconds = 0, instances = 0;
};

Reached read_stage(const fs::path& file, const std::string& set, const Reached& before,
                   RunCurve& run, std::set<std::string>& known) {
  Reached reached = before;
  bool first = !run.points.empty();
  std::ifstream stream(file);
  std::string text;
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    const Location where{file.string(), number};
    const auto line = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object()) throw input_error(where, text, "a JSON object");
    if (line.value("kind", "") != "validation") continue;
    try {
      reached = {before.seconds + line.at("seconds").get<double>(),
                 before.instances + line.at("instances").get<double>()};
      if (const auto gap = gap_of(line, set, known)) {
        run.points.push_back(
            {reached.seconds, reached.instances, *gap, std::exchange(first, false)});
      }
    } catch (const nlohmann::json::exception& error) {
      throw input_error(where, std::string("not a line of metrics: ") + error.what());
    }
  }
  return reached;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

std::string name_of(const std::string& path) {
  const fs::path clean = fs::path(path).lexically_normal();
  const fs::path last = clean.has_filename() ? clean : clean.parent_path();
  return (last.extension() == ".jsonl" ? last.stem() : last.filename()).string();
}

}  // namespace

std::vector<std::string> metrics_files_of(const std::string& stages, std::string& name) {
  std::vector<std::string> all;
  for (const std::string& path : split(stages)) {
    if (name.empty()) name = name_of(path);
    const auto files = fs::exists(path) ? metrics_files(path) : std::vector<fs::path>{};
    if (files.empty()) throw Error(ErrorKind::input, path + ": no metrics.jsonl of a run");
    std::transform(files.begin(), files.end(), std::back_inserter(all),
                   [](const fs::path& file) { return file.string(); });
  }
  return all;
}

RunCurve read_run(const std::string& stages, const std::string& set) {
  RunCurve run;
  Reached reached;
  std::set<std::string> known;
  for (const std::string& file : metrics_files_of(stages, run.name)) {
    reached = read_stage(file, set, reached, run, known);
  }
  if (run.points.empty() && known.empty()) {
    throw Error(ErrorKind::input, stages + ": no validation so far");
  }
  if (run.points.empty()) {
    std::string names;
    for (const std::string& name : known) names.append(names.empty() ? "" : ", ").append(name);
    throw Error(ErrorKind::input,
                stages + ": found no held-out set " + set + ", expected one of " + names);
  }
  return run;
}

}  // namespace eco
