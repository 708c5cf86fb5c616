#include "core/infer/commit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/rng.h"
#include "core/instance/generate.h"

namespace eco {
namespace {

constexpr std::size_t kWidth = 6;

Instance commit_instance(ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  return generate(options, index);
}

// A state as the network sees it, with probabilities of our own.
struct Scene {
  explicit Scene(const Fragments& state) {
    MergeInputBuilder builder;
    input.clear(state.has_depot(), kWidth);
    builder.append(state, View(state.instance()), {}, input);
    log_probabilities.assign(input.tokens() * input.width, std::log(1e-4F));
  }
  void randomise(Rng& rng) {
    for (std::size_t token = 0; token < input.tokens(); ++token) {
      double sum = 0;
      std::vector<double> draw(input.count[token]);
      for (double& value : draw) sum += value = std::exp(3 * rng.normal());
      for (std::size_t a = 0; a < draw.size(); ++a) {
        log_probabilities[token * input.width + a] = static_cast<float>(std::log(draw[a] / sum));
      }
    }
  }
  // Both ends give the edge probability p, if they have it in their lists.
  void believe(NodeId a, NodeId b, double p) {
    for (std::size_t token = 0; token < input.tokens(); ++token) {
      for (std::size_t slot = 0; slot < input.count[token]; ++slot) {
        const NodeId here = input.node[token];
        const NodeId there = input.node[input.candidates[token * input.width + slot]];
        if ((here == a && there == b) || (here == b && there == a)) {
          log_probabilities[token * input.width + slot] = static_cast<float>(std::log(p));
        }
      }
    }
  }
  [[nodiscard]] Choices choices() const { return choices_of(input, 0, log_probabilities); }
  [[nodiscard]] std::vector<NodeId> nearest(NodeId node, std::size_t most) const {
    std::vector<NodeId> result;
    for (std::size_t token = 0; token < input.tokens(); ++token) {
      if (input.node[token] != node) continue;
      for (std::size_t slot = input.fixed(); slot < input.count[token]; ++slot) {
        if (result.size() < most) {
          result.push_back(input.node[input.candidates[token * input.width + slot]]);
        }
      }
    }
    return result;
  }

  MergeInput input;
  std::vector<float> log_probabilities;
};

TEST(Commit, MakesOnlyLegalLinksAndAtLeastOne) {
  Rng rng(2);
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (std::size_t index = 0; index < 20; ++index) {
      const Instance instance = commit_instance(kind, 30 + index, index);
      Fragments state(instance);
      Committer committer;
      for (int round = 0; round < 200 && state.open_nodes() > 0; ++round) {
        if (!state.has_depot() && state.links_left() == 0) break;
        Scene scene(state);
        scene.randomise(rng);
        Fragments replayed = state;
        committer.commit(state, scene.choices(), {});
        if (committer.merges().empty()) {
          EXPECT_TRUE(state.has_depot());
          break;
        }
        for (const Merge& merge : committer.merges()) {
          if (state.has_depot() && merge.b == kDepot) {
            ASSERT_TRUE(replayed.open(merge.a));
            replayed.send_home(merge.a);
          } else {
            ASSERT_TRUE(replayed.can_link(merge.a, merge.b));
            replayed.link(merge.a, merge.b);
          }
        }
      }
    }
  }
}

// The rule as a sentence: an unsure link is the surest legal one of all that touch what it blocks.
TEST(Commit, ALinkThatIsNotSureIsTheSurestOfItsPlace) {
  Rng rng(6);
  for (std::size_t index = 0; index < 20; ++index) {
    const Instance instance = commit_instance(ProblemKind::tsp, 60, index);
    Fragments state(instance);
    Scene scene(state);
    scene.randomise(rng);
    CommitRule rule;
    rule.sure = 2;  // none is
    rule.neighbourhood = 3;
    Committer committer;
    committer.commit(state, scene.choices(), rule);
    std::map<NodeId, float> made;
    for (const Merge& merge : committer.merges()) {
      // Surest first, and no two of a round see each other.
      for (const NodeId end : {merge.a, merge.b}) {
        EXPECT_FALSE(made.contains(end));
        for (const auto& [other, confidence] : made) {
          EXPECT_GE(confidence, merge.confidence);
          const auto near = scene.nearest(other, 3);
          EXPECT_EQ(std::find(near.begin(), near.end(), end), near.end());
        }
      }
      made[merge.a] = made[merge.b] = merge.confidence;
    }
  }
}

TEST(Commit, ASureLinkBlocksNothing) {
  const Instance instance = commit_instance(ProblemKind::tsp, 40, 3);
  Fragments state(instance);
  Scene scene(state);
  // Two links side by side, at a node and the two nearest of it; a single has two places.
  const NodeId middle = scene.input.node[20];
  const auto near = scene.nearest(middle, 2);
  for (const NodeId other : near) scene.believe(middle, other, 0.5);
  CommitRule rule;
  Committer committer;
  committer.commit(state, scene.choices(), rule);
  EXPECT_EQ(state.degree(middle), 2U);
}

TEST(Commit, NothingGoesHomeWhileCustomersAreSureOfEachOther) {
  const Instance instance = commit_instance(ProblemKind::cvrp, 30, 3);
  Fragments state(instance);
  Scene scene(state);
  for (std::size_t token = 1; token < scene.input.tokens(); ++token) {
    scene.log_probabilities[token * scene.input.width] = std::log(0.6F);  // the depot
  }
  Fragments waiting = state;
  Committer committer;
  committer.commit(state, scene.choices(), {});
  const auto goes_home = [](const Merge& merge) { return merge.b == kDepot; };
  EXPECT_TRUE(std::any_of(committer.merges().begin(), committer.merges().end(), goes_home));

  // Two that have each other in their lists.
  std::size_t row = 1;
  while (scene.input.back[row * scene.input.width + 1] == MergeInput::kNone) ++row;
  const NodeId a = scene.input.node[row];
  scene.believe(a, scene.nearest(a, 1).front(), 0.3);
  committer.commit(waiting, scene.choices(), {});
  ASSERT_EQ(committer.merges().size(), 1U);
  EXPECT_NE(committer.merges()[0].b, kDepot);
}

TEST(Commit, AGuideRefusesLinks) {
  Rng rng(5);
  const Instance instance = commit_instance(ProblemKind::tsp, 40, 3);
  Fragments state(instance);
  Scene scene(state);
  scene.randomise(rng);
  Committer committer;
  committer.commit(state, scene.choices(), {}, nullptr,
                   [](NodeId a, NodeId b) { return a.index() % 2 == b.index() % 2; });
  for (const Merge& merge : committer.merges()) {
    EXPECT_EQ(merge.a.index() % 2, merge.b.index() % 2);
  }
}

TEST(Commit, NoiseIsAFunctionOfItsStream) {
  const Instance instance = commit_instance(ProblemKind::tsp, 80, 3);
  Rng rng(5);
  Scene scene{Fragments(instance)};
  scene.randomise(rng);
  CommitRule rule;
  rule.temperature = 0.5;
  const auto links = [&](std::uint64_t stream) {
    Fragments state(instance);
    Rng noise(1, stream);
    Committer committer;
    committer.commit(state, scene.choices(), rule, &noise);
    std::vector<NodeId> ends;
    for (const Merge& merge : committer.merges()) ends.insert(ends.end(), {merge.a, merge.b});
    return ends;
  };
  EXPECT_EQ(links(1), links(1));
  EXPECT_NE(links(1), links(2));
}

TEST(LinkGreedily, LeavesOnePathOrNoSaving) {
  for (std::size_t index = 0; index < 10; ++index) {
    const Instance tour = commit_instance(ProblemKind::tsp, 3 + 40 * index, index);
    Fragments path(tour);
    link_greedily(path);
    EXPECT_EQ(path.links_left(), 0U);
    const Instance plan = commit_instance(ProblemKind::cvrp, 3 + 40 * index, index);
    Fragments routes(plan);
    link_greedily(routes);
    EXPECT_LE(routes.open_load(), plan.capacity * static_cast<std::int64_t>(plan.size()));
    (void)routes.finish();
  }
}

}  // namespace
}  // namespace eco
