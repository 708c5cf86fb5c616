#pragma once
// Hybrid genetic search (Vidal, 2022): parents are chosen for cost and diversity, their giant tours
// crossed, the child cut into routes and educated by local search. Load above the capacity costs a
// penalty that adapts so that a steady share of the children is feasible.

#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "problems/cvrp/expert/education.h"
#include "problems/cvrp/expert/population.h"

namespace eco {

class GeneticSearch {
 public:
  // `start` is feasible and joins the population.
  GeneticSearch(const Instance& instance, const DistanceTable& distance,
                const NeighbourLists& neighbours, const Solution& start, std::uint64_t seed);

  // One child: of random order while the population is being filled, of two parents after.
  void step();
  // The best of another search of the same instance joins this one if it is better.
  void welcome(const Individual& other);
  [[nodiscard]] const Individual& best_individual() const { return best_; }
  [[nodiscard]] double best_length() const { return best_.length; }
  [[nodiscard]] Solution best() const;

 private:
  [[nodiscard]] Individual individual_of(CustomerRoutes routes) const;
  void educate_and_add(CustomerRoutes routes);
  void add(Individual individual);
  [[nodiscard]] const Individual& select_parent();
  [[nodiscard]] std::vector<std::uint32_t> crossover(const Individual& a, const Individual& b);
  void adapt_penalty();

  const Instance& instance_;
  const DistanceTable& distance_;
  Rng rng_;
  Education education_;
  Population feasible_, infeasible_;
  Individual best_;
  double penalty_;
  std::uint64_t filled_ = 0;  // random children so far
  std::uint64_t steps_without_progress_ = 0;
  std::uint32_t recent_ = 0, recent_feasible_ = 0;  // children since the penalty was adapted
};

}  // namespace eco
