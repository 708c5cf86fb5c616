#include "report/plot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "temporary_folder.h"

namespace eco {
namespace {

namespace fs = std::filesystem;

class Plot : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(path("run/sft"));
    fs::create_directories(path("run/improve"));
    std::ofstream(path("run/sft/metrics.jsonl"))
        << R"({"step":0,"kind":"validation","seconds":1,"instances":0,"gap":{"tsp20":{"one_end":50.0}},"mean_gap":50.0})"
        << "\n"
        << R"({"step":10,"kind":"train","seconds":5,"loss":1.0})"
        << "\n"
        << R"({"step":20,"kind":"validation","seconds":60,"instances":900,"gap":{"tsp20":{"one_end":9.0,"all_ends":8.0}},"mean_gap":8.0})"
        << "\n";
    std::ofstream(path("run/improve/metrics.jsonl"))
        << R"({"step":0,"kind":"validation","seconds":2,"instances":0,"gap":{"tsp20":9.0},"mean_gap":9.0})"
        << "\n"
        << R"({"step":5,"kind":"validation","seconds":40,"instances":100,"gap":{"tsp20":6.5},"mean_gap":6.0})"
        << "\n";
  }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  TemporaryFolder folder_;
};

TEST_F(Plot, StagesFollowOneAnother) {
  const RunCurve run = read_run(path("run"));
  EXPECT_EQ(run.name, "run");
  ASSERT_EQ(run.points.size(), 4U);
  EXPECT_EQ(run.points[1].gap, 8.0);
  EXPECT_FALSE(run.points[1].new_stage);
  EXPECT_TRUE(run.points[2].new_stage);
  EXPECT_EQ(run.points[3].seconds, 100);
  EXPECT_EQ(run.points[3].instances, 1000);
  EXPECT_EQ(read_run(path("run/improve")).points.size(), 2U);
  EXPECT_EQ(read_run(path("run/improve"), "tsp20").points[1].gap, 6.5);
  // As older runs wrote it: from one end, or from as many as the model said.
  EXPECT_EQ(read_run(path("run/sft/metrics.jsonl"), "tsp20").points[1].gap, 8.0);
}

TEST_F(Plot, FilesJoinedByCommasAreTheStagesOfOneRun) {
  const std::string sft = path("run/sft/metrics.jsonl"),
                    improve = path("run/improve/metrics.jsonl");
  std::ofstream(path("other.jsonl"))
      << R"({"step":9,"kind":"validation","seconds":7,"instances":3,"gap":{"tsp50":1.0},"mean_gap":1.0})"
      << "\n";
  const RunCurve run = read_run(path("other.jsonl") + "," + sft + "," + improve, "tsp20");
  EXPECT_EQ(run.name, "other");
  ASSERT_EQ(run.points.size(), 4U);  // the first stage has no such set, but its time counts
  EXPECT_EQ(run.points[0].seconds, 8);
  EXPECT_EQ(run.points[3].seconds, 107);
  EXPECT_EQ(run.points[3].instances, 1003);
  EXPECT_THROW((void)read_run(sft + "," + path("nowhere")), Error);
}

TEST_F(Plot, SaysWhatIsMissing) {
  EXPECT_THROW((void)read_run(path("nowhere")), Error);
  try {
    (void)read_run(path("run"), "tsp50");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("tsp20"), std::string::npos) << error.what();
  }
  std::ofstream(path("broken.jsonl")) << "not json\n";
  EXPECT_THROW((void)read_run(path("broken.jsonl")), Error);
  std::ofstream(path("empty.jsonl")) << "";
  EXPECT_THROW((void)read_run(path("empty.jsonl")), Error);
}

TEST_F(Plot, DrawsEveryRunInBothPanelsWithinTheFigure) {
  RunCurve odd{"a<b&c", {{0, 0, 0, false}, {7200, 5e6, -1, false}}};  // gaps a log axis cannot show
  const std::string svg = curves_svg({read_run(path("run")), odd}, "two runs");
  EXPECT_NE(svg.find("a&lt;b&amp;c"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  std::size_t curves = 0;
  for (auto at = svg.find("class='curve'"); at != std::string::npos;
       at = svg.find("class='curve'", at + 1)) {
    ++curves;
  }
  EXPECT_EQ(curves, 6U);  // two runs in two panels and the legend
}

}  // namespace
}  // namespace eco
