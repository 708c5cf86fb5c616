// What the weights inside eco cost on instances of every kind, pinned (tests/data/golden.csv,
// scripts/golden.sh): a change of weights or decoding shows here, and nothing else may.

#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "paths.h"
#include "run.h"

namespace eco {
namespace {

struct GoldenRow {
  std::string instances, effort;
  double cost = 0;
};

struct Golden {
  std::string library;  // version of the C library, whose exp and log take part
  std::vector<GoldenRow> rows;
};

Golden read_golden() {
  constexpr std::string_view kExact = "# exact with glibc ";
  Golden golden;
  std::ifstream file(data_path("golden.csv"));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kExact)) golden.library = line.substr(kExact.size());
    if (line.starts_with('#') || line.starts_with("instances,")) continue;
    GoldenRow& row = golden.rows.emplace_back();
    std::istringstream fields(line);
    std::getline(fields, row.instances, ',');
    std::getline(fields, row.effort, ',');
    fields >> row.cost;
  }
  return golden;
}

std::string file_of(const GoldenRow& row, const TemporaryFolder& folder) {
  if (row.instances.find('/') != std::string::npos) return source_path(row.instances);
  std::vector<std::string> arguments{"generate"};
  std::istringstream words(row.instances);
  for (std::string word; words >> word;) arguments.push_back(word);
  const std::string path = folder.path("generated.jsonl");
  arguments.insert(arguments.end(), {"--out", path});
  EXPECT_EQ(run_eco(arguments).code, 0) << row.instances;
  return path;
}

TEST(Golden, TheWeightsInsideCostWhatTheyCostBefore) {
  const Golden golden = read_golden();
  ASSERT_GE(golden.rows.size(), 15U);
  const double tolerance = golden.library == gnu_get_libc_version() ? 1e-9 : 5e-3;
  for (const GoldenRow& row : golden.rows) {
    const TemporaryFolder folder;
    const RunResult run = run_eco({"eval", file_of(row, folder), "--effort", row.effort, "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const double cost = nlohmann::json::parse(run.out).at("mean_cost");
    EXPECT_NEAR(cost, row.cost, tolerance * row.cost) << row.instances << ", " << row.effort;
  }
}

}  // namespace
}  // namespace eco
