#include "eco/bench_runs.h"

#include <fstream>
#include <utility>

#include "core/base/error.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

// Takes what is no key out of the line.
BenchRun run_of(Json& line) {
  BenchRun run;
  if (!line.at("cost").is_null()) run.cost = line.at("cost").get<double>();
  run.seconds = line.at("seconds").get<double>();
  line.erase("cost");
  line.erase("seconds");
  return run;
}

}  // namespace

BenchRuns::BenchRuns(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  std::ifstream stream(file_);
  std::string text;
  for (std::size_t number = 1; std::getline(stream, text); ++number) {
    if (text.empty()) continue;
    try {
      Json line = Json::parse(text);
      const BenchRun run = run_of(line);
      runs_[line.dump()] = run;
    } catch (const Json::exception&) {
      if (stream.eof()) break;
      throw input_error({file_, number}, text, "a run of eco bench solve: a JSON object");
    }
  }
  if (!std::ofstream(file_, std::ios::app)) {
    throw Error(ErrorKind::resource, file_ + ": cannot be written");
  }
}

std::optional<BenchRun> BenchRuns::find(const Json& key) const {
  const auto found = runs_.find(key.dump());
  return found == runs_.end() ? std::nullopt : std::optional(found->second);
}

// Begins with a line break, so that a line which was cut off stays alone.
void BenchRuns::add(const Json& key, const BenchRun& run) {
  if (file_.empty()) return;
  Json line = key;
  line["cost"] = run.cost ? Json(*run.cost) : Json(nullptr);
  line["seconds"] = run.seconds;
  std::ofstream stream(file_, std::ios::app);
  stream << '\n' << line.dump() << std::flush;
  if (!stream) throw Error(ErrorKind::resource, file_ + ": cannot be written");
}

}  // namespace eco::cli
