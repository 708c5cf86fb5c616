#pragma once
// Runs of `eco bench solve` kept in a file, a JSON object a line, and taken from there next time: a
// long table survives being stopped, and what several processes have measured is one table.

#include <map>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace eco::cli {

// A program of others may end without a plan.
struct BenchRun {
  std::optional<double> cost;
  double seconds = 0;
};

class BenchRuns {
 public:
  // Without a name nothing is kept. A last line that was cut off is left out.
  explicit BenchRuns(std::string file);

  // `key`: all that the run depends on.
  [[nodiscard]] std::optional<BenchRun> find(const nlohmann::ordered_json& key) const;
  void add(const nlohmann::ordered_json& key, const BenchRun& run);

 private:
  std::string file_;
  std::map<std::string, BenchRun> runs_;
};

}  // namespace eco::cli
