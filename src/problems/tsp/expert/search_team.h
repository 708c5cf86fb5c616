#pragma once
// One tour searched by several threads. A small one by each for itself, and the shortest counts. In
// a large one a step changes a few nodes and leaves the rest alone, so the threads work on one tour
// in rounds: each makes its steps in a part of the nodes, on a copy; then the first repeats what
// the others kept (next to all of it fits, for the parts hardly meet), and all go on from there.
// The parts move from round to round.
//
// Rounds end after a number of steps: without a deadline the result is a function of the tour, the
// seed and the number of threads.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "problems/tsp/expert/iterated_search.h"

namespace eco {

template <class Distance, class Ties>
class SearchTeam {
 public:
  using Search = IteratedSearch<Distance, Ties>;

  // `lead` has settled. `along`: its nodes so that close ones are close in this order.
  SearchTeam(Search& lead, std::span<const std::uint32_t> along, std::size_t threads,
             std::uint64_t seed)
      : lead_(lead), pool_(threads), rng_(seed, kTeamStream) {
    for (std::uint64_t i = 1; i < threads; ++i) others_.emplace_back(lead, Rng(seed, i).next_u64());
    along_.assign(along.begin(), along.end());
    along_.insert(along_.end(), along.begin(), along.end());
  }

  void run(const IlsBudget& budget, const TellProgress& tell) {
    if (lead_.nodes() < kSmallestShared) {
      run_apart(budget, tell);
    } else {
      run_together(budget, tell);
    }
  }

  [[nodiscard]] std::span<const std::uint32_t> order() { return best_->order(); }

 private:
  static constexpr std::uint64_t kTeamStream = 0x7465616dU;
  // Below, parts of a tour are too small to be left alone by each other. Measured: docs/experts.md.
  static constexpr std::size_t kSmallestShared = 1000;

  [[nodiscard]] std::size_t threads() const { return 1 + others_.size(); }
  Search& search(std::size_t i) { return i == 0 ? lead_ : others_[i - 1]; }

  void run_apart(IlsBudget budget, const TellProgress& tell) {
    if (!budget.by_time) budget.iterations = (budget.iterations + threads() - 1) / threads();
    pool_.parallel_for(threads(), [&](std::size_t i, std::size_t) {
      search(i).run(budget, i == 0 ? tell : TellProgress());
    });
    for (std::size_t i = 1; i < threads(); ++i) {
      if (search(i).best_length() < best_->best_length()) best_ = &search(i);
    }
  }

  void run_together(const IlsBudget& budget, const TellProgress& tell) {
    const std::size_t nodes = lead_.nodes(), part = nodes / threads();
    const std::uint64_t longest = nodes / kNodesPerRoundStep;
    for (std::uint64_t done = 0; done < budget.iterations && !budget.deadline.reached();) {
      const std::uint64_t left = (budget.iterations - done - 1) / threads() + 1;
      const std::uint64_t steps = std::min(longest, left);
      const std::size_t begin = rng_.below(static_cast<std::uint32_t>(nodes));
      for (Search& other : others_) other.follow(lead_);
      pool_.parallel_for(threads(), [&](std::size_t i, std::size_t) {
        double gone = 0;
        search(i).run_in(
            std::span(along_).subspan((begin + i * part) % nodes, part), steps,
            [&](std::uint64_t step) {
              if (step % Search::kStepsBetweenClockReads == 0) {
                gone = budget.deadline.reached() ? 1 : budget.gone(done + step * threads());
                if (i == 0 && tell) tell({gone, lead_.best_length()});
              }
              return gone;
            });
      });
      for (std::size_t i = 1; i < threads(); ++i) lead_.repeat(search(i).kept());
      lead_.keep_if_best();
      done += steps * threads();
    }
    lead_.return_to_best();
  }

  // Rounds of a quarter as many steps as nodes: long enough to be worth a copy of the tour.
  static constexpr std::size_t kNodesPerRoundStep = 4;

  Search& lead_;
  Search* best_ = &lead_;
  std::deque<Search> others_;
  std::vector<std::uint32_t> along_;  // twice, so that a part never has to wrap
  ThreadPool pool_;
  Rng rng_;
};

// What both kinds of instances have in common once there is a tour to begin with: `start` becomes
// the tour that was found. `along` as in SearchTeam.
struct TourSearch {
  IlsBudget budget;
  std::size_t threads = 1;
  std::uint64_t seed = 0;
  const TellProgress& tell;

  template <class Distance, class Ties>
  void run(const Distance& distance, const NeighbourLists& neighbours, const Ties& ties,
           std::span<const std::uint32_t> along, std::vector<std::uint32_t>& start) {
    IteratedSearch search(distance, neighbours, ties, std::exchange(start, {}), seed);
    budget.seconds = budget.deadline.seconds_left();
    const bool goes_on = search.settle(budget.deadline);
    if (goes_on && threads > 1) {
      SearchTeam team(search, along, threads, seed);
      team.run(budget, tell);
      start.assign(team.order().begin(), team.order().end());
      return;
    }
    if (goes_on) search.run(budget, tell);
    start.assign(search.order().begin(), search.order().end());
  }
};

}  // namespace eco
