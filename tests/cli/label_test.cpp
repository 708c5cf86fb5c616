#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run.h"
#include "core/base/error.h"
#include "core/problem/check.h"
#include "io/reader.h"

namespace eco {
namespace {

namespace fs = std::filesystem;

std::vector<Instance> instances_of(const std::string& path) {
  std::vector<Instance> instances;
  const auto reader = io::open_instances(path);
  while (auto instance = reader->next()) instances.push_back(std::move(*instance));
  return instances;
}

class LabelVerb : public testing::Test {
 protected:
  // Instances without solutions.
  std::string input(const std::string& problem = "tsp", const std::string& nodes = "40",
                    const std::string& count = "40") {
    const std::string path = folder_.path(problem + ".txt");
    EXPECT_EQ(
        run_eco({"generate", problem, "--nodes", nodes, "--count", count, "--out", path}).code, 0);
    return path;
  }
  // A run of the shell, in which $eco is the binary.
  RunResult shell(const std::string& script) {
    return run_program({"/bin/sh", "-c", "eco=" + program_path("eco") + "\n" + script});
  }
  std::string script(const std::string& name, const std::string& text) {
    const std::string path = folder_.write(name, "#!/bin/sh\n" + text + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  [[nodiscard]] std::string out() const { return folder_.path("out.txt"); }

  TemporaryFolder folder_;
};

TEST_F(LabelVerb, SolvesEveryInstanceAndKeepsTheirOrder) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string file = input(problem);
    const RunResult result = run_eco({"label", file, "--out", out(), "--iterations", "200"});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto before = instances_of(file), after = instances_of(out());
    ASSERT_EQ(after.size(), 40U);
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_EQ(after[i].points, before[i].points);
      EXPECT_EQ(after[i].demands, before[i].demands);
      EXPECT_EQ(after[i].capacity, before[i].capacity);
      ASSERT_TRUE(after[i].reference);
      EXPECT_TRUE(check(after[i], *after[i].reference).feasible);
    }
    EXPECT_EQ(run_eco({"check", out()}).code, 0);
  }
}

TEST_F(LabelVerb, GivesTheSameBytesWhateverTheThreads) {
  for (const std::string problem : {"tsp", "cvrp"}) {
    const std::string file = input(problem);
    std::string first;
    for (const std::string threads : {"1", "2", "5"}) {
      ASSERT_EQ(run_eco({"label", file, "--out", out(), "--iterations", "300", "--threads", threads,
                         "--restart"})
                    .code,
                0);
      if (first.empty()) first = read_text(out());
      EXPECT_EQ(read_text(out()), first) << threads;
    }
    ASSERT_EQ(run_eco({"label", file, "--out", out(), "--iterations", "300", "--seed", "5"}).code,
              0);
    EXPECT_NE(read_text(out()), first) << "the seed has no effect";
  }
}

// As many iterations as leave a second of work after the last kill: a shell that asks for the
// journal's length must not come too late on a busy machine.
const std::string kSlow = " --iterations 2000";

// Shell: starts the command in the background and waits until the journal has $least lines.
std::string started(const std::string& command, const std::string& out) {
  return "$eco " + command + out + " & pid=$!\n" + "while kill -0 $pid 2>/dev/null && [ \"$(cat " +
         out + ".journal 2>/dev/null | wc -l)\" -lt $least ]; do sleep 0.005; done\n";
}

TEST_F(LabelVerb, KilledAndResumedGivesTheSameBytes) {
  const std::string file = input("tsp", "60", "300");
  const std::string command = "label " + file + kSlow + " --threads 2 --out ";
  ASSERT_EQ(shell("$eco " + command + folder_.path("whole.txt")).code, 0);
  // Killed again and again, each time once the journal has grown.
  const RunResult result = shell("for least in 3 4 30 60 100; do\n" + started(command, out()) +
                                 "kill -9 $pid; wait $pid; [ $? = 137 ] || exit 9\ndone\n[ ! -e " +
                                 out() + " ] || exit 8\n$eco " + command + out());
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("going on after"), std::string::npos) << result.err;
  EXPECT_EQ(read_text(out()), read_text(folder_.path("whole.txt")));
  EXPECT_EQ(folder_.files(), 3U);  // the input and two outputs: nothing else is left
}

TEST_F(LabelVerb, InterruptedKeepsWhatIsDoneAndSaysHowToGoOn) {
  const std::string file = input("tsp", "60", "300");
  const std::string command = "label " + file + kSlow + " --out ";
  ASSERT_EQ(shell("$eco " + command + folder_.path("whole.txt")).code, 0);
  const RunResult result =
      shell("least=20\n" + started(command, out()) + "kill -TERM $pid; wait $pid");
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_NE(result.err.find("the same command goes on"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(out()));
  ASSERT_EQ(shell("$eco " + command + out()).code, 0);
  EXPECT_EQ(read_text(out()), read_text(folder_.path("whole.txt")));
}

TEST_F(LabelVerb, RefusesToGoOnWithOtherOptionsOrInput) {
  const std::string file = input();
  // A solver that fails on the fourth instance leaves three labels behind.
  const std::string flaky = script(
      "flaky.sh", "echo x >> " + folder_.path("calls") + "; [ $(wc -l < " + folder_.path("calls") +
                      ") -le 3 ] || exit 3\nseq 0 39 | { echo 40; cat; } > answer.sol");
  std::vector<std::string> command{"label",     file,       "--out",         out(),
                                   "--expert",  "concorde", "--solver-path", flaky,
                                   "--threads", "1"};
  const RunResult failed = run_eco(command);
  EXPECT_EQ(failed.code, 4);
  EXPECT_NE(failed.err.find("instance 3: Concorde"), std::string::npos) << failed.err;
  EXPECT_FALSE(fs::exists(out()));

  auto other = command;
  other.insert(other.end(), {"--seed", "99"});
  EXPECT_EQ(run_eco(other).code, 2);
  other.push_back("--restart");
  EXPECT_EQ(run_eco(other).code, 4);  // it starts over, and fails at once

  fs::remove(folder_.path("calls"));
  EXPECT_EQ(run_eco(command).code, 4);
  ASSERT_EQ(
      run_eco({"generate", "tsp", "--nodes", "40", "--count", "40", "--seed", "5", "--out", file})
          .code,
      0);
  const RunResult changed = run_eco(command);
  EXPECT_EQ(changed.code, 2) << changed.err;
  EXPECT_NE(changed.err.find("--restart"), std::string::npos) << changed.err;
}

TEST_F(LabelVerb, LabelsGeneratedInstancesLikeTheirFile) {
  const std::string file = input("cvrp", "30");
  ASSERT_EQ(run_eco({"label", file, "--out", out(), "--iterations", "100"}).code, 0);
  const std::string direct = folder_.path("direct.txt");
  ASSERT_EQ(run_eco({"label", "--generate", "cvrp", "--nodes", "30", "--count", "40", "--out",
                     direct, "--iterations", "100"})
                .code,
            0);
  EXPECT_EQ(read_text(direct), read_text(out()));
}

TEST_F(LabelVerb, WritesCompressedAndJsonFilesToo) {
  const std::string file = input();
  ASSERT_EQ(run_eco({"label", file, "--out", out(), "--iterations", "100"}).code, 0);
  const auto expected = instances_of(out());
  for (const std::string name : {"out.txt.gz", "out.jsonl", "out.jsonl.gz"}) {
    const std::string path = folder_.path(name);
    ASSERT_EQ(run_eco({"label", file, "--out", path, "--iterations", "100"}).code, 0) << name;
    const auto instances = instances_of(path);
    ASSERT_EQ(instances.size(), expected.size()) << name;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      EXPECT_EQ(instances[i].points, expected[i].points);
      EXPECT_EQ(instances[i].reference, expected[i].reference);
    }
    EXPECT_FALSE(fs::exists(path + ".partial"));
    EXPECT_FALSE(fs::exists(path + ".journal"));
  }
}

TEST_F(LabelVerb, ReportsInJson) {
  const std::string file = input();
  const RunResult result =
      run_eco({"label", file, "--out", out(), "--iterations", "100", "--json"});
  ASSERT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("\"instances\":40"), std::string::npos) << result.out;
  double sum = 0;
  for (const Instance& instance : instances_of(out())) {
    sum += check(instance, *instance.reference).cost;
  }
  const std::size_t at = result.out.find("\"mean_cost\":");
  ASSERT_NE(at, std::string::npos) << result.out;
  EXPECT_NEAR(std::stod(result.out.substr(at + 12)), sum / 40, 1e-9);
}

TEST_F(LabelVerb, LeavesNoOutputOnFailure) {
  const std::string good = input();
  const std::string text = read_text(good);
  const std::string bad = folder_.write("bad.txt", text + "0.1 0.2 0.3 x y\n");
  const RunResult result = run_eco({"label", bad, "--out", out(), "--iterations", "10"});
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.err.find("bad.txt:41"), std::string::npos) << result.err;
  EXPECT_FALSE(fs::exists(out()));

  EXPECT_EQ(run_eco({"label", folder_.path("none.txt"), "--out", out()}).code, 3);
  EXPECT_EQ(run_eco({"label", folder_.write("empty.txt", ""), "--out", folder_.path("e.txt")}).code,
            3);
  EXPECT_FALSE(fs::exists(folder_.path("e.txt")));
}

TEST_F(LabelVerb, TellsMisuseFromBadInputAndMissingPrograms) {
  const std::string file = input();
  EXPECT_EQ(run_eco({"label", file}).code, 2);  // no --out
  EXPECT_EQ(run_eco({"label", "--out", out()}).code, 2);
  EXPECT_EQ(run_eco({"label", file, "--generate", "tsp", "--count", "3", "--out", out()}).code, 2);
  EXPECT_EQ(run_eco({"label", file, "--out", out(), "--expert", "hgs"}).code, 2);
  EXPECT_EQ(run_eco({"label", file, "--out", out(), "--expert", "nobody"}).code, 2);
  EXPECT_EQ(run_eco({"label", file, "--out", folder_.path("many.tsp")}).code, 2);
  EXPECT_EQ(run_eco({"label", file, "--out", out(), "--seconds", "-1"}).code, 2);
  EXPECT_EQ(run_eco({"label", file, "--out", out(), "--expert", "lkh", "--solver-path",
                     folder_.path("no-lkh")})
                .code,
            4);
  EXPECT_EQ(run_eco({"label", file, "--out", folder_.path("no/folder/out.txt")}).code, 4);
  EXPECT_EQ(folder_.files(), 1U);
}

}  // namespace
}  // namespace eco
