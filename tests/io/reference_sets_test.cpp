// The costs of solutions that other programs made and measured. ECO_REFERENCE_DIR may name a folder
// whose dev/ is a larger one of the same kind.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/problem/check.h"
#include "io/reader.h"
#include "paths.h"

namespace eco::io {
namespace {

std::map<std::string, std::vector<double>> stated_costs(const std::string& folder) {
  std::map<std::string, std::vector<double>> costs;
  std::ifstream table(folder + "/costs.csv");
  std::string row;
  std::getline(table, row);
  while (std::getline(table, row)) {
    std::istringstream cells(row);
    std::string file, index, cost;
    std::getline(cells, file, ',');
    std::getline(cells, index, ',');
    std::getline(cells, cost, ',');
    EXPECT_EQ(std::stoul(index), costs[file].size()) << row;
    costs[file].push_back(std::stod(cost));
  }
  return costs;
}

void expect_costs_agree(const std::string& folder) {
  const auto costs = stated_costs(folder);
  ASSERT_GE(costs.size(), 4U);
  for (const auto& [file, expected] : costs) {
    const auto reader = open_instances(std::filesystem::path(folder) / file);
    std::size_t index = 0;
    while (const auto instance = reader->next()) {
      ASSERT_LT(index, expected.size()) << file;
      ASSERT_TRUE(instance->reference) << file;
      const CheckResult result = check(*instance, *instance->reference);
      EXPECT_TRUE(result.feasible) << file << " " << index << ": " << result.reason;
      EXPECT_NEAR(result.cost, expected[index], 1e-6 * expected[index]) << file << " " << index;
      ++index;
    }
    EXPECT_EQ(index, expected.size()) << file;
  }
}

TEST(ReferenceSets, CostsOfTheEmbeddedSolutionsAgreeWithTheirTable) {
  expect_costs_agree(data_path("dev"));
}

TEST(ReferenceSets, CostsAgreeInTheFolderThatTheEnvironmentNames) {
  const char* folder = std::getenv("ECO_REFERENCE_DIR");
  if (folder == nullptr) GTEST_SKIP() << "ECO_REFERENCE_DIR is not set";
  expect_costs_agree(std::string(folder) + "/dev");
}

}  // namespace
}  // namespace eco::io
