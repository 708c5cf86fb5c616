#pragma once
// The recreate half: absent customers go, one after the other, to their cheapest feasible place.
// Each place is overlooked ("blinked") with a small probability, which is what varies the result.
// Places are looked for beside the nearest neighbours and at both ends of every route; only if none
// of those has room, everywhere.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/expert/cvrp/linked_routes.h"
#include "core/search/neighbours.h"

namespace eco {

struct GreedyInsertionOptions {
  double blink_probability = 0.01;
  std::size_t neighbours = 20;  // of a customer, beside which places are looked for
};

class GreedyInsertion {
 public:
  GreedyInsertion(const Instance& instance, const DistanceTable& distance,
                  const NeighbourLists& neighbours, const GreedyInsertionOptions& options);

  // Reorders `customers` and inserts them in that order until all are in or the length has grown
  // by more than `allowance`. Returns the growth; `inserted` says how many went in.
  double recreate(LinkedRoutes& routes, Rng& rng, std::vector<std::uint32_t>& customers,
                  double allowance, std::size_t& inserted);

 private:
  struct Place {
    double growth;
    std::uint32_t previous, route;
  };

  struct Near {
    double distance;
    std::uint32_t customer;
  };
  [[nodiscard]] std::span<const Near> near_of(std::uint32_t customer) const {
    return {near_.data() + offset_[customer], near_.data() + offset_[customer + 1]};
  }
  void sort(std::vector<std::uint32_t>& customers, Rng& rng) const;
  [[nodiscard]] Place best_near(const LinkedRoutes& routes, std::uint32_t customer, Rng& rng);
  [[nodiscard]] Place best_anywhere(const LinkedRoutes& routes, std::uint32_t customer) const;
  // True with the blink probability.
  bool blink(Rng& rng) {
    if (--until_blink_ > 0) return false;
    draw_blink(rng);
    return true;
  }
  void draw_blink(Rng& rng);

  const DistanceTable* distance_;
  GreedyInsertionOptions options_;
  std::vector<Near> near_;           // of all customers, nearest first
  std::vector<std::size_t> offset_;  // [nodes + 1], where each customer's begin
  std::vector<double> from_depot_;   // by node
  std::vector<std::int64_t> demands_;
  std::int64_t until_blink_ = 1;  // places until the next one that is overlooked
};

}  // namespace eco
