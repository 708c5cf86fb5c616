#pragma once
// Individuals of one kind (feasible or not), ranked by cost and by how much they add to the
// diversity: a member far from its closest relatives survives with a worse cost.

#include <cstddef>
#include <vector>

#include "core/base/rng.h"
#include "problems/cvrp/expert/individual.h"

namespace eco {

class Population {
 public:
  static constexpr std::size_t kSmallest = 25;    // left after the selection of survivors
  static constexpr std::size_t kGeneration = 40;  // newcomers before the next selection

  void add(Individual individual, double penalty);
  // Costs change with the penalty.
  void set_penalty(double penalty);
  void clear();

  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] const Individual& operator[](std::size_t i) const { return members_[i].individual; }
  // Less is better; up to date after every change.
  [[nodiscard]] double fitness(std::size_t i) const { return members_[i].fitness; }

 private:
  struct Member {
    Individual individual;
    double cost;
    double fitness;
    std::vector<double> distances;  // to every member, in their order
  };

  void rank();
  void remove_worst();
  [[nodiscard]] bool is_clone(std::size_t i) const;

  std::vector<Member> members_;
};

}  // namespace eco
