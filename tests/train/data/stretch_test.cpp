// Stretches: which choices of a solution they hold, and what the policy is not shown of it.

#include "train/data/stretch.h"

#include <gtest/gtest.h>

#include <set>

#include "train/nn/policy_cases.h"

namespace eco::train {
namespace {

constexpr std::size_t kNodes = 12, kSolutions = 4;

PointerBatch solutions_of(const ModelConfig& config) {
  Rng rng(5);
  std::vector<Instance> instances;
  std::vector<Solution> solutions;
  std::vector<std::size_t> owner;
  for (std::size_t i = 0; i < kSolutions; ++i) {
    instances.push_back(instance_of(config.problem, kNodes, i));
    solutions.push_back(random_solution(instances.back(), rng));
    owner.push_back(i);
  }
  return pointer_batch(config, instances, solutions, owner);
}

// How many nodes are served before each step that solution s learns from.
std::set<std::int64_t> learned(const PointerBatch& batch, std::int64_t s) {
  std::set<std::int64_t> places;
  for (std::int64_t t = 0; t < batch.steps(); ++t) {
    if (batch.counted[s][t].item<float>() == 0) continue;
    EXPECT_TRUE(places.insert(batch.served[s][t].item<std::int32_t>()).second);
  }
  return places;
}

TEST(Stretch, HasTheSameChoicesOfEverySolutionBehindWhatIsGiven) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const ModelConfig config = small(lehd_preset(problem));
    const std::int64_t first = config.depot() ? 0 : 1, end = kNodes - first;
    std::set<std::int64_t> lengths;
    for (std::uint64_t stream = 0; stream < 300; ++stream) {
      for (const std::size_t steps : {0, 3}) {
        PointerBatch batch = solutions_of(config);
        Rng rng(1, stream);
        cut_stretches(batch, steps, rng);
        lengths.insert(static_cast<std::int64_t>(kNodes) - batch.given);
        const auto expected = static_cast<std::size_t>(end - batch.given);
        for (std::int64_t s = 0; s < batch.solutions(); ++s) {
          const std::set<std::int64_t> places = learned(batch, s);
          EXPECT_EQ(places.size(), steps == 0 ? expected : std::min(steps, expected));
          EXPECT_GE(*places.begin(), batch.given);
          EXPECT_LT(*places.rbegin(), end);
          EXPECT_EQ(places, learned(batch, 0));
        }
      }
    }
    EXPECT_EQ(*lengths.begin(), 2);
    EXPECT_EQ(lengths.size(), kNodes - 1 - static_cast<std::size_t>(first));
  }
}

TEST(Stretch, OfAnInstanceTooSmallForOneIsTheWholeSolution) {
  const ModelConfig config = small(lehd_preset(ProblemKind::tsp));
  const Instance instance = instance_of(ProblemKind::tsp, 2, 0);
  PointerBatch batch = pointer_batch(config, {instance}, {{{NodeId(0), NodeId(1)}}}, {0});
  Rng rng(1);
  cut_stretches(batch, 3, rng);
  EXPECT_EQ(batch.given, 0);
  EXPECT_EQ(batch.counted.sum().item<float>(), 1);
}

// Moves the nodes that were visited before the last given one, but for the first of a tour.
void move_what_is_forgotten(PointerBatch& batch, bool depot) {
  for (std::int64_t s = 0; s < batch.solutions(); ++s) {
    for (std::int64_t i = depot ? 0 : 1; i + 1 < batch.given; ++i) {
      batch.features[batch.instance[s].item<std::int64_t>()]
                    [batch.order[s][i].item<std::int64_t>()] += 0.3;
    }
  }
}

TEST(Stretch, KnowsNothingOfWhatWasVisitedBeforeIt) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const ModelConfig config = small(lehd_preset(problem));
    const Policy policy = random_policy(config, 3);
    const at::NoGradGuard guard;
    for (std::uint64_t stream = 0; stream < 20; ++stream) {
      PointerBatch batch = solutions_of(config);
      Rng rng(2, stream);
      cut_stretches(batch, 0, rng);
      const at::Tensor before = policy.log_probabilities(batch);
      move_what_is_forgotten(batch, config.depot());
      EXPECT_TRUE(policy.log_probabilities(batch).equal(before));
      const std::int64_t open = batch.order[0][batch.given].item<std::int64_t>();
      batch.features[0][open] += 0.3;
      EXPECT_FALSE(policy.log_probabilities(batch).equal(before));
    }
  }
}

// With an encoder that looks at one node at a time, what it is not shown changes nothing: the
// choices along a stretch are those of the whole solution.
TEST(Stretch, IsWhatIsLeftOfTheWholeSolution) {
  for (const ProblemKind problem : {ProblemKind::tsp, ProblemKind::cvrp}) {
    ModelConfig config = small(lehd_preset(problem));
    config.encoder_layers = 1;
    const Policy policy = random_policy(config, 3);
    const at::NoGradGuard guard;
    policy["encoder.0.attn_out.weight"].zero_();
    const PointerBatch whole = solutions_of(config);
    const at::Tensor expected = policy.log_probabilities(whole);
    for (std::uint64_t stream = 0; stream < 40; ++stream) {
      PointerBatch batch = solutions_of(config);
      Rng rng(2, stream);
      cut_stretches(batch, 0, rng);
      const at::Tensor found = policy.log_probabilities(batch);
      EXPECT_LT((found - expected * batch.counted).abs().max().item<double>(), 1e-5) << batch.given;
    }
  }
}

}  // namespace
}  // namespace eco::train
