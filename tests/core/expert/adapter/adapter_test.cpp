// The adapters against a fake solver: a shell script that each test writes, which behaves or
// misbehaves in one way. Every misbehaviour is tried in the place of each of the three solvers.

#include "core/expert/adapter/adapter.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/scratch_folder.h"
#include "core/expert/adapter/process.h"
#include "core/problem/check.h"

namespace eco {
namespace {

namespace fs = std::filesystem;

struct Solver {
  std::string name;  // as error messages give it
  ProblemKind kind;
  std::function<Solution(const Instance&, const SolverCall&)> solve;
  std::string answer;   // the file that it writes
  std::string problem;  // the file that it reads
  std::string good;     // shell: a feasible answer for 6 nodes
  std::string twice;    // an answer that visits a node twice
  std::string cut;      // an answer that ends too early
};

void PrintTo(const Solver& solver, std::ostream* out) {
  *out << solver.name;
}

const Solver kLkhTsp{
    "LKH-3",
    ProblemKind::tsp,
    solve_with_lkh,
    "answer.tour",
    "problem.tsp",
    "printf 'NAME : x\\nTYPE : TOUR\\nTOUR_SECTION\\n1\\n3\\n2\\n4\\n6\\n5\\n-1\\nEOF\\n'",
    "printf 'TOUR_SECTION\\n1\\n3\\n2\\n4\\n6\\n3\\n-1\\nEOF\\n'",
    "printf 'TOUR_SECTION\\n1\\n3\\n2\\n4\\n'"};
// Node 7 and 8 are copies of the depot.
const Solver kLkhCvrp{"LKH-3",
                      ProblemKind::cvrp,
                      solve_with_lkh,
                      "answer.tour",
                      "problem.tsp",
                      "printf 'TOUR_SECTION\\n1\\n3\\n2\\n7\\n8\\n4\\n6\\n5\\n-1\\nEOF\\n'",
                      "printf 'TOUR_SECTION\\n1\\n3\\n2\\n7\\n3\\n4\\n6\\n5\\n-1\\nEOF\\n'",
                      "printf 'TOUR_SECTION\\n1\\n3\\n2\\n7\\n'"};
const Solver kHgs{"HGS-CVRP",
                  ProblemKind::cvrp,
                  solve_with_hgs_binary,
                  "answer.sol",
                  "problem.vrp",
                  "printf 'Route #1: 2 1\\nRoute #2: 3 5 4\\nCost 12\\n'",
                  "printf 'Route #1: 2 1\\nRoute #2: 3 5 4 1\\nCost 12\\n'",
                  "printf 'Route #1: 2 1\\nRoute #2: 3 '"};
const Solver kConcorde{"Concorde",
                       ProblemKind::tsp,
                       solve_with_concorde,
                       "answer.sol",
                       "problem.tsp",
                       "printf '6\\n0 2 1\\n3 5 4\\n'",
                       "printf '6\\n0 2 1 3 5 0\\n'",
                       "printf '6\\n0 2 1\\n'"};

Instance six_nodes(ProblemKind kind) {
  Instance instance;
  instance.kind = kind;
  Rng rng(7);
  for (int i = 0; i < 6; ++i) instance.points.push_back({rng.uniform(), rng.uniform()});
  if (kind == ProblemKind::cvrp) {
    instance.demands = {0, 3, 3, 3, 3, 3};
    instance.capacity = 9;
  }
  return instance;
}

class Adapter : public testing::TestWithParam<Solver> {
 protected:
  // `script` runs in the solver's folder with the solver's arguments.
  std::string fake(const std::string& script) {
    const fs::path path = folder_.file("solver.sh");
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  SolverCall call(const std::string& script) {
    SolverCall call;
    call.path = fake(script);
    return call;
  }
  std::string kept(const std::string& name) {
    std::ifstream file(folder_.file(name));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  // The message of the eco::Error that the call must throw, which names the solver.
  std::string failure(const SolverCall& call, ErrorKind kind = ErrorKind::resource) {
    try {
      (void)GetParam().solve(six_nodes(GetParam().kind), call);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_NE(std::string(error.what()).find(GetParam().name), std::string::npos) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }
  std::string failure(const std::string& script) { return failure(call(script)); }

  ScratchFolder folder_;
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  should contain: " << part;
}

TEST_P(Adapter, ReadsTheAnswerOfASolverThatBehaves) {
  const Solver& solver = GetParam();
  const Instance instance = six_nodes(solver.kind);
  const Solution solution = solver.solve(instance, call(solver.good + " > " + solver.answer));
  std::vector<std::size_t> nodes;
  for (const NodeId node : solution.sequence) nodes.push_back(node.index());
  const std::vector<std::size_t> tour{0, 2, 1, 3, 5, 4};
  const std::vector<std::size_t> routes{0, 2, 1, 0, 3, 5, 4, 0};
  EXPECT_EQ(nodes, solver.kind == ProblemKind::tsp ? tour : routes);
}

TEST_P(Adapter, RunsInAFolderOfItsOwnThatIsRemoved) {
  const Solver& solver = GetParam();
  (void)solver.solve(six_nodes(solver.kind), call("pwd > " + folder_.file("where").string() + "; " +
                                                  solver.good + " > " + solver.answer));
  std::string where = kept("where");
  where.pop_back();
  EXPECT_NE(where, fs::current_path().string());
  EXPECT_FALSE(fs::exists(where));
}

TEST_P(Adapter, TellsOfACrash) {
  expect_contains(failure("echo 'about to die'; kill -SEGV $$"), "crashed: Segmentation fault");
}

TEST_P(Adapter, TellsOfABadExitCodeAndKeepsTheEndOfTheOutput) {
  const std::string message = failure("echo 'out of licences' >&2; exit 3");
  expect_contains(message, "exited with code 3");
  expect_contains(message, "out of licences");
}

TEST_P(Adapter, KeepsOnlyTheEndOfALongOutput) {
  const std::string message = failure(
      "i=0; while [ $i -lt 3000 ]; do echo \"line $i of chatter\"; i=$((i+1)); done; exit 1");
  expect_contains(message, "line 2999 of chatter");
  EXPECT_LT(message.size(), kTailBytes + 500);
}

TEST_P(Adapter, KillsASolverThatDoesNotEndWithAllItsChildren) {
  SolverCall hanging = call("sleep 300 & echo $! > " + folder_.file("child").string() +
                            "; echo 'still thinking'; wait");
  hanging.seconds = 2;  // long enough for the shell to have spoken on a busy machine
  hanging.grace_seconds = 0;
  const std::string message = failure(hanging);
  expect_contains(message, "did not end in time");
  expect_contains(message, "still thinking");
  const pid_t child = std::stoi(kept("child"));
  for (int i = 0; i < 500 && ::kill(child, 0) == 0; ++i) {
    // A killed orphan may stay a zombie where nobody reaps; then it runs no more, which is enough.
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    std::string id, name, state;
    if (status >> id >> name >> state && state == "Z") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NE(::kill(child, 0), 0) << "the child of the solver is still alive";
}

TEST_P(Adapter, StopsWhenCancelled) {
  std::stop_source source;
  SolverCall hanging = call("sleep 300");
  hanging.cancel = source.get_token();
  const std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  (void)failure(hanging, ErrorKind::interrupted);
}

TEST_P(Adapter, TellsOfAMissingAnswer) {
  expect_contains(failure("exit 0"), "wrote no solution");
}

TEST_P(Adapter, TellsOfGarbage) {
  (void)failure("printf 'Segmentation \\001\\377 violation' > " + GetParam().answer);
  (void)failure("head -c 3000 /dev/zero > " + GetParam().answer);
  (void)failure(": > " + GetParam().answer);
}

TEST_P(Adapter, TellsOfAnAnswerThatIsCutOff) {
  (void)failure(GetParam().cut + " > " + GetParam().answer);
}

TEST_P(Adapter, RefusesAnInfeasibleAnswer) {
  expect_contains(failure(GetParam().twice + " > " + GetParam().answer), "visited twice");
}

TEST_P(Adapter, RefusesNumbersThatAreNoNodes) {
  for (const std::string bad : {"99", "4294967297", "-3", "1e0", "5x"}) {
    std::string script = GetParam().good;
    script.replace(script.rfind('5'), 1, bad);  // 5 is the last or last but one node of all answers
    (void)failure(script + " > " + GetParam().answer);
  }
}

TEST_P(Adapter, TellsOfAProgramThatIsNotThere) {
  SolverCall missing;
  missing.path = folder_.file("nothing").string();
  expect_contains(failure(missing), "not an executable file");
  std::ofstream(folder_.file("text")) << "not a program";
  missing.path = folder_.file("text").string();
  expect_contains(failure(missing), "not an executable file");
  fs::permissions(folder_.file("text"), fs::perms::owner_all);
  try {
    (void)GetParam().solve(six_nodes(GetParam().kind), missing);
    FAIL() << "no error";
  } catch (const Error& error) {
    expect_contains(error.what(), "cannot start");
  }
}

TEST_P(Adapter, ScalesRealCoordinatesWithoutLosingPrecision) {
  const Solver& solver = GetParam();
  const Instance instance = six_nodes(solver.kind);
  (void)solver.solve(instance, call("cp " + solver.problem + " " + folder_.file("seen").string() +
                                    "; " + solver.good + " > " + solver.answer));
  std::istringstream lines(kept("seen"));
  std::string line;
  while (std::getline(lines, line) && line != "NODE_COORD_SECTION") continue;
  std::vector<Point> seen(6);
  for (Point& point : seen) {
    std::size_t number = 0;
    ASSERT_TRUE(lines >> number >> point.x >> point.y);
  }
  // Ratios of distances survive to six digits, whatever the scale.
  const double scale =
      euclidean(seen[0], seen[1]) / euclidean(instance.points[0], instance.points[1]);
  EXPECT_GT(scale, 100);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NEAR(euclidean(seen[i], seen[j]) / scale,
                  euclidean(instance.points[i], instance.points[j]), 1e-6);
    }
  }
}

TEST_P(Adapter, GivesRoundedInstancesUnchanged) {
  const Solver& solver = GetParam();
  Instance instance = six_nodes(solver.kind);
  for (Point& point : instance.points) {
    point = {std::round(1000 * point.x), std::round(1000 * point.y)};
  }
  instance.rounding = Rounding::nint;
  (void)solver.solve(instance, call("cp " + solver.problem + " " + folder_.file("seen").string() +
                                    "; " + solver.good + " > " + solver.answer));
  std::ostringstream node;
  node << "NODE_COORD_SECTION\n1 " << instance.points[0].x << " " << instance.points[0].y << "\n2 ";
  expect_contains(kept("seen"), node.str());
  expect_contains(kept("seen"), "EDGE_WEIGHT_TYPE : EUC_2D\n");
}

TEST_P(Adapter, PassesSeedAndLimitsOn) {
  const Solver& solver = GetParam();
  SolverCall limited = call("{ echo \"$@\"; cat run.par; } > " + folder_.file("seen").string() +
                            " 2>&1; " + solver.good + " > " + solver.answer);
  limited.seed = 41;
  limited.seconds = 30;
  limited.iterations = 77;
  (void)solver.solve(six_nodes(solver.kind), limited);
  const std::string seen = kept("seen");
  if (solver.name == "LKH-3") {
    expect_contains(seen, "SEED = 42\n");
    expect_contains(seen, "TIME_LIMIT = 30");
    expect_contains(seen, "MAX_TRIALS = 77\n");
  } else if (solver.name == "HGS-CVRP") {
    expect_contains(seen, "-seed 41");
    expect_contains(seen, "-t 30");
    expect_contains(seen, "-it 77");
    expect_contains(seen, "-round 0");
  } else {
    expect_contains(seen, "-s 42");
  }
}

TEST_P(Adapter, AnswersTrivialInstancesWithoutTheSolver) {
  const Solver& solver = GetParam();
  Instance instance = six_nodes(solver.kind);
  const std::size_t nodes = solver.kind == ProblemKind::tsp ? 3 : 2;
  instance.points.resize(nodes);
  if (solver.kind == ProblemKind::cvrp) instance.demands.resize(nodes);
  EXPECT_TRUE(check(instance, solver.solve(instance, call("exit 9"))).feasible);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Adapter, testing::Values(kLkhTsp, kLkhCvrp, kHgs, kConcorde),
                         [](const auto& solver) {
                           std::string name =
                               solver.param.name +
                               (solver.param.kind == ProblemKind::tsp ? "Tsp" : "Cvrp");
                           std::erase(name, '-');
                           return name;
                         });

TEST(AdapterLookup, FindsTheProgramOnPath) {
  ScratchFolder folder;
  const fs::path path = folder.file("concorde");
  std::ofstream(path) << "#!/bin/sh\n" << kConcorde.good << " > answer.sol\n";
  fs::permissions(path, fs::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
  const Solution solution = solve_with_concorde(six_nodes(ProblemKind::tsp), {});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(solution.sequence.size(), 6U);
}

TEST(AdapterProblems, AreRefusedBySolversThatCannotSolveThem) {
  EXPECT_THROW((void)solve_with_concorde(six_nodes(ProblemKind::cvrp), {}), Error);
  EXPECT_THROW((void)solve_with_hgs_binary(six_nodes(ProblemKind::tsp), {}), Error);
}

}  // namespace
}  // namespace eco
