#pragma once
// Local search of the genetic search: relocations and swaps of one or two customers, 2-opt, 2-opt*
// and SWAP* between near customers, where load above the capacity costs a penalty. Ends in a local
// optimum of the penalised length.

#include <cstdint>
#include <vector>

#include "core/base/rng.h"
#include "core/problem/capacity.h"
#include "problems/cvrp/expert/distance_table.h"
#include "problems/cvrp/expert/individual.h"
#include "problems/cvrp/expert/swap_star.h"
#include "problems/cvrp/search/route_state.h"

namespace eco {

class Education {
 public:
  Education(const Instance& instance, const DistanceTable& distance,
            const NeighbourLists& neighbours);

  // Improves the routes in place.
  void improve(CustomerRoutes& routes, double penalty, Rng& rng);

 private:
  // Where customers go: between `left` and `right`, at `place` of the route.
  struct Gap {
    std::uint32_t route;
    std::size_t place;
    std::uint32_t left, right;
  };

  [[nodiscard]] Gap gap(std::uint32_t route, std::size_t place) const;
  [[nodiscard]] double overload(std::int64_t load) const {
    return penalty_ * static_cast<double>(excess(load, capacity_));
  }
  // Change of the penalties if `amount` goes from one route to another (negative: back).
  [[nodiscard]] double shift(std::uint32_t from, std::uint32_t to, std::int64_t amount) const;
  // All penalties of the two routes.
  [[nodiscard]] double relief(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t empty_route() const;

  // Each applies its move and returns true if that is shorter.
  bool improve_near(std::uint32_t u, std::uint32_t v);
  bool move_into(std::uint32_t u, const Gap& gap);
  bool swap_with(std::uint32_t u, std::uint32_t v);
  bool cross(std::uint32_t u, const Gap& gap);
  bool reverse_between(std::uint32_t u, std::uint32_t v);
  bool swap_star_all();
  void changed(std::uint32_t a, std::uint32_t b);

  const DistanceTable& distance_;
  std::int64_t capacity_;
  double tolerance_;
  double penalty_ = 0;
  RouteState state_;
  SwapStar swap_star_;
  std::vector<std::vector<std::uint32_t>> near_;  // by customer
  std::vector<std::uint32_t> order_;
  std::uint64_t moves_ = 0;                    // a clock that ticks with every move
  std::vector<std::uint64_t> changed_at_;      // by route
  std::vector<std::uint64_t> tested_at_;       // by customer
  std::vector<std::uint64_t> swap_tested_at_;  // by route, for SWAP*
  std::vector<unsigned char> related_;         // by route, scratch of SWAP*
};

}  // namespace eco
