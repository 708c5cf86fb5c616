#pragma once
// One search of the TSP expert: a tour under perturbation and repair. It runs by itself to the end,
// or a stretch at a time in a part of the nodes, keeping a record of the steps that it kept, so
// that another search of the same tour can repeat them (search_team.h).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/base/deadline.h"
#include "core/base/rng.h"
#include "core/expert/progress.h"
#include "core/search/neighbours.h"
#include "problems/tsp/expert/or_opt.h"

namespace eco {

// When a search is over, and how much of it is gone.
struct IlsBudget {
  std::uint64_t iterations = 0;  // the largest number there is if time decides
  Deadline deadline;
  double seconds = 0;  // to the deadline, from the start of the search
  bool by_time = false;

  [[nodiscard]] double gone(std::uint64_t steps) const {
    if (by_time) return std::clamp(1.0 - deadline.seconds_left() / seconds, 0.0, 1.0);
    return static_cast<double>(steps) / static_cast<double>(iterations);
  }
};

struct IlsOptions;
[[nodiscard]] IlsBudget ils_budget(const IlsOptions& options, std::size_t nodes);

// Steps that were kept: the exchanges of all, and where those of each end.
struct KeptSteps {
  struct Step {
    double growth;
    std::size_t end;
  };
  std::vector<Exchange> exchanges;
  std::vector<Step> steps;
  void clear() {
    exchanges.clear();
    steps.clear();
  }
};

template <class Distance, class Ties>
class IteratedSearch {
 public:
  static constexpr std::uint64_t kStepsBetweenClockReads = 16;

  IteratedSearch(const Distance& distance, const NeighbourLists& neighbours, const Ties& ties,
                 std::vector<std::uint32_t> start, std::uint64_t seed)
      : search_(distance, neighbours, ties), nodes_(start.size()), rng_(seed) {
    for (std::size_t i = 0; i < nodes_; ++i) {
      const std::uint32_t from = start[(i == 0 ? nodes_ : i) - 1], to = start[i];
      if (ties.tied(from, to)) continue;
      length_ += distance(from, to);
      ++free_edges_;
    }
    mean_edge_ = length_ / static_cast<double>(free_edges_);
    tolerance_ = kRelativeTolerance * length_;
    search_.set_tolerance(tolerance_);
    for (const std::uint32_t node : start) search_.wake(node);
    search_.tour().assign(std::move(start));
  }
  // The same tour, with other draws to come.
  IteratedSearch(const IteratedSearch& other, std::uint64_t seed) : IteratedSearch(other) {
    rng_ = Rng(seed);
  }

  // To the first local optimum. False if there is nothing beyond it.
  bool settle(const Deadline& deadline) {
    length_ -= search_.settle(deadline);
    search_.forget_changes();
    keep_as_best(0);
    // Tours that differ in three edges only: a local optimum is the best.
    constexpr std::size_t kCutEdges = 4;  // of a perturbation
    return free_edges_ >= kCutEdges && nodes_ > kCutEdges;
  }

  // After settle(), until the budget is gone.
  void run(const IlsBudget& budget, const TellProgress& tell) {
    double gone = 0;
    for (std::uint64_t i = 0; i < budget.iterations; ++i) {
      if (i % kStepsBetweenClockReads == 0) {
        if (budget.deadline.reached()) break;
        if (budget.by_time) gone = budget.gone(i);
        if (tell) tell({gone, best_length()});
      }
      if (!budget.by_time) gone = budget.gone(i);
      const double growth = perturb(rng_.below(static_cast<std::uint32_t>(nodes_)));
      if (!acceptable(growth, gone)) {
        search_.take_back_changes();
        continue;
      }
      if (growth > tolerance_ && above_best_ < -tolerance_ && i >= next_copy_) {
        // About to leave the shortest tour so far: stay for this step and copy it.
        search_.take_back_changes();
        keep_as_best(i);
        continue;
      }
      search_.forget_changes();
      move_by(growth);
    }
    return_to_best();
  }

  // `steps` steps that begin at nodes drawn from `region`; those that are kept are also recorded.
  // `gone(i)`: how much of the budget is gone after i of them, 1 or more when it is time to stop.
  template <class Gone>
  void run_in(std::span<const std::uint32_t> region, std::uint64_t steps, const Gone& gone) {
    kept_.clear();
    for (std::uint64_t i = 0; i < steps; ++i) {
      const double share = gone(i);
      if (share >= 1) return;
      const std::uint32_t node = region[rng_.below(static_cast<std::uint32_t>(region.size()))];
      const double growth = perturb(search_.tour().place(node));
      if (!acceptable(growth, share)) {
        search_.take_back_changes();
        continue;
      }
      const auto changes = search_.changes();
      kept_.exchanges.insert(kept_.exchanges.end(), changes.begin(), changes.end());
      kept_.steps.push_back({growth, kept_.exchanges.size()});
      search_.forget_changes();
      move_by(growth);
    }
  }
  [[nodiscard]] const KeptSteps& kept() const { return kept_; }

  // What another search kept, from the tour that this one had then. Steps that no longer fit, since
  // an edge of theirs is gone, are left out.
  void repeat(const KeptSteps& kept) {
    std::size_t begin = 0;
    for (const auto& [growth, end] : kept.steps) {
      bool fits = true;
      for (; begin < end && fits; ++begin) fits = search_.try_exchange(kept.exchanges[begin]);
      begin = end;
      if (fits) {
        search_.forget_changes();
        move_by(growth);
      } else {
        search_.take_back_changes();
      }
    }
  }
  void follow(const IteratedSearch& other) {
    search_.tour() = other.search_.tour();
    length_ = other.length_;
  }

  void keep_if_best() {
    if (above_best_ < -tolerance_) keep_as_best(0);
  }
  void return_to_best() {
    if (above_best_ <= 0) return;
    search_.tour().assign(best_);
    length_ = best_length();
    above_best_ = 0;
  }
  [[nodiscard]] double best_length() const { return length_ - std::max(0.0, above_best_); }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] std::span<const std::uint32_t> order() { return search_.tour().order(); }

 private:
  // Segments of a perturbation, in nodes. Short segments are repaired sooner but soon find nothing
  // new: at 1,000 nodes 50 is the better choice from a tenth of a second on.
  static constexpr std::uint32_t kLongestSegment = 50;
  // How much longer a tour may become in a step: exponential with this mean at the start, in edges
  // of mean length, falling to nothing at the end.
  static constexpr double kStartTemperature = 0.3;
  static constexpr double kRelativeTolerance = 1e-13;  // of the tour: below, a gain may be rounding

  [[nodiscard]] bool acceptable(double growth, double gone) {
    const double temperature = kStartTemperature * mean_edge_ * (1.0 - gone);
    return growth <= -temperature * std::log(1.0 - rng_.uniform()) + tolerance_;
  }
  void move_by(double growth) {
    above_best_ += growth;
    length_ += growth;
  }
  void keep_as_best(std::uint64_t iteration) {
    const auto order = search_.tour().order();
    best_.assign(order.begin(), order.end());
    above_best_ = 0;
    // Copies cost at most kCopiedNodes a step, whatever the size.
    constexpr std::uint64_t kCopiedNodes = 64;
    next_copy_ = iteration + nodes_ / kCopiedNodes;
  }

  // From `place` on, a [b1..b2] [c1..c2] [d1..d2] e becomes a [d1..d2] [c1..c2] [b1..b2] e, and
  // what that touched is repaired; returns the growth.
  double perturb(std::uint32_t place) {
    const ArrayTour& tour = search_.tour();
    const auto nodes = static_cast<std::uint32_t>(nodes_);
    // Where nodes are tied each cut may have to move on by one, and all four must fit into a round
    // trip; cuts at one free edge after the other always do.
    const std::uint32_t longest =
        free_edges_ == nodes_ ? (nodes - 2) / 3 : std::max(1U, (nodes - 4) / 3);
    const std::uint32_t bound = std::min(kLongestSegment, longest);
    const auto at = [&](std::uint32_t where) { return tour.at(where % nodes); };
    const auto free_edge = [&](std::uint32_t where) {
      return search_.tied(at(where), at(where + 1)) ? where + 1 : where;
    };
    place = free_edge(place);
    const std::uint32_t a = at(place), b1 = at(place + 1);
    place = free_edge(place + 1 + rng_.below(bound));
    const std::uint32_t b2 = at(place), c1 = at(place + 1);
    place = free_edge(place + 1 + rng_.below(bound));
    const std::uint32_t c2 = at(place), d1 = at(place + 1);
    place = free_edge(place + 1 + rng_.below(bound));
    const std::uint32_t d2 = at(place), e = at(place + 1);

    const auto d = [&](std::uint32_t from, std::uint32_t to) { return search_.distance(from, to); };
    const double growth =
        d(a, d1) + d(d2, c1) + d(c2, b1) + d(b2, e) - d(a, b1) - d(b2, c1) - d(c2, d1) - d(d2, e);
    search_.exchange(a, b1, d2, e);
    search_.exchange(a, d2, d1, c2);
    search_.exchange(d2, c2, c1, b2);
    search_.exchange(c2, b2, b1, e);
    for (const std::uint32_t node : {a, b1, b2, c1, c2, d1, d2, e}) search_.wake(node);
    return growth - search_.settle(Deadline());
  }

  OrOpt<Distance, Ties> search_;
  std::size_t nodes_;
  std::size_t free_edges_ = 0;  // all but those between tied nodes
  Rng rng_;
  double length_ = 0;  // of the free edges of the tour
  double tolerance_ = 0;
  double mean_edge_ = 0;             // of the free ones, at the start
  std::vector<std::uint32_t> best_;  // a copy, taken now and then
  double above_best_ = 0;            // length of the tour less that of the copy
  std::uint64_t next_copy_ = 0;      // the first iteration that may copy again
  KeptSteps kept_;
};

}  // namespace eco
