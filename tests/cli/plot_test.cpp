#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run.h"

namespace eco {
namespace {

TEST(Plot, TellsInJsonWhatItDrew) {
  const TemporaryFolder folder;
  const std::string metrics = folder.write(
      "metrics.jsonl",
      R"({"step":0,"kind":"validation","seconds":0,"instances":0,"gap":{},"mean_gap":9.5})"
      "\n"
      R"({"step":3,"kind":"resume","seconds":1,"changed":{"sft.rate":{"from":"1","to":"2"}}})"
      "\n"
      R"({"step":5,"kind":"validation","seconds":2,"instances":10,"gap":{},"mean_gap":3.5})"
      "\n"
      R"({"step":9,"kind":"validation","seconds":4,"instances":20,"gap":{},"mean_gap":4.5})"
      "\n");
  const std::string out = folder.path("curves.svg");
  const RunResult result = run_eco({"plot", metrics, "--out", out, "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto found = nlohmann::json::parse(result.out);
  EXPECT_EQ(found["out"], out);
  ASSERT_EQ(found["runs"].size(), 1U);
  EXPECT_EQ(found["runs"][0]["validations"], 3);
  EXPECT_EQ(found["runs"][0]["last_gap_percent"], 4.5);
  EXPECT_EQ(found["runs"][0]["best_gap_percent"], 3.5);
  EXPECT_EQ(found["runs"][0]["best_after_seconds"], 2);
  EXPECT_FALSE(read_text(out).empty());
  // Two results cannot share standard output.
  EXPECT_EQ(run_eco({"plot", metrics, "--out", "-", "--json"}).code, 2);
  EXPECT_TRUE(contains(run_eco({"plot", metrics, "--out", "-"}).out, "<svg"));
}

TEST(Plot, ExportsNumbersAndDrawsAnyMetricWithBands) {
  const TemporaryFolder folder;
  const auto metrics = [&](const std::string& name, const std::string& loss) {
    return folder.write(
        name, R"({"step":1,"kind":"train","seconds":1,"instances":5,"loss":)" + loss + "}\n" +
                  R"({"step":2,"kind":"train","seconds":9,"instances":9,"loss":0.5})" + "\n");
  };
  const std::string one = metrics("one.jsonl", "2.5"), two = metrics("two.jsonl", "3.5");
  const RunResult table = run_eco({"plot", one, two, "--csv", "-"});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "one,one,1,1,5,loss,2.5\n"));
  EXPECT_TRUE(contains(table.out, "two,two,1,1,5,loss,3.5\n"));

  const std::string events = folder.path("events"), figure = folder.path("loss.svg");
  const RunResult drawn = run_eco(
      {"plot", one + "+" + two, "--metric", "loss", "--out", figure, "--tensorboard", events});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(contains(read_text(figure), "fill-opacity"));  // the band
  EXPECT_TRUE(contains(read_text(events + "/two/events.out.tfevents.0.eco"), "brain.Event:2"));

  const RunResult unknown = run_eco({"plot", one, "--metric", "los"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "'loss'")) << unknown.err;
  EXPECT_EQ(run_eco({"plot", one, "--csv", "-", "--json"}).code, 2);
}

}  // namespace
}  // namespace eco
