#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "cli/run.h"
#include "core/problem/check.h"
#include "io/reader.h"
#include "paths.h"

namespace eco {
namespace {

namespace fs = std::filesystem;

// The number after "key": in a line of JSON.
double number(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\":");
  if (at == std::string::npos) {
    ADD_FAILURE() << key << " is not in " << text;
    return std::nan("");
  }
  return std::stod(text.substr(at + key.size() + 3));
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class SolveVerb : public testing::Test {
 protected:
  std::string input(const std::string& problem, const std::string& nodes = "60") {
    const std::string path = folder_.path(problem + nodes + ".txt");
    EXPECT_EQ(run_eco({"generate", problem, "--nodes", nodes, "--count", "3", "--out", path}).code,
              0);
    return path;
  }
  TemporaryFolder folder_;
};

TEST_F(SolveVerb, SolvesBothProblemsByEveryMethodIntoEveryFormat) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string file = input(problem);
    const std::vector<std::string> methods =
        problem == "tsp" ? std::vector<std::string>{"expert", "nn", "insertion", "random-insertion"}
                         : std::vector<std::string>{"expert", "nn", "savings"};
    for (const std::string& method : methods) {
      for (const std::string ending : {problem == "tsp" ? ".tour" : ".sol", ".json"}) {
        const std::string out = folder_.path(method + ending), svg = folder_.path(method + ".svg");
        std::vector<std::string> command{"solve", file,    "--method", method,  "--out",
                                         out,     "--svg", svg,        "--json"};
        if (method == "expert") command.insert(command.end(), {"--iterations", "500"});
        const RunResult result = run_eco(command);
        ASSERT_EQ(result.code, 0) << problem << " " << method << ": " << result.err;
        EXPECT_TRUE(says(result.out, "\"method\":\"" + method + "\"")) << result.out;
        EXPECT_TRUE(says(result.out, "\"refine\":false"));
        EXPECT_TRUE(says(read_text(svg), "<svg"));
        // The judge agrees, and on the cost too.
        const RunResult judged = run_eco({"check", file, out, "--json"});
        EXPECT_EQ(judged.code, 0) << judged.err;
        EXPECT_NEAR(number(judged.out, "cost"), number(result.out, "cost"), 1e-9);
      }
    }
  }
}

TEST_F(SolveVerb, RefusesAMethodThatTheProblemDoesNotHave) {
  EXPECT_EQ(run_eco({"solve", input("tsp"), "--method", "savings"}).code, 2);
  EXPECT_EQ(run_eco({"solve", input("cvrp"), "--method", "insertion"}).code, 2);
}

TEST_F(SolveVerb, SolvesTsplibAndCvrplibFiles) {
  const std::string tsp = folder_.path("one.tsp"), vrp = folder_.path("one.vrp");
  for (const std::string& file : {tsp, vrp}) {
    const std::string problem = file == tsp ? "tsp" : "cvrp";
    ASSERT_EQ(
        run_eco({"generate", problem, "--nodes", "50", "--distribution", "x", "--out", file}).code,
        0);
    const std::string out = folder_.path(problem == "tsp" ? "one.tour" : "one.sol");
    const RunResult result =
        run_eco({"solve", file, "--iterations", "500", "--out", out, "--json"});
    ASSERT_EQ(result.code, 0) << result.err;
    const double cost = number(result.out, "cost");
    EXPECT_EQ(cost, std::round(cost)) << "distances of this format are rounded";
    EXPECT_TRUE(says(result.out, "\"rounding\":\"nint\""));
    EXPECT_EQ(run_eco({"check", file, out}).code, 0);
    const RunResult exact =
        run_eco({"solve", file, "--iterations", "500", "--round", "none", "--json"});
    EXPECT_NE(number(exact.out, "cost"), std::round(number(exact.out, "cost")));
  }
}

TEST_F(SolveVerb, RefineNeverLengthensAndIsNamed) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string file = input(problem, "200");
    const RunResult plain = run_eco({"solve", file, "--method", "nn", "--json"});
    const RunResult refined = run_eco({"solve", file, "--method", "nn", "--refine", "--json"});
    ASSERT_EQ(refined.code, 0) << refined.err;
    EXPECT_LT(number(refined.out, "cost"), number(plain.out, "cost"));
    EXPECT_TRUE(says(refined.out, "\"refine\":true"));
    EXPECT_TRUE(says(run_eco({"solve", file, "--method", "nn", "--refine"}).out, "nn + refine"));
  }
}

TEST_F(SolveVerb, IsAFunctionOfTheSeed) {
  const std::string file = input("tsp", "200");
  const auto tour = [&](const std::string& seed) {
    const std::string out = folder_.path("tour.tour");
    EXPECT_EQ(run_eco({"solve", file, "--iterations", "50", "--seed", seed, "--out", out}).code, 0);
    return read_text(out);
  };
  EXPECT_EQ(tour("1"), tour("1"));
  EXPECT_NE(tour("1"), tour("2"));
}

TEST_F(SolveVerb, TakesTheInstanceAtTheIndex) {
  const std::string file = input("tsp");
  const std::string out = folder_.path("second.tour");
  ASSERT_EQ(run_eco({"solve", file, "--index", "2", "--iterations", "50", "--out", out}).code, 0);
  const auto reader = io::open_instances(file);
  (void)reader->next();
  (void)reader->next();
  const Instance third = *reader->next();
  const RunResult result = run_eco({"solve", file, "--index", "2", "--iterations", "50", "--json"});
  EXPECT_NEAR(number(result.out, "cost"), check(third, io::read_solution(out, third)).cost, 1e-9);
  EXPECT_EQ(run_eco({"solve", file, "--index", "3"}).code, 2);
}

TEST_F(SolveVerb, GivesTheGapToAKnownSolution) {
  const std::string file = input("cvrp");
  const std::string labelled = folder_.path("labelled.txt");
  ASSERT_EQ(run_eco({"label", file, "--out", labelled, "--iterations", "3000"}).code, 0);
  const RunResult result = run_eco({"solve", labelled, "--method", "nn", "--json"});
  const double cost = number(result.out, "cost"), best = number(result.out, "reference_cost");
  EXPECT_NEAR(number(result.out, "gap_percent"), 100 * (cost / best - 1), 1e-9);
  EXPECT_TRUE(says(run_eco({"solve", labelled, "--method", "nn"}).out, "% of the reference"));
}

TEST_F(SolveVerb, InterruptedWritesTheBestSoFar) {
  const std::string file = input("tsp", "2000");
  const std::string out = folder_.path("best.tour");
  // It is at work once it shows progress; before that a signal would be the default one.
  const std::string script = program_path("eco") + " solve " + file +
                             " --index 0 --iterations 4000000000 --progress --json --out " + out +
                             " 2> progress & pid=$!; until [ -s progress ]; do sleep 0.05; done; "
                             "kill -TERM $pid; wait $pid";
  const RunResult result = run_program({"/bin/sh", "-c", "cd " + folder_.path("") + "; " + script});
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_TRUE(says(result.out, "\"interrupted\":true")) << result.out;
  EXPECT_EQ(run_eco({"check", file, out}).code, 0);
}

TEST_F(SolveVerb, ShowsTheShareOfALongSearchOnceThereIsOne) {
  // So large that the start alone takes longer than it is until the first line.
  const RunResult result = run_eco(
      {"solve", input("tsp", "60000"), "--method", "expert", "--iterations", "2000", "--progress"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_FALSE(says(result.err, "nan")) << result.err;
}

TEST_F(SolveVerb, EndsAtTheTimeLimit) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const RunResult result =
        run_eco({"solve", input(problem, "300"), "--time-limit", "0.3", "--refine", "--json"});
    EXPECT_EQ(result.code, 0) << result.err;
  }
}

// Without a limit the expert is a function of the seed.
TEST_F(SolveVerb, ALimitBeyondTheClockIsNone) {
  const std::string file = input("tsp", "1000");
  const auto tour = [&](const std::vector<std::string>& limit) {
    std::vector<std::string> words{"solve", file, "--method", "expert", "--out", "-", "--quiet"};
    words.insert(words.end(), limit.begin(), limit.end());
    const RunResult result = run_eco(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  };
  const std::string whole = tour({});
  EXPECT_NE(tour({"--time-limit", "1e-9"}), whole);
  for (const char* limit : {"1e10", "1e300", "inf"}) {
    EXPECT_EQ(tour({"--time-limit", limit}), whole) << limit;
  }
  for (const char* limit : {"nan", "-1", "-inf", "0"}) {
    EXPECT_EQ(run_eco({"solve", file, "--time-limit", limit}).code, 2) << limit;
  }
}

TEST_F(SolveVerb, OutOfTimeEveryMethodGivesAWholeSolutionAndSaysSo) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string file = input(problem, "300");
    const std::vector<std::string> methods =
        problem == "tsp" ? std::vector<std::string>{"nn", "insertion", "random-insertion", "policy"}
                         : std::vector<std::string>{"nn", "savings", "policy"};
    for (const std::string& method : methods) {
      const RunResult result =
          run_eco({"solve", file, "--method", method, "--refine", "--time-limit", "1e-9"});
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_TRUE(says(result.out, "cut short")) << result.out;
    }
  }
}

TEST_F(SolveVerb, RunsAnInstalledSolver) {
  const std::string solver =
      folder_.write("concorde.sh", "#!/bin/sh\nseq 0 59 | { echo 60; cat; } > answer.sol\n");
  fs::permissions(solver, fs::perms::owner_all);
  const RunResult result =
      run_eco({"solve", input("tsp"), "--expert", "concorde", "--solver-path", solver, "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(says(result.out, "\"method_detail\":\"concorde\"")) << result.out;
}

TEST_F(SolveVerb, LeavesNoOutputOnFailure) {
  const std::string file = input("tsp");
  const std::string out = folder_.path("out.tour");
  EXPECT_EQ(run_eco({"solve", folder_.path("none.tsp"), "--out", out}).code, 3);
  EXPECT_EQ(run_eco({"solve", folder_.write("bad.txt", "0.1 0.2 0.3\n"), "--out", out}).code, 3);
  EXPECT_EQ(run_eco({"solve", file, "--method", "magic", "--out", out}).code, 2);
  EXPECT_EQ(run_eco({"solve", file, "--expert", "lkh", "--solver-path", folder_.path("none"),
                     "--out", out})
                .code,
            4);
  EXPECT_EQ(run_eco({"solve", file, "--iterations", "10", "--out", folder_.path("x.sol")}).code, 2);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_FALSE(fs::exists(folder_.path("x.sol")));
}

}  // namespace
}  // namespace eco
