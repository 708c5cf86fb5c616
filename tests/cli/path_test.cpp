// Open paths through the real binary.

#include <gtest/gtest.h>

#include "cli/run.h"

namespace eco {
namespace {

TEST(PathCli, APathIsGeneratedSolvedCheckedAndDrawn) {
  const TemporaryFolder folder;
  const std::string file = folder.path("way.json"), out = folder.path("way.tour");
  ASSERT_EQ(run_eco({"generate", "path", "--nodes", "40", "--out", file}).code, 0);
  for (const char* method : {"auto", "expert", "policy", "nn"}) {
    const RunResult solved = run_eco({"solve", file, "--method", method, "--refine", "--out", out});
    EXPECT_EQ(solved.code, 0) << solved.err;
    EXPECT_TRUE(contains(solved.out, "path, 40 nodes")) << solved.out;
    const RunResult checked = run_eco({"check", file, out});
    EXPECT_EQ(checked.code, 0) << checked.out;
  }
  EXPECT_EQ(run_eco({"convert", file, folder.path("way.svg"), "--solution", out}).code, 0);
  EXPECT_FALSE(contains(read_text(folder.path("way.svg")), "Z\"/>")) << "a path does not close";
}

TEST(PathCli, GivenEndsAreKeptAndTheCheckerSaysWhereTheyAreNot) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "way.json", R"({"problem":"path","nodes":[[0,0],[2,0],[1,0],[3,0]],"start":3,"end":4})");
  const RunResult solved = run_eco({"solve", file, "--out", "-"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_TRUE(contains(solved.out, "TOUR_SECTION\n3\n1\n2\n4\n-1")) << solved.out;
  const std::string wrong = folder.write("wrong.json", R"({"path":[1,3,2,4]})");
  const RunResult checked = run_eco({"check", file, wrong});
  EXPECT_EQ(checked.code, 1);
  EXPECT_TRUE(contains(checked.out, "starts at node 1, expected node 3")) << checked.out;
}

TEST(PathCli, LinesHaveNoPlaceForAPath) {
  const TemporaryFolder folder;
  const RunResult result =
      run_eco({"generate", "path", "--nodes", "5", "--out", folder.path("a.txt")});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(contains(result.err, ".tsp or .json")) << result.err;
}

}  // namespace
}  // namespace eco
