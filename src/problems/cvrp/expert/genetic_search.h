#pragma once
// Hybrid genetic search (Vidal, 2022): parents are chosen for cost and diversity, their giant tours
// crossed, the child cut into routes and educated by local search. Load above the capacity costs a
// penalty that adapts so that a steady share of the children is feasible.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "problems/cvrp/expert/education.h"
#include "problems/cvrp/expert/population.h"

namespace eco {

class GeneticSearch {
 public:
  static constexpr std::size_t kBrood = 8;

  // The population begins with `first`, which are feasible, the best in front; where those are
  // too few, children of random order come next.
  GeneticSearch(const Instance& instance, const DistanceTable& distance,
                const NeighbourLists& neighbours, std::span<const Solution> first,
                std::uint64_t seed, std::size_t threads = 1);

  // A brood of children. They are born of one population and join it together, so the threads share
  // them out and the result is the same for any number of threads. Those that are `over` (by
  // number) are left out.
  void step(const std::function<bool(std::size_t)>& over = [](std::size_t) { return false; });
  [[nodiscard]] double best_length() const { return best_.length; }
  [[nodiscard]] Solution best() const;

 private:
  struct Child {
    Individual individual;
    std::optional<Individual> repaired;  // feasible
  };

  [[nodiscard]] Individual individual_of(CustomerRoutes routes) const;
  [[nodiscard]] CustomerRoutes routes_of(std::uint64_t number, Rng& rng) const;  // as it is born
  [[nodiscard]] Child educated(CustomerRoutes routes, Education& education, Rng& rng) const;
  void add(Child child);
  void add(Individual individual);
  [[nodiscard]] const Individual& select_parent(Rng& rng) const;
  void adapt_penalty();

  const Instance& instance_;
  const DistanceTable& distance_;
  std::uint64_t seed_;
  std::vector<Solution> first_;
  ThreadPool pool_;
  std::deque<Education> educations_;  // by worker
  Population feasible_, infeasible_;
  Individual best_;
  double penalty_;
  std::uint64_t born_ = 0;
  std::uint64_t random_until_ = 0;  // number of the first child of two parents
  std::uint64_t progress_at_ = 0;
  std::uint32_t recent_ = 0, recent_feasible_ = 0;  // children since the penalty was adapted
};

}  // namespace eco
