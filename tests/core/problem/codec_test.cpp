// A solution and what constructors decide to get there, for every problem.

#include "core/problem/codec.h"

#include <gtest/gtest.h>

#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "core/search/construct/curve.h"

namespace eco {
namespace {

Instance generated(ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  return generate(options, index);
}

TEST(Codec, StepsLeadBackToTheSolution) {
  for (const ProblemKind kind : kProblems) {
    for (const std::size_t nodes : {1, 2, 3, 30}) {
      const Instance instance = generated(kind, nodes, nodes);
      const Solution solution = curve_solution(instance);
      EXPECT_EQ(solution_of(instance, steps_of(instance, solution)), solution) << to_string(kind);
    }
  }
}

TEST(Codec, ConsecutiveDepotTokensAreOneStep) {
  const Instance instance = generated(ProblemKind::cvrp, 2, 0);
  const Solution spread{{kDepot, NodeId(1), kDepot, kDepot, NodeId(2), kDepot}};
  EXPECT_EQ(steps_of(instance, spread),
            (std::vector<NodeId>{NodeId(1), kDepot, NodeId(2), kDepot}));
}

TEST(Codec, AGivenStartIsNoStep) {
  Instance instance = generated(ProblemKind::path, 4, 0);
  instance.start = NodeId(2);
  const Solution path{{NodeId(2), NodeId(0), NodeId(3), NodeId(1)}};
  EXPECT_EQ(steps_of(instance, path), (std::vector<NodeId>{NodeId(0), NodeId(3), NodeId(1)}));
}

TEST(Partners, OfATourAreItsNeighbours) {
  const Instance instance = generated(ProblemKind::tsp, 4, 0);
  const Partners partners(instance, {{NodeId(2), NodeId(0), NodeId(3), NodeId(1)}});
  EXPECT_TRUE(partners.linked(NodeId(2), NodeId(1)) && partners.linked(NodeId(0), NodeId(3)));
  EXPECT_FALSE(partners.linked(NodeId(2), NodeId(3)));
}

TEST(Partners, OfTheEndsOfAPathAreWhatIsOutside) {
  Instance instance = generated(ProblemKind::path, 4, 0);
  const Solution path{{NodeId(2), NodeId(0), NodeId(3), NodeId(1)}};
  EXPECT_FALSE(Partners(instance, path).linked(NodeId(2), NodeId(1)));
  instance.start = NodeId(2);
  EXPECT_FALSE(Partners(instance, path).linked(NodeId(2), NodeId(1)));
  instance.end = NodeId(1);
  EXPECT_TRUE(Partners(instance, path).linked(NodeId(2), NodeId(1))) << "joined from the start";
}

}  // namespace
}  // namespace eco
