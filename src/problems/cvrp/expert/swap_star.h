#pragma once
// SWAP* (Vidal, 2022): two customers of two routes change routes, each to its best place there
// rather than to the place of the other. For every customer the three best places in the other
// route are found once; one of them is always free of the customer that leaves.

#include <array>
#include <cstdint>
#include <vector>

#include "core/problem/capacity.h"
#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/search/route_state.h"

namespace eco {

class SwapStar {
 public:
  SwapStar(const Instance& instance, const DistanceTable& distance)
      : distance_(distance), capacity_(instance.capacity), best_places_(instance.size()) {}

  // Applies the best exchange (or one-way move) between the routes if it shortens the penalised
  // length by more than the tolerance.
  bool improve(RouteState& state, std::uint32_t a, std::uint32_t b, double penalty,
               double tolerance);

 private:
  struct Place {
    double growth;
    std::uint32_t left, right;  // nodes between which the customer would go
  };
  struct Exchange {
    double change;
    std::uint32_t u, left_u;  // from the first route to the second, behind left_u; 0: none
    std::uint32_t v, left_v;  // the other way round
  };

  void find_places(const RouteState& state, std::uint32_t from, std::uint32_t to);
  [[nodiscard]] double removal(const RouteState& state, std::uint32_t customer) const;
  // The best place for `customer` in the route that `leaving` leaves.
  [[nodiscard]] Place place_without(const RouteState& state, std::uint32_t customer,
                                    std::uint32_t leaving) const;
  [[nodiscard]] double overload(std::int64_t load) const {
    return penalty_ * static_cast<double>(excess(load, capacity_));
  }

  const DistanceTable& distance_;
  std::int64_t capacity_;
  double penalty_ = 0;
  std::vector<std::array<Place, 3>> best_places_;  // by customer, in the other route
};

}  // namespace eco
