#include "train/rollout/merge_states.h"

#include <algorithm>
#include <array>
#include <memory>

#include "core/expert/cvrp/solve_cvrp.h"
#include "core/expert/tsp/ils.h"
#include "core/tour/edge.h"
#include "train/data/expert.h"
#include "train/data/merge_batch.h"

namespace eco::train {

namespace {

constexpr std::size_t kFewestOpen = 4;  // below, there is nothing to choose
constexpr std::uint64_t kFewestIterations = 200;

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

// The best solution that the expert finds with all links of the state in it.
Solution way_on(const Fragments& state, std::span<const Edge> links, double effort,
                std::uint64_t seed) {
  const Instance& instance = state.instance();
  const auto iterations = std::max(
      kFewestIterations,
      static_cast<std::uint64_t>(
          effort * static_cast<double>(default_effort(instance.kind, state.open_nodes()))));
  if (instance.has_depot()) {
    CvrpExpertOptions options;
    options.iterations = iterations;
    options.seed = seed;
    options.forced = links;
    return solve_cvrp(instance, options);
  }
  IlsOptions options;
  options.iterations = iterations;
  options.seed = seed;
  options.forced = links;
  return solve_tsp(instance, options);
}

// Goes over the rounds of one rollout again and keeps some of its states. A label serves until a
// link that it does not have; the expert's way on from there takes its place.
MergeVisit revisit(const Instance& instance, std::span<const MergeRound> rounds, bool free,
                   double effort, Rng& rng) {
  MergeVisit visit;
  Fragments state(instance);
  Solution label = *instance.reference;
  Missing missing(instance, label);
  std::vector<Edge> links;
  bool wrong = false;
  for (const MergeRound& round : rounds) {
    if (state.open_nodes() < kFewestOpen) break;
    ++visit.states;
    const double open =
        static_cast<double>(state.open_nodes()) / static_cast<double>(instance.customers());
    if (rng.uniform() < 1 - 0.5 * open) {
      if (wrong) {
        ++visit.relabelled;
        label = way_on(state, links, effort, rng.next_u64());
        missing = Missing(instance, label);
        for (const Edge& link : links) missing.take(link.a, link.b);
        wrong = false;
      }
      visit.examples.push_back({state, label});
    }
    for (const Merge& merge : round) {
      const bool right = missing.take(merge.a, merge.b);
      wrong = wrong || !right;
      visit.free_links += free ? 1 : 0;
      visit.wrong_links += right ? 0 : 1;
      links.push_back({merge.a, merge.b});
      state.add(merge.a, merge.b);
    }
  }
  return visit;
}

}  // namespace

MergeVisit visit_states(const PackedModel& model, std::span<const Instance> instances,
                        const MergeStateOptions& options, ThreadPool& pool) {
  const std::size_t count = instances.size();
  std::vector<Rng> rngs;
  std::vector<Rollout> rollouts(count);
  std::vector<MergingTask> tasks(count);
  std::vector<bool> free(count);
  for (std::size_t i = 0; i < count; ++i) {
    Rng& rng = rngs.emplace_back(options.seed, i);
    free[i] = rng.uniform() < options.free;
    tasks[i].instance = &instances[i];
    tasks[i].rule = draw_rule(free[i], rng);
    tasks[i].rollout = &rollouts[i];
    tasks[i].keep_rounds = true;
    if (free[i]) continue;
    auto guide = std::make_shared<Missing>(instances[i], *instances[i].reference);
    tasks[i].allowed = [guide](NodeId a, NodeId b) { return guide->take(a, b); };
  }
  MergingDecoder(model, pool.size()).run(tasks, pool, {});

  std::vector<MergeVisit> visits(count);
  pool.parallel_for(count, [&](std::size_t i, std::size_t) {
    visits[i] = revisit(instances[i], rollouts[i].rounds, free[i], options.effort, rngs[i]);
  });
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
