#include "train/rollout/merge_states.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "core/base/statistics.h"
#include "core/expert/problem_expert.h"
#include "core/infer/commit.h"
#include "core/problem/codec.h"
#include "core/problem/problem.h"
#include "core/tour/edge.h"
#include "train/data/expert.h"
#include "train/data/merge_batch.h"

namespace eco::train {

namespace {

constexpr std::size_t kFewestOpen = 4;  // below, there is nothing to choose
constexpr std::uint64_t kFewestIterations = 200;
constexpr double kRefineEffort = 0.02;  // of the short search from the policy's own solution
constexpr double kSampledStates = 2;    // of a way that is continued by samples
constexpr double kLess = 1 - 1e-9;      // differences below are rounding

// The partners that every node still lacks on the way to a solution.
class Missing {
 public:
  Missing(const Instance& instance, const Solution& solution)
      : has_depot_(instance.has_depot()), left_(instance.size()) {
    const Partners partners(instance, solution);
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const auto both = partners.of(NodeId(i));
      left_[i] = {{both[0], both[1]}, 2};
    }
  }

  // Whether the solution has this link among those still to be made; if so, it is made.
  bool take(NodeId a, NodeId b) {
    NodeId* at_a = find(a, b);
    if (at_a == nullptr) return false;
    *at_a = left_[a.index()].node[--left_[a.index()].count];
    if (has_depot_ && b == kDepot) return true;
    *find(b, a) = left_[b.index()].node[1];
    --left_[b.index()].count;
    return true;
  }

 private:
  struct Left {
    std::array<NodeId, 2> node;
    std::size_t count = 0;
  };
  [[nodiscard]] NodeId* find(NodeId at, NodeId partner) {
    Left& left = left_[at.index()];
    for (std::size_t i = 0; i < left.count; ++i) {
      if (left.node[i] == partner) return &left.node[i];
    }
    return nullptr;
  }

  bool has_depot_;
  std::vector<Left> left_;
};

// On free ways a rule as in solving, its sizes varied. On guided ones only right links are made, so
// that bolder rules do no harm and need fewer encodings.
CommitRule draw_rule(bool free, Rng& rng) {
  CommitRule rule;
  rule.sure = free ? rng.uniform(0.85, 1.0) : rng.uniform(0.4, 1.0);
  rule.neighbourhood = (free ? 4 : 1) + rng.below(9);
  return rule;
}

std::vector<Edge> links_of(const Fragments& state) {
  std::vector<Edge> links;
  for (std::size_t i = state.has_depot() ? 1 : 0; i < state.nodes(); ++i) {
    const NodeId node(i);
    for (std::size_t e = 0; e < state.degree(node); ++e) {
      const NodeId there = state.edges(node)[e];
      const bool home = state.has_depot() && there == kDepot;
      if (home || node < there) links.push_back({node, there});
    }
  }
  return links;
}

// The best solution that the expert finds with all links of the state in it, from `start` if given.
Solution way_on(const Fragments& state, double effort, std::uint64_t seed,
                const Solution* start = nullptr) {
  const Instance& instance = state.instance();
  const std::vector<Edge> links = links_of(state);
  ExpertOptions options;
  options.iterations = std::max(
      kFewestIterations,
      static_cast<std::uint64_t>(
          effort * static_cast<double>(default_effort(instance.kind, state.open_nodes()))));
  options.seed = seed;
  options.forced = links;
  options.start = start;
  return expert_of(instance.kind).own.solve(instance, options);
}

// The label with the state's links in it: what it has besides them as far as that fits, and the
// rest greedily. From there the expert needs half the effort that it needs from nothing.
Solution repaired(const Fragments& state, const Solution& label) {
  Fragments fitted = state;
  const Partners partners(state.instance(), label);
  for (std::size_t i = state.has_depot() ? 1 : 0; i < state.nodes(); ++i) {
    for (const NodeId there : partners.of(NodeId(i))) {
      const bool home = state.has_depot() && there == kDepot;
      if (!home && fitted.can_link(NodeId(i), there)) fitted.link(NodeId(i), there);
    }
  }
  link_greedily(fitted);
  return fitted.finish();
}

// One rollout: how it goes, and who wins over what it comes to.
struct Way {
  bool free = false, pairs = false;
  PairWinner winner = PairWinner::expert;
  Rollout rollout;
  Rng rng{0};
};

Way draw_way(const MergeStateOptions& options, std::size_t index) {
  Way way;
  way.rng = Rng(options.seed, index);
  way.free = way.rng.uniform() < options.free;
  if (!way.free || !options.pairs) return way;
  way.pairs = true;
  const double lot = way.rng.uniform();
  if (lot >= options.pairs->local_search + options.pairs->expert) way.winner = PairWinner::sample;
  if (lot < options.pairs->local_search) way.winner = PairWinner::local_search;
  return way;
}

// The label, and what the way comes to as its loser if that is longer.
MergeExample with_loser(MergeExample example, const Way& way) {
  const Instance& instance = example.state.instance();
  const double own = cost(instance, way.rollout.solution);
  const double better = cost(instance, example.label);
  if (better >= own * kLess) return example;
  example.loser = way.rollout.solution;
  example.margin = -gap_percent(better, own);
  return example;
}

// Goes over the rounds of a rollout again and keeps some of its states. A label serves until a link
// that it does not have; the expert's way on from there takes its place.
MergeVisit revisit(const Instance& instance, Way& way, double effort) {
  MergeVisit visit;
  Fragments state(instance);
  Solution label = *instance.reference;
  Missing missing(instance, label);
  bool wrong = false;
  for (const MergeRound& round : way.rollout.rounds) {
    if (state.open_nodes() < kFewestOpen) break;
    ++visit.states;
    const double open =
        static_cast<double>(state.open_nodes()) / static_cast<double>(instance.customers());
    const double few = kSampledStates / static_cast<double>(way.rollout.rounds.size());
    const bool keep = way.rng.uniform() < (way.winner == PairWinner::sample ? few : 1 - 0.5 * open);
    if (keep && way.winner == PairWinner::expert) {
      if (wrong) {
        ++visit.relabelled;
        const Solution start = repaired(state, label);
        label = way_on(state, effort, way.rng.next_u64(), &start);
        missing = Missing(instance, label);
        for (const Edge& link : links_of(state)) missing.take(link.a, link.b);
        wrong = false;
      }
      MergeExample example{state, label};
      visit.examples.push_back(way.pairs ? with_loser(std::move(example), way) : example);
    } else if (keep && way.winner == PairWinner::local_search) {
      MergeExample example =
          with_loser({state,
                      way_on(state, kRefineEffort, way.rng.next_u64(), &way.rollout.solution),
                      {},
                      way.winner},
                     way);
      if (example.loser) visit.examples.push_back(std::move(example));
    } else if (keep) {
      visit.examples.push_back({state, way.rollout.solution, {}, way.winner});
    }
    for (const Merge& merge : round) {
      const bool right = missing.take(merge.a, merge.b);
      wrong = wrong || !right;
      visit.free_links += way.free ? 1 : 0;
      visit.wrong_links += right ? 0 : 1;
      state.add(merge.a, merge.b);
    }
  }
  return visit;
}

// Continues the states of examples that wait for samples; those of which none is shorter than what
// the way came to go.
void sample_winners(const PackedModel& model, const MergePairOptions& options, std::uint64_t seed,
                    std::span<Way> ways, std::span<MergeVisit> visits, ThreadPool& pool) {
  struct Waiting {
    MergeExample* example;
    const Way* way;
    std::vector<Edge> links;
    std::vector<Rollout> rollouts;
  };
  std::vector<Waiting> waiting;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (ways[i].winner != PairWinner::sample) continue;
    for (MergeExample& example : visits[i].examples) {
      waiting.push_back(
          {&example, &ways[i], links_of(example.state), std::vector<Rollout>(options.samples)});
    }
  }
  std::vector<MergingTask> tasks;
  for (Waiting& one : waiting) {
    for (Rollout& rollout : one.rollouts) {
      MergingTask& task = tasks.emplace_back();
      task.instance = &one.example->state.instance();
      task.start = one.links;
      task.rule.temperature = kNoise * options.temperature;
      task.seed = seed;
      task.stream = tasks.size();
      task.rollout = &rollout;
    }
  }
  MergingConstructor(model, pool.size()).build(tasks, pool, {});
  for (Waiting& one : waiting) {
    MergeExample& example = *one.example;
    double least = std::numeric_limits<double>::infinity();
    for (Rollout& rollout : one.rollouts) {
      const double length = cost(example.state.instance(), rollout.solution);
      if (length >= least) continue;
      least = length;
      example.label = std::move(rollout.solution);
    }
    example = with_loser(std::move(example), *one.way);
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (ways[i].winner != PairWinner::sample) continue;
    std::erase_if(visits[i].examples, [](const MergeExample& e) { return !e.loser; });
  }
}

}  // namespace

MergeVisit visit_states(const PackedModel& model, std::span<const Instance> instances,
                        const MergeStateOptions& options, ThreadPool& pool) {
  const std::size_t count = instances.size();
  std::vector<Way> ways(count);
  std::vector<MergingTask> tasks(count);
  for (std::size_t i = 0; i < count; ++i) {
    ways[i] = draw_way(options, i);
    tasks[i].instance = &instances[i];
    tasks[i].rule = draw_rule(ways[i].free, ways[i].rng);
    tasks[i].rollout = &ways[i].rollout;
    tasks[i].keep_rounds = true;
    if (ways[i].free) continue;
    auto guide = std::make_shared<Missing>(instances[i], *instances[i].reference);
    tasks[i].allowed = [guide](NodeId a, NodeId b) { return guide->take(a, b); };
  }
  MergingConstructor(model, pool.size()).build(tasks, pool, {});

  std::vector<MergeVisit> visits(count);
  pool.parallel_for(count, [&](std::size_t i, std::size_t) {
    visits[i] = revisit(instances[i], ways[i], options.effort);
  });
  if (options.pairs) {
    sample_winners(model, *options.pairs, options.seed, ways, visits, pool);
  }
  MergeVisit all;
  for (MergeVisit& visit : visits) {
    std::move(visit.examples.begin(), visit.examples.end(), std::back_inserter(all.examples));
    all.states += visit.states;
    all.relabelled += visit.relabelled;
    all.free_links += visit.free_links;
    all.wrong_links += visit.wrong_links;
  }
  return all;
}

}  // namespace eco::train
