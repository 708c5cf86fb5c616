// What eco solve writes and where: one thing on stdout, outputs that are checked before any work,
// files that appear together or not at all; and options and constraints that are never ignored.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/run.h"

namespace eco {
namespace {

using Json = nlohmann::json;

class SolveOutputs : public testing::Test {
 protected:
  std::string input(const std::string& problem, const std::string& name, int nodes = 40) {
    const std::string path = folder_.path(name);
    EXPECT_EQ(run_eco({"generate", problem, "--nodes", std::to_string(nodes), "--out", path}).code,
              0);
    return path;
  }
  // Solved by a quick method unless it says otherwise.
  static RunResult solve(const std::string& file, const std::vector<std::string>& options,
                         const std::string& method = "nn") {
    std::vector<std::string> words{"solve", file, "--method", method};
    words.insert(words.end(), options.begin(), options.end());
    return run_eco(words);
  }
  void expect_usage(const RunResult& result, const std::string& reason) {
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_TRUE(contains(result.err, reason)) << result.err;
    EXPECT_EQ(result.out, "");
  }
  TemporaryFolder folder_;
};

TEST_F(SolveOutputs, StdoutTakesTheSolutionAlone) {
  const std::string tsp = input("tsp", "a.tsp"), vrp = input("cvrp", "a.vrp");
  for (const std::string& file : {tsp, vrp}) {
    const RunResult result = solve(file, {"--out", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "cost")) << "the report goes to stderr";
    const std::string piped = folder_.write("piped", result.out);
    EXPECT_EQ(run_eco({"check", file, piped}).code, 0) << result.out;
    const RunResult quiet = solve(file, {"--out", "-", "--quiet"});
    EXPECT_EQ(quiet.out, result.out);
    EXPECT_EQ(quiet.err, "");
  }
  const RunResult picture = solve(tsp, {"--svg", "-", "--quiet"});
  EXPECT_TRUE(picture.out.starts_with("<svg") && picture.out.ends_with("</svg>\n"));
}

TEST_F(SolveOutputs, TwoThingsOnStdoutAreRefused) {
  const std::string file = input("tsp", "a.tsp");
  expect_usage(solve(file, {"--json", "--out", "-"}), "--json and --out - do not go together");
  expect_usage(solve(file, {"--json", "--svg", "-"}), "--json and --svg - do not go together");
  expect_usage(solve(file, {"--out", "-", "--svg", "-"}), "--out - and --svg - do not go together");
}

// The instance is not there: whoever complains about the output has not read it, let alone solved.
TEST_F(SolveOutputs, AreCheckedBeforeAnyWork) {
  const std::string none = folder_.path("none.tsp");
  expect_usage(solve(none, {"--out", folder_.path("plan.xyz")}),
               "expected a name in .tour, .sol, .json, .csv or .geojson");
  for (const char* option : {"--out", "--svg"}) {
    const RunResult result = solve(none, {option, folder_.path("missing/a.json")});
    EXPECT_EQ(result.code, 4);
    EXPECT_TRUE(contains(result.err, "missing/a.json: cannot create")) << result.err;
  }
  EXPECT_EQ(solve(none, {"--out", folder_.path("a.json")}).code, 3) << "now the input is missing";
  EXPECT_EQ(folder_.files(), 0U) << "and the attempt has left nothing";
}

// The expert would work until it is stopped.
TEST_F(SolveOutputs, ThatDoNotFitTheInstanceAreRefusedBeforeItIsSolved) {
  const std::vector<std::string> forever{"--iterations", "1000000000000"};
  const auto refused = [&](const std::string& file, const std::string& option,
                           const std::string& path) {
    std::vector<std::string> words{"solve", file, option, path};
    words.insert(words.end(), forever.begin(), forever.end());
    return run_eco(words);
  };
  expect_usage(refused(input("tsp", "a.tsp"), "--out", folder_.path("a.sol")),
               ".tour, .json, .csv or .geojson");
  expect_usage(refused(input("cvrp", "a.vrp"), "--out", folder_.path("a.tour")),
               ".sol, .json, .csv or .geojson");
  const std::string matrix = folder_.write("m.json", R"({"matrix":[[0,1,2],[1,0,3],[2,3,0]]})");
  expect_usage(refused(matrix, "--svg", folder_.path("a.svg")), "cannot be drawn");
}

TEST_F(SolveOutputs, NeverReplaceTheInputOrEachOther) {
  const std::string file = input("tsp", "a.json");
  const std::string before = read_text(file);
  std::filesystem::create_symlink(file, folder_.path("link.json"));
  for (const std::string& out : {file, folder_.path("./a.json"), folder_.path("link.json")}) {
    expect_usage(solve(file, {"--out", out}), "this is the input, which would be lost");
    expect_usage(solve(file, {"--svg", out}), "this is the input, which would be lost");
  }
  EXPECT_EQ(read_text(file), before);
  const std::string same = folder_.path("same.json");
  expect_usage(solve(file, {"--out", same, "--svg", folder_.path(".") + "/same.json"}),
               "--out and --svg name the same file");
  EXPECT_FALSE(std::filesystem::exists(same));
  EXPECT_EQ(solve(file, {"--out", "/dev/null", "--svg", "/dev/null"}).code, 2)
      << "its name tells no format";
  expect_usage(run_eco({"label", file, "--out", file}), "this is the input");
}

// A picture that is larger than a file may be; the solution is small enough.
TEST_F(SolveOutputs, AppearTogetherOrNotAtAll) {
  const std::string file = input("tsp", "a.tsp", 3000);
  const std::string out = folder_.path("a.json"), svg = folder_.path("a.svg");
  const std::size_t files = folder_.files();
  const auto limited = [&](const std::string& blocks) {
    return run_program({"/bin/sh", "-c",
                        "trap '' XFSZ; ulimit -f " + blocks + "; exec " + program_path("eco") +
                            " solve " + file + " --method nn --out " + out + " --svg " + svg});
  };
  const RunResult failed = limited("40");  // of 512 bytes: 20 kB
  EXPECT_EQ(failed.code, 4) << failed.err;
  EXPECT_TRUE(contains(failed.err, "a.svg: cannot write")) << failed.err;
  EXPECT_EQ(folder_.files(), files) << "neither file, and nothing temporary";
  EXPECT_EQ(limited("40000").code, 0);
  EXPECT_EQ(folder_.files(), files + 2);
}

TEST_F(SolveOutputs, OptionsThatDoNotGoTogetherAreRefused) {
  const std::string file = input("tsp", "a.tsp");
  expect_usage(solve(file, {"--expert", "ils"}, "policy"), "--expert is for --method expert");
  expect_usage(solve(file, {"--iterations", "5"}),
               "--iterations is for --method expert or auto, not for nn");
  expect_usage(solve(file, {"--decode", "sample:4"}),
               "--decode is for --method policy, not for nn");
  expect_usage(solve(file, {"--weights", "x"}, "expert"), "--weights is for --method policy");
  expect_usage(run_eco({"solve", file, "--weights", "x", "--expert", "ils"}),
               "--expert asks for an expert and --weights for a policy");
  expect_usage(run_eco({"solve", file, "--solver-path", "x"}), "--solver-path is for an installed");
  expect_usage(run_eco({"solve", file, "--top-k", "3"}), "--top-k are for --decode sample:K");
  expect_usage(run_eco({"eval", file, "--temperature", "2"}), "are for --decode sample:K");
  expect_usage(run_eco({"label", file, "--out", folder_.path("l.txt"), "--solver-path", "x"}),
               "--solver-path is for an installed");
  expect_usage(run_eco({"info", file, "--weights", "default"}), "either");
  expect_usage(run_eco({"bench", "latency", "--count", "3"}), "--count is for soak");
}

TEST_F(SolveOutputs, SaysThatTheFileHasMoreInstances) {
  const std::string two = folder_.path("two.txt");
  ASSERT_EQ(run_eco({"generate", "tsp", "--nodes", "9", "--count", "2", "--out", two}).code, 0);
  EXPECT_TRUE(contains(solve(two, {}).err, "the first of several instances; --index"));
  EXPECT_EQ(solve(two, {"--index", "0"}).err, "") << "as the user knows";
  const std::string tour = folder_.path("second.tour");
  ASSERT_EQ(solve(two, {"--index", "1", "--out", tour}).code, 0);
  const RunResult right = run_eco({"check", two, tour, "--index", "1"});
  EXPECT_TRUE(contains(right.out, "feasible, cost")) << right.err;
  EXPECT_NE(run_eco({"check", two, tour}).out, right.out) << "another instance, another cost";
  EXPECT_EQ(solve(two, {"--quiet"}).err, "");
}

TEST_F(SolveOutputs, RefusesGarbageBehindAJsonInstance) {
  const std::string file = folder_.write("a.json", R"({"nodes":[[0,0],[1,1]]} and more)");
  const RunResult result = solve(file, {});
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(contains(result.err, "expected a JSON object or the end of the file")) << result.err;
}

TEST_F(SolveOutputs, NamesTheRoundingThatTheMetricHas) {
  const std::string geo = folder_.write(
      "geo.tsp",
      "TYPE:TSP\nDIMENSION:3\nEDGE_WEIGHT_TYPE:GEO\nNODE_COORD_SECTION\n1 38.24 20.42\n2 39.57 "
      "26.15\n3 40.56 25.32\nEOF\n");
  EXPECT_TRUE(contains(solve(geo, {}).out, "(geo, rounding built in)"));
  EXPECT_EQ(Json::parse(solve(geo, {"--json"}).out)["rounding"], "built in");
  EXPECT_TRUE(contains(run_eco({"info", geo}).out, "geo, rounding built in"));
  const std::string matrix = folder_.write("m.json", R"({"matrix":[[0,1,2],[1,0,3],[2,3,0]]})");
  EXPECT_TRUE(contains(solve(matrix, {}).out, "(matrix)"));
}

TEST_F(SolveOutputs, WarnsWhereRoundingLeavesNothingOfTheDistances) {
  const std::string unit = folder_.write(
      "unit.tsp",
      "TYPE:TSP\nDIMENSION:3\nEDGE_WEIGHT_TYPE:EUC_2D\nNODE_COORD_SECTION\n1 0.1 0.2\n2 0.3 "
      "0.1\n3 0.2 0.4\nEOF\n");
  EXPECT_TRUE(contains(solve(unit, {}).err, "--round none takes them as they are"));
  EXPECT_EQ(solve(unit, {"--round", "none"}).err, "");
  EXPECT_EQ(solve(input("tsp", "a.tsp"), {}).err, "") << "generated without rounding";
}

// Eight customers that each fill a vehicle.
class Fleet : public SolveOutputs {
 protected:
  std::string instance(const std::string& vehicles) {
    std::string text = R"({"capacity":5,)" + vehicles + R"("depot":[0,0],"jobs":[)";
    for (int i = 0; i < 8; ++i) {
      text += (i == 0 ? "" : ",") + std::string(R"({"location":[)") + std::to_string(i) +
              R"(,7],"amount":5})";
    }
    return folder_.write("fleet.json", text + "]}");
  }
};

TEST_F(Fleet, APlanThatNeedsMoreVehiclesIsWrittenAndTheAnswerIsNo) {
  const std::string file = instance(R"("vehicles":[{"id":1},{"id":2},{"id":3}],)");
  const std::string out = folder_.path("plan.sol"), svg = folder_.path("plan.svg");
  for (const std::string method : {"auto", "expert", "nn", "savings", "policy"}) {
    const RunResult result = solve(file, {"--out", out, "--svg", svg}, method);
    EXPECT_EQ(result.code, 1) << method << result.err;
    EXPECT_TRUE(contains(result.out, "needs 8 vehicles, the instance has 3")) << result.out;
    EXPECT_TRUE(contains(read_text(out), "Route #8")) << "the plan is there";
    EXPECT_TRUE(std::filesystem::remove(svg));
    const RunResult judged = run_eco({"check", file, out});
    EXPECT_EQ(judged.code, 1);
    EXPECT_EQ(judged.out, "infeasible: 8 routes, but 3 vehicles\n");
  }
  const RunResult result = solve(file, {"--json"});
  EXPECT_EQ(result.code, 1);
  const Json told = Json::parse(result.out);
  EXPECT_EQ(told["feasible"], false);
  EXPECT_EQ(told["vehicles"], 3);
  EXPECT_EQ(told["routes"].size(), 8U);
}

TEST_F(Fleet, IsEnoughOrNotLimited) {
  EXPECT_EQ(solve(instance(R"("vehicles":8,)"), {}).code, 0);
  EXPECT_EQ(solve(instance(""), {}).code, 0);
}

TEST_F(Fleet, IsKeptByConversionOrTheConversionIsRefused) {
  const std::string file = instance(R"("vehicles":3,)");
  const std::string vrp = folder_.path("fleet.vrp"), back = folder_.path("back.json");
  ASSERT_EQ(run_eco({"convert", file, vrp}).code, 0);
  EXPECT_TRUE(contains(read_text(vrp), "VEHICLES : 3\n"));
  ASSERT_EQ(run_eco({"convert", vrp, back}).code, 0);
  EXPECT_TRUE(contains(read_text(back), R"("vehicles":3)"));
  const RunResult lines = run_eco({"convert", file, folder_.path("fleet.txt")});
  EXPECT_EQ(lines.code, 2);
  EXPECT_TRUE(contains(lines.err, "no place for the number of vehicles")) << lines.err;
}

TEST_F(Fleet, IsCountedByEvalAndRefusedAsALabel) {
  const std::string file = instance(R"("vehicles":3,)");
  const RunResult eval = run_eco({"eval", file, "--json"});
  ASSERT_EQ(eval.code, 0) << eval.err;
  EXPECT_EQ(Json::parse(eval.out)["feasible"], 0);
  EXPECT_TRUE(contains(run_eco({"eval", file}).out, "1 of 1 plans need more vehicles"));
  const RunResult label = run_eco({"label", file, "--out", folder_.path("l.jsonl")});
  EXPECT_EQ(label.code, 3);
  EXPECT_TRUE(contains(label.err, "8 routes, but 3 vehicles")) << label.err;
}

TEST_F(Fleet, OpenRoutesAreRefusedByName) {
  const RunResult result = solve(
      folder_.write(
          "open.json",
          R"({"problem":"cvrp","vehicles":[{"start":[0,0],"capacity":5}],"jobs":[{"location":[1,1],"amount":1}]})"),
      {});
  EXPECT_EQ(result.code, 3);
  EXPECT_TRUE(contains(result.err, "open routes are not supported")) << result.err;
}

TEST_F(SolveOutputs, LabelSaysAtOnceThatANameTellsNoFormat) {
  const RunResult result = run_eco({"label", input("tsp", "a.tsp"), "--iterations", "1000000000000",
                                    "--out", folder_.path("labels.xyz")});
  expect_usage(result, "labels go to a file in .txt or .jsonl");
  EXPECT_EQ(folder_.files(), 1U);
  expect_usage(run_eco({"label", folder_.path("a.tsp"), "--out", "-"}), "labels go to a file");
}

}  // namespace
}  // namespace eco
