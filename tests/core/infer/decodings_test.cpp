#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/infer/engine.h"
#include "core/infer/flops.h"
#include "core/model/instance_tokens.h"
#include "core/model/reference_model.h"
#include "core/problem/check.h"

namespace eco {
namespace {

Instance unit_square_instance(ProblemKind kind, std::size_t customers, std::uint64_t seed) {
  Rng rng(seed, 78);
  Instance instance;
  instance.kind = kind;
  const std::size_t nodes = customers + (kind == ProblemKind::cvrp ? 1 : 0);
  for (std::size_t i = 0; i < nodes; ++i) instance.points.push_back({rng.uniform(), rng.uniform()});
  if (kind == ProblemKind::cvrp) {
    instance.capacity = 20;
    instance.demands.assign(nodes, 0);
    for (std::size_t i = 1; i < nodes; ++i) instance.demands[i] = rng.between(1, 9);
  }
  return instance;
}

ModelConfig small(ModelConfig config) {
  config.dim = 32;
  return config;
}

Engine engine_for(const ModelConfig& config, std::size_t threads = 2) {
  return Engine(std::make_shared<const Weights>(testing::shaken_weights(config, 4)), threads);
}

std::vector<Rollout> run(Engine& engine, const Instance& instance, const DecodeOptions& options) {
  const Instance* one = &instance;
  return engine.run({&one, 1}, options)[0];
}

TEST(MultiStart, StartsEveryRolloutElsewhereAndTheFirstIsGreedy) {
  Engine engine = engine_for(small(paper_preset(ProblemKind::tsp)));
  const Instance instance = unit_square_instance(ProblemKind::tsp, 20, 1);
  DecodeOptions options;
  options.method = Decode::multistart;
  options.samples = 20;
  const auto rollouts = run(engine, instance, options);
  std::set<NodeId> starts;
  for (const Rollout& rollout : rollouts) starts.insert(rollout.solution.sequence.front());
  EXPECT_EQ(starts.size(), 20U);
  EXPECT_EQ(rollouts[0].solution, run(engine, instance, {})[0].solution);
}

// What POMO learns from.
TEST(MultiStart, SpreadSamplesAllStartElsewhere) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const ModelConfig& config :
         {paper_preset(kind), pomo_preset(kind), am_preset(kind), lehd_preset(kind)}) {
      Engine engine = engine_for(config);
      const Instance instance = unit_square_instance(kind, 20, 1);
      DecodeOptions options;
      options.method = Decode::sample;
      options.samples = 20;
      options.spread = true;
      std::set<NodeId> starts;
      for (const Rollout& rollout : run(engine, instance, options)) {
        starts.insert(rollout.solution.sequence[kind == ProblemKind::cvrp ? 1 : 0]);
      }
      EXPECT_EQ(starts.size(), 20U);
    }
  }
}

TEST(Symmetries, OfTheUnitSquareAreReadAsPomoReadsThem) {
  const ModelConfig config = pomo_preset(ProblemKind::tsp);
  Instance instance = unit_square_instance(ProblemKind::tsp, 30, 1), mirrored = instance;
  for (Point& p : mirrored.points) p.x = -p.x;  // x - 1 with its corner at (-1, 0)
  const auto plain = instance_tokens(config, instance), other = instance_tokens(config, mirrored);
  for (std::size_t i = 0; i < 30; ++i) {
    const Point& p = instance.points[plain.order[i].index()];
    EXPECT_EQ(plain.features[2 * i], static_cast<float>(p.x));
    EXPECT_EQ(plain.features[2 * i + 1], static_cast<float>(p.y));
    EXPECT_EQ(other.features[2 * i],
              static_cast<float>(1 - instance.points[other.order[i].index()].x));
  }
  for (Point& p : instance.points) p = {100 * p.x, 100 * p.y};
  for (const float feature : instance_tokens(config, instance).features) {
    EXPECT_GE(feature, 0);
    EXPECT_LE(feature, 1);
  }
}

TEST(MultiStart, OfAPlanGivesEveryRolloutAnotherFirstCustomer) {
  Engine engine = engine_for(small(paper_preset(ProblemKind::cvrp)));
  const Instance instance = unit_square_instance(ProblemKind::cvrp, 20, 1);
  DecodeOptions options;
  options.method = Decode::multistart;
  options.samples = 21;
  const auto rollouts = run(engine, instance, options);
  EXPECT_EQ(rollouts[0].solution, run(engine, instance, {})[0].solution);
  std::set<NodeId> starts;
  for (std::size_t i = 1; i <= 20; ++i) starts.insert(rollouts[i].solution.sequence[1]);
  EXPECT_EQ(starts.size(), 20U);
  const Instance none = unit_square_instance(ProblemKind::cvrp, 0, 1);
  EXPECT_EQ(run(engine, none, options).size(), 21U);
}

TEST(Augmentation, IsGreedyOnTheEightImagesOfAnInstance) {
  for (const ModelConfig& config :
       {small(paper_preset(ProblemKind::cvrp)), small(best_preset(ProblemKind::tsp))}) {
    Engine engine = engine_for(config);
    const Instance instance = unit_square_instance(config.problem, 30, 2);
    DecodeOptions options;
    options.method = Decode::augment;
    const auto rollouts = run(engine, instance, options);
    ASSERT_EQ(rollouts.size(), 8U);
    EXPECT_EQ(rollouts[0].solution, run(engine, instance, {})[0].solution);
    Instance transposed = instance;
    for (Point& p : transposed.points) std::swap(p.x, p.y);
    EXPECT_EQ(rollouts[4].solution, run(engine, transposed, {})[0].solution);
    for (const Rollout& rollout : rollouts) {
      EXPECT_EQ(rollout.cost, check(instance, rollout.solution).cost);
    }
  }
}

// All solutions of a tiny instance with their probabilities, by walking the whole tree.
void enumerate(Engine& engine, const Instance& instance, Solution prefix,
               std::vector<std::pair<double, Solution>>& out) {
  if (prefix.sequence.size() == instance.size()) {
    double total = 0;
    for (const StepScore& step : engine.score_path(instance, prefix)) total += step.log_probability;
    out.emplace_back(total, prefix);
    return;
  }
  for (std::size_t i = 0; i < instance.size(); ++i) {
    const NodeId node(i);
    if (std::find(prefix.sequence.begin(), prefix.sequence.end(), node) != prefix.sequence.end()) {
      continue;
    }
    Solution longer = prefix;
    longer.sequence.push_back(node);
    enumerate(engine, instance, longer, out);
  }
}

TEST(Beam, AWideEnoughBeamFindsTheMostProbableToursInOrder) {
  Engine engine = engine_for(small(paper_preset(ProblemKind::tsp)));
  const Instance instance = unit_square_instance(ProblemKind::tsp, 5, 3);
  const Solution greedy = run(engine, instance, {})[0].solution;
  std::vector<std::pair<double, Solution>> all;
  enumerate(engine, instance, Solution{{greedy.sequence.front()}}, all);
  ASSERT_EQ(all.size(), 24U);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  DecodeOptions options;
  options.method = Decode::beam;
  options.samples = 24;
  const auto beams = run(engine, instance, options);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(beams[i].solution, all[i].second) << i;
    EXPECT_NEAR(beams[i].log_probability, all[i].first, 1e-5);
  }
}

TEST(Beam, OfWidthOneIsGreedyAndWiderOnesAreAtLeastAsProbable) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    ModelConfig transformer = paper_preset(kind);
    transformer.backbone = Backbone::transformer;
    for (const ModelConfig& config : {paper_preset(kind), transformer, lehd_preset(kind)}) {
      Engine engine = engine_for(small(config));
      const Instance instance = unit_square_instance(kind, 25, 6);
      const auto greedy = run(engine, instance, {})[0];
      DecodeOptions options;
      options.method = Decode::beam;
      EXPECT_EQ(run(engine, instance, options)[0].solution, greedy.solution);
      options.samples = 6;
      const auto beams = run(engine, instance, options);
      EXPECT_TRUE(std::is_sorted(beams.begin(), beams.end(), [](const auto& a, const auto& b) {
        return a.log_probability > b.log_probability;
      }));
      EXPECT_GE(beams[0].log_probability, greedy.log_probability - 1e-9);
    }
  }
}

// A policy that knows nothing leaves much to be mended.
TEST(Reconstruction, NeverLengthensASolutionAndMoreOfItShortensIt) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const ModelConfig& config :
         {small(paper_preset(kind)), pomo_preset(kind), small(lehd_preset(kind))}) {
      Engine engine = engine_for(config);
      const Instance instance = unit_square_instance(kind, 25, 6);
      DecodeOptions options;
      double before = run(engine, instance, options)[0].cost;
      const double greedy = before;
      options.method = Decode::reconstruct;
      for (const std::size_t times : {1, 10, 60}) {
        options.samples = times;
        const auto rollouts = run(engine, instance, options);
        ASSERT_EQ(rollouts.size(), 1U);
        EXPECT_TRUE(check(instance, rollouts[0].solution).feasible);
        EXPECT_LE(rollouts[0].cost, before);  // the first draws are the same
        before = rollouts[0].cost;
      }
      EXPECT_LT(before, greedy);
      options.seed = 1;
      EXPECT_NE(run(engine, instance, options)[0].cost, before);
    }
  }
}

TEST(Reconstruction, LeavesAloneWhatItHasNoTimeForAndWhatIsTooSmall) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    Engine engine = engine_for(small(lehd_preset(kind)));
    DecodeOptions options;
    options.method = Decode::reconstruct;
    options.samples = 1'000'000;
    const Instance instance = unit_square_instance(kind, 30, 6);
    const Instance* one = &instance;
    const Rollout late = engine.run({&one, 1}, options, Deadline::after(0.5))[0][0];
    EXPECT_TRUE(late.complete);
    EXPECT_LE(late.cost, run(engine, instance, {})[0].cost);
    EXPECT_FALSE(engine.run({&one, 1}, options, Deadline::after(0))[0][0].complete);
    for (const std::size_t customers : {0, 1, 2}) {
      if (kind == ProblemKind::tsp && customers == 0) continue;
      const Instance few = unit_square_instance(kind, customers, 6);
      EXPECT_EQ(run(engine, few, options)[0].solution, run(engine, few, {})[0].solution);
    }
  }
}

TEST(Candidates, AllNodesAsCandidatesChangeNothing) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const ModelConfig& config : {paper_preset(kind), lehd_preset(kind)}) {
      Engine engine = engine_for(small(config));
      const Instance instance = unit_square_instance(kind, 30, 7);
      DecodeOptions options;
      options.candidates = 31;
      const auto dense = run(engine, instance, {})[0], sparse = run(engine, instance, options)[0];
      EXPECT_EQ(dense.solution, sparse.solution);
      EXPECT_EQ(dense.log_probability, sparse.log_probability);
    }
  }
}

TEST(Candidates, OneCandidateIsTheNearestNeighbourTour) {
  Engine engine = engine_for(small(paper_preset(ProblemKind::tsp)));
  const Instance instance = unit_square_instance(ProblemKind::tsp, 40, 8);
  DecodeOptions options;
  options.candidates = 1;
  const Solution tour = run(engine, instance, options)[0].solution;
  for (std::size_t t = 0; t + 1 < tour.sequence.size(); ++t) {
    const double step = instance.distance(tour.sequence[t], tour.sequence[t + 1]);
    for (std::size_t later = t + 2; later < tour.sequence.size(); ++later) {
      EXPECT_LE(step, instance.distance(tour.sequence[t], tour.sequence[later]));
    }
  }
}

TEST(Flops, CountThePaperPresetAsTheTablesOfItsShapesDo) {
  const ModelConfig config = paper_preset(ProblemKind::tsp);
  // Multiply-adds of one decoder step by hand: in, conv, S4 (two a state), out, FFN; then query.
  const double layer = 128 * 512 + 256 * 4 + 2 * 256 * 16 + 256 * 128 + 2 * 128 * 512;
  EXPECT_DOUBLE_EQ(decode_step_flops(config, 0), 2 * (3 * layer + 128 * 128));
  EXPECT_DOUBLE_EQ(score_flops(config, 10), 2 * 10 * 128);
  const TourFlops tour = tour_flops(config, 1000, {});
  EXPECT_NEAR(tour.total() * 1000 / 1e12, 3.1, 0.2);  // a thousand tours
}

TEST(Flops, CountTheAttentionModelAsTheTablesOfItsShapesDo) {
  const ModelConfig config = am_preset(ProblemKind::tsp);
  // Multiply-adds by hand of a token among ten.
  const double layer = 4 * 128 * 128 + 2 * 10 * 128 + 2 * 128 * 512;
  EXPECT_DOUBLE_EQ(encode_flops(config, 10), 20 * (2 * 128 + 3 * layer + 5 * 128 * 128 + 128));
  EXPECT_DOUBLE_EQ(score_flops(config, 10), 2 * 10 * 3 * 128);
}

TEST(Flops, CountATokenOfTheBestPresetAsTheTablesOfItsShapesDo) {
  const ModelConfig config = best_preset(ProblemKind::tsp);
  // Multiply-adds by hand. Inputs: 39 of a token, 16 of an edge; 12 candidates; 4 heads.
  ASSERT_EQ(config.token_features(), 39U);
  const double input = 2 * 39 * 128 + 128 * 128;
  const double mixer = 128 * 512 + 256 * 4 + 256 * (8 + 32) + 8 * 256 + 3 * 256 * 16 + 256 * 128;
  const double link = 128 * 128;
  const double near = 3 * 128 * 128 + 2 * 12 * 4 * 16 + 2 * 12 * 128 + 16 * 128 + 128 * 128;
  const double first = 2 * 128 * 64 + 12 * (16 * 64 + 64 * 64 + 64);
  const double second = 2 * 128 * 64 + 12 * (20 * 64 + 64 * 64 + 64);
  EXPECT_DOUBLE_EQ(encode_flops(config, 10),
                   20 * (input + 4 * (mixer + link + near) + first + second));
}

}  // namespace
}  // namespace eco
