// Solution files: TSPLIB tours, CVRPLIB routes, JSON and plain lists.

#include <gtest/gtest.h>

#include "core/problem/check.h"
#include "io/support.h"
#include "io/writer.h"
#include "io/wrong_input.h"

namespace eco::io {
namespace {

Instance tsp() {
  Instance instance;
  instance.name = "square";
  instance.points = {{0, 0}, {3, 0}, {3, 4}, {0, 4}};
  return instance;
}

Instance cvrp() {
  Instance instance = tsp();
  instance.kind = ProblemKind::cvrp;
  instance.demands = {0, 3, 3, 2};
  instance.capacity = 5;
  return instance;
}

std::vector<std::size_t> nodes(const Solution& solution) {
  std::vector<std::size_t> result;
  for (const NodeId node : solution.sequence) result.push_back(node.index());
  return result;
}

std::vector<std::size_t> read(std::string_view text, const Instance& instance) {
  return nodes(solution_in(text, "file", instance));
}

using Sequence = std::vector<std::size_t>;

TEST(Tour, ReadsNodesByTheirNumbers) {
  EXPECT_EQ(
      read("NAME : t\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n1\n3\n2\n4\n-1\nEOF\n", tsp()),
      (Sequence{0, 2, 1, 3}));
  Instance labelled = tsp();
  labelled.labels = {40, 30, 20, 10};
  EXPECT_EQ(read("TOUR_SECTION\n10 20 30 40 -1", labelled), (Sequence{3, 2, 1, 0}));
}

TEST(Tour, OfACvrpMayRepeatTheDepotUnderNewNumbers) {
  // As LKH-3 writes it: n = 4, so 5 and 6 are copies of the depot.
  EXPECT_EQ(read("TYPE : TOUR\nDIMENSION : 6\nTOUR_SECTION\n2\n4\n5\n3\n6\n1\n-1\nEOF\n", cvrp()),
            (Sequence{0, 2, 0, 1, 3, 0}));
}

TEST(Sol, ReadsCustomersCountedWithoutTheDepot) {
  EXPECT_EQ(read("Route #1: 1 3\nRoute #2: 2\nCost 22\n", cvrp()), (Sequence{0, 1, 3, 0, 2, 0}));
  EXPECT_EQ(read("route 1 : 1 3\r\nRoute #2:\r\nRoute#3: 2\r\ncost: 22.5\r\n", cvrp()),
            (Sequence{0, 1, 3, 0, 2, 0}));
}

TEST(Sol, CountsCustomersInFileOrderWhereTheDepotIsNotFirst) {
  const Instance instance = parse(
      "TYPE : CVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 5\nNODE_COORD_SECTION\n"
      "1 0 0\n2 1 0\n3 2 0\nDEMAND_SECTION\n1 4\n2 0\n3 5\nDEPOT_SECTION\n2\n-1\nEOF\n");
  const Solution solution = solution_in("Route #1: 2\nRoute #2: 1\n", "file", instance);
  EXPECT_EQ(instance.labels[solution.sequence[1].index()], 3);
  EXPECT_EQ(instance.labels[solution.sequence[3].index()], 1);
}

TEST(PlainList, IsATourOrRoutesBetweenZeros) {
  EXPECT_EQ(read("1 3\n2 4 1\n", tsp()), (Sequence{0, 2, 1, 3}));
  EXPECT_EQ(read("0 1 3 0 2 0", cvrp()), (Sequence{0, 1, 3, 0, 2, 0}));
  EXPECT_EQ(read("1 3 0 2", cvrp()), (Sequence{0, 1, 3, 0, 2, 0}));
}

TEST(JsonSolution, ReadsTourAndRoutes) {
  EXPECT_EQ(read(R"({"tour":[1,3,2,4]})", tsp()), (Sequence{0, 2, 1, 3}));
  EXPECT_EQ(read(R"({"cost":1,"decode":"greedy","routes":[[2,4],[3]]})", cvrp()),
            (Sequence{0, 1, 3, 0, 2, 0}));
  EXPECT_EQ(read(R"({"solution":{"tour":[4,3,2,1]}})", tsp()), (Sequence{3, 2, 1, 0}));
}

TEST(SolutionReader, LeavesFeasibilityToTheChecker) {
  EXPECT_FALSE(check(tsp(), solution_in("1 2 3", "file", tsp())).feasible);
  EXPECT_FALSE(check(cvrp(), solution_in("Route #1: 1 2 3", "file", cvrp())).feasible);
}

TEST(SolutionWriter, WritesWhatTheFieldsToolsRead) {
  const TemporaryFolder folder;
  write_solution(folder.path("a.tour"), tsp(), solution_in("1 2 3 4", "list", tsp()));
  EXPECT_EQ(content(folder.path("a.tour")),
            "NAME : square.tour\nCOMMENT : Length = 14\nTYPE : TOUR\nDIMENSION : 4\n"
            "TOUR_SECTION\n1\n2\n3\n4\n-1\nEOF\n");
  write_solution(folder.path("a.sol"), cvrp(), solution_in("1 3 0 2", "list", cvrp()));
  EXPECT_EQ(content(folder.path("a.sol")), "Route #1: 1 3\nRoute #2: 2\nCost 22\n");
}

TEST(SolutionWriter, LeavesNoFileForAnInfeasibleSolutionOrAWrongName) {
  const TemporaryFolder folder;
  const Solution bad = solution_in("1 2 3", "list", tsp());
  EXPECT_EQ(message_of([&] { write_solution(folder.path("a.tour"), tsp(), bad); }),
            folder.path("a.tour") + ": infeasible solution: node 4 is never visited");
  const Solution good = solution_in("1 2 3 4", "list", tsp());
  message_of([&] { write_solution(folder.path("a.sol"), tsp(), good); }, ErrorKind::usage);
  EXPECT_EQ(folder.files(), 0U);
}

TEST(SolutionWriter, WritesAPlanThatOnlyLacksVehicles) {
  const TemporaryFolder folder;
  Instance instance = cvrp();
  instance.vehicles = 1;
  const Solution plan = solution_in("1 3 0 2", "list", instance);
  ASSERT_TRUE(check(instance, plan).lacks_vehicles);
  write_solution(folder.path("a.sol"), instance, plan);
  EXPECT_EQ(content(folder.path("a.sol")), "Route #1: 1 3\nRoute #2: 2\nCost 22\n");
}

TEST(SolutionWriter, TheNameTellsTheFormat) {
  const auto format = [](const std::string& name, std::optional<ProblemKind> kind) {
    return solution_format_by_name(name, kind);
  };
  EXPECT_EQ(format("a.tour.gz", ProblemKind::tsp), SolutionFormat::tour);
  EXPECT_EQ(format("-", ProblemKind::tsp), SolutionFormat::tour);
  EXPECT_EQ(format("-", ProblemKind::cvrp), SolutionFormat::sol);
  EXPECT_EQ(format("a.json", ProblemKind::cvrp), SolutionFormat::json);
  EXPECT_EQ(format("a.sol", std::nullopt), SolutionFormat::sol);
  const auto usage = [&](const std::string& name, std::optional<ProblemKind> kind) {
    return message_of([&] { (void)format(name, kind); }, ErrorKind::usage);
  };
  EXPECT_EQ(usage("a.sol", ProblemKind::tsp),
            "a.sol: expected a name in .tour, .json, .csv or .geojson for the solution of a tsp");
  EXPECT_EQ(usage("a.xyz", std::nullopt),
            "a.xyz: expected a name in .tour, .sol, .json, .csv or .geojson for the solution");
}

class WrongSolution : public testing::TestWithParam<Wrong> {};

// TSP for tours and lists, CVRP for the rest.
TEST_P(WrongSolution, GetsAMessageWithLineFoundAndExpected) {
  const bool for_cvrp = std::string_view(GetParam().what).starts_with("Sol");
  const Instance instance = for_cvrp ? cvrp() : tsp();
  EXPECT_EQ(message_of([&] { (void)solution_in(GetParam().text, "file", instance); }),
            GetParam().message);
}

std::vector<Wrong> wrong_solutions() {
  const std::string routes = "'Route #1: ...' or 'Cost ...'";
  const std::string customers = "1 to 3 (customers are numbered without the depot)";
  return {
      {"Empty", "\n", "file: found an empty file, expected a solution"},
      {"JsonRest", R"({"tour":[1,2,3,4]} x)",
       "file:1: found 'x', expected a JSON object or the end of the file"},
      {"JsonTwo", R"({"tour":[1,2,3,4]}{"tour":[1,2,3,4]})",
       "file:1: found a second JSON object, expected one solution"},
      {"TourDimension", "DIMENSION : 5\nTOUR_SECTION\n1\n-1\n",
       "file:1: found DIMENSION '5', expected 4 as in the instance"},
      {"TourHugeDimension", "DIMENSION : 1000000000000\nTOUR_SECTION\n1\n-1\n",
       "file:1: found DIMENSION '1000000000000', expected 4 as in the instance"},
      {"TourType", "TYPE : TSP\n", "file:1: found TYPE 'TSP', expected TYPE : TOUR"},
      {"TourNoSection", "NAME : x\n", "file: found no TOUR_SECTION, expected one"},
      {"TourTwoSections", "TOUR_SECTION\n1 -1\nTOUR_SECTION\n",
       "file:3: found a second TOUR_SECTION, expected one"},
      {"TourTruncated", "TOUR_SECTION\n1\n2\n",
       "file:3: found the end of TOUR_SECTION, expected -1 after the last node"},
      {"TourForeignNode", "TOUR_SECTION\n1\n9\n-1\n",
       "file:3: found node 9, expected a node of the instance"},
      {"TourNan", "TOUR_SECTION\n1\n-nan\n-1\n",
       "file:3: found '-nan', expected a node number or -1"},
      {"TourAfterTheEnd", "TOUR_SECTION\n1 -1\nEOF\n5\n",
       "file:4: found '5' after EOF, expected the end of the file"},
      {"TourTwoTours", "TOUR_SECTION\n1 2 -1 3 4 -1\n",
       "file:2: found 3 after -1, expected EOF: one tour"},
      {"ListText", "1 2 x\n", "file:1: found 'x', expected a node number"},
      {"ListForeignNode", "1 2\n0\n", "file:2: found node 0, expected a node of the instance"},
      {"RoutesOfATsp", "Route #1: 1\n",
       "file: found routes, expected a tour: the instance is a TSP"},
      {"SolForeignCustomer", "Route #1: 1 4\n", "file:1: found customer 4, expected " + customers},
      {"SolDepotInRoute", "Route #1: 0 1 0\n", "file:1: found customer 0, expected " + customers},
      {"SolNoRoute", "Cost 5\n", "file: found no route, expected " + routes},
      {"SolNoNumber", "Route #: 1\n", "file:1: found 'Route #', expected " + routes},
      {"SolOverflow", "Route #1: 99999999999999999999\n",
       "file:1: found '99999999999999999999', expected a customer number"},
      {"SolBadCost", "Route #1: 1\nCost nan\n",
       "file:2: found 'nan', expected a cost or time in seconds"},
      {"SolOtherText", "Route #1: 1\nhello\n", "file:2: found 'hello', expected " + routes},
  };
}

INSTANTIATE_TEST_SUITE_P(Files, WrongSolution, testing::ValuesIn(wrong_solutions()), name_of);

}  // namespace
}  // namespace eco::io
