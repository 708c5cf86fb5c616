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
constexpr double kAsGood = 1.0005;      // times the expert's cost: not worth unlearning

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
  const Instance* instance = nullptr;
  bool free = false, pairs = false;
  PairWinner winner = PairWinner::expert;
  Rollout rollout;
  Rng rng{0};
};

Way draw_way(const Instance& instance, const MergeStateOptions& options, std::size_t index) {
  Way way;
  way.instance = &instance;
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

// The shorter of what the way came to and what the expert makes of the state from there; the former
// too where it is hardly longer, so that the policy keeps what costs nothing.
Solution hindsight(const Fragments& state, Solution expert, const Solution& later) {
  const Instance& instance = state.instance();
  return cost(instance, later) <= cost(instance, expert) * kAsGood ? later : std::move(expert);
}

// A state that is kept, with the round after it.
struct Kept {
  Fragments state;
  std::size_t round = 0;
  bool right = true;  // every link is in the reference
};

// The links of some rounds that a solution does not have, from a state that is part of it.
std::size_t links_not_in(const Solution& solution, const Fragments& state,
                         std::span<const MergeRound> rounds) {
  Missing missing(state.instance(), solution);
  for (const Edge& link : links_of(state)) missing.take(link.a, link.b);
  std::size_t count = 0;
  for (const MergeRound& round : rounds) {
    for (const Merge& merge : round) count += missing.take(merge.a, merge.b) ? 0 : 1;
  }
  return count;
}

// Goes over the rounds of a rollout again and keeps some of its states.
std::vector<Kept> keep_states(Way& way, MergeVisit& visit) {
  const Instance& instance = *way.instance;
  std::vector<Kept> all;
  Fragments state(instance);
  Missing missing(instance, *instance.reference);
  bool right = true;
  const auto& rounds = way.rollout.rounds;
  const double few = kSampledStates / static_cast<double>(rounds.size());
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    if (state.open_nodes() < kFewestOpen) break;
    ++visit.states;
    const double open =
        static_cast<double>(state.open_nodes()) / static_cast<double>(instance.customers());
    const bool keep = way.rng.uniform() < (way.winner == PairWinner::sample ? few : 1 - 0.5 * open);
    if (keep) all.push_back({state, round, right});
    for (const Merge& merge : rounds[round]) {
      right = missing.take(merge.a, merge.b) && right;
      state.add(merge.a, merge.b);
    }
  }
  return all;
}

// Labels the states of a way from the last to the first. What the expert makes of a state begins
// from what became of it, so that labels of earlier states are never longer than those of later
// ones, and the whole way's experience serves its beginning.
void label_states(std::vector<Kept> kept, Way& way, double effort, MergeVisit& visit) {
  const auto& rounds = way.rollout.rounds;
  const Instance& instance = *way.instance;
  Solution later = way.free ? way.rollout.solution : *instance.reference;
  std::size_t end = rounds.size();
  for (auto one = kept.rbegin(); one != kept.rend(); ++one) {
    Solution expert = *instance.reference;
    if (!one->right) {
      ++visit.relabelled;
      Solution start = repaired(one->state, *instance.reference);
      if (cost(instance, later) < cost(instance, start)) start = later;
      expert = way_on(one->state, effort, way.rng.next_u64(), &start);
    }
    later = hindsight(one->state, std::move(expert), later);
    visit.wrong_links +=
        links_not_in(later, one->state, std::span(rounds).subspan(one->round, end - one->round));
    end = one->round;
    MergeExample example{one->state, later};
    visit.examples.push_back(way.pairs ? with_loser(std::move(example), way) : example);
  }
  std::reverse(visit.examples.begin(), visit.examples.end());
}

MergeVisit revisit(Way& way, double effort) {
  MergeVisit visit;
  std::vector<Kept> kept = keep_states(way, visit);
  if (way.free) {
    for (const MergeRound& round : way.rollout.rounds) visit.free_links += round.size();
  }
  if (way.winner == PairWinner::expert) {
    label_states(std::move(kept), way, effort, visit);
    return visit;
  }
  for (Kept& one : kept) {
    MergeExample example{one.state, way.rollout.solution, {}, way.winner};
    if (way.winner == PairWinner::local_search) {
      example.label = way_on(one.state, kRefineEffort, way.rng.next_u64(), &way.rollout.solution);
      example = with_loser(std::move(example), way);
      if (!example.loser) continue;
    }
    visit.examples.push_back(std::move(example));
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
    ways[i] = draw_way(instances[i], options, i);
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
  pool.parallel_for(
      count, [&](std::size_t i, std::size_t) { visits[i] = revisit(ways[i], options.effort); });
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
