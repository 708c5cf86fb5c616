#include "problems/cvrp/construct/savings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/instance/distance.h"
#include "core/problem/capacity.h"
#include "core/problem/problem.h"
#include "core/search/in_order.h"
#include "core/search/node_distance.h"

namespace eco {

namespace {

constexpr std::size_t kCustomersBetweenLooks = 64;  // at the clock

struct Saving {
  double length;
  std::uint32_t a, b;
};

// Routes that only ever grow by joining ends: each customer knows its up to two neighbours.
class GrowingRoutes {
 public:
  GrowingRoutes(const Instance& instance, const TiedEnds& fragments)
      : fragments_(fragments),
        capacity_(instance.capacity),
        links_(instance.size(), {0, 0}),
        parent_(instance.size()),
        load_(instance.demands) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (std::uint32_t node = 1; node < fragments.partner.size(); ++node) {
      const std::uint32_t other = fragments.partner[node];
      if (other == node) continue;
      links_[node][0] = other;
      parent_[node] = std::min(node, other);
    }
  }

  bool join(std::uint32_t a, std::uint32_t b) {
    if (!is_end(a) || !is_end(b)) return false;
    const std::uint32_t route_a = root(a), route_b = root(b);
    if (route_a == route_b || !fits(load_[route_a] + load_[route_b], capacity_)) return false;
    link(a, b);
    link(b, a);
    parent_[route_b] = route_a;
    load_[route_a] += load_[route_b];
    return true;
  }

  // Of its route, with nothing but the depot behind it, and not for ever.
  [[nodiscard]] bool is_end(std::uint32_t node) const {
    return links_[node][1] == 0 && !fragments_.tied_to_depot(node);
  }

  [[nodiscard]] Solution solution() const {
    Routes routes;
    std::vector<bool> seen(links_.size(), false);
    for (std::uint32_t start = 1; start < links_.size(); ++start) {
      if (seen[start] || links_[start][1] != 0) continue;
      Route& route = routes.emplace_back();
      for (std::uint32_t previous = 0, node = start; node != 0;) {
        seen[node] = true;
        route.emplace_back(node);
        const std::uint32_t next = links_[node][0] != previous ? links_[node][0] : links_[node][1];
        previous = node;
        node = next;
      }
    }
    return from_routes(routes);
  }

 private:
  void link(std::uint32_t from, std::uint32_t to) {
    (links_[from][0] == 0 ? links_[from][0] : links_[from][1]) = to;
  }
  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  TiedEnds fragments_;
  std::int64_t capacity_;
  std::vector<std::array<std::uint32_t, 2>> links_;  // 0: none, the depot side
  std::vector<std::uint32_t> parent_;
  std::vector<std::int64_t> load_;  // valid at roots
};

enum class Joined : std::uint8_t { none, some, cut_short };

// Joins by falling saving.
Joined join_all(std::vector<Saving>& savings, GrowingRoutes& routes, const Deadline& deadline) {
  const auto before = [](const Saving& x, const Saving& y) {
    return x.length != y.length ? x.length > y.length : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  bool joined = false;
  const bool done = visit_in_order(savings, before, deadline, [&](const Saving& saving) {
    joined |= routes.join(saving.a, saving.b);
  });
  if (!done) return Joined::cut_short;
  return joined ? Joined::some : Joined::none;
}

template <class Distance>
void add_saving(Distance distance, std::uint32_t a, std::uint32_t b, std::vector<Saving>& savings) {
  const double length = distance(a, 0) + distance(0, b) - distance(a, b);
  if (length > 0) savings.push_back({length, a, b});
}

// Of both: false if the deadline came first.
template <class Distance>
bool add_near_pairs(Distance distance, const NeighbourLists& neighbours, const Deadline& deadline,
                    std::vector<Saving>& savings) {
  for (std::uint32_t a = 1; a < neighbours.nodes(); ++a) {
    if (a % kCustomersBetweenLooks == 0 && deadline.reached()) return false;
    for (const std::uint32_t b : neighbours.of(a)) {
      if (b == 0) continue;
      // The pair is also in the list of b unless that ends before a; then b adds it.
      if (b < a && distance(a, b) < distance(b, neighbours.of(b).back())) continue;
      add_saving(distance, a, b, savings);
    }
  }
  return true;
}

// Pairs of route ends: all of them if they are few, else those of near neighbours.
template <class Distance>
bool add_end_pairs(const Instance& instance, Distance distance, const GrowingRoutes& routes,
                   const Deadline& deadline, std::vector<Saving>& savings) {
  constexpr std::size_t kAllPairs = 2000;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t node = 1; node < instance.size(); ++node) {
    if (routes.is_end(node)) ends.push_back(node);
  }
  if (ends.size() <= kAllPairs || !instance.has_points()) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (i % kCustomersBetweenLooks == 0 && deadline.reached()) return false;
      for (std::size_t j = 0; j < i; ++j) add_saving(distance, ends[j], ends[i], savings);
    }
    return true;
  }
  std::vector<Point> points;
  points.reserve(ends.size());
  for (const std::uint32_t end : ends) points.push_back(instance.points[end]);
  constexpr std::size_t kNearEnds = 50;
  const NeighbourLists near(points, kNearEnds, deadline);
  if (!near.complete()) return false;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (const std::uint32_t j : near.of(i)) add_saving(distance, ends[i], ends[j], savings);
  }
  return true;
}

// Joined either way round, two ends have one distance.
Instance with_mean_distances(const Instance& instance) {
  Instance mean = instance;
  const std::size_t nodes = instance.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double both = instance.matrix[i * nodes + j] + instance.matrix[j * nodes + i];
      mean.matrix[i * nodes + j] = mean.matrix[j * nodes + i] = both / 2;
    }
  }
  return mean;
}

Solution the_shorter_way_round(const Instance& instance, const Solution& solution) {
  Routes routes = to_routes(solution);
  for (Route& route : routes) {
    const Routes one{route}, other{{route.rbegin(), route.rend()}};
    if (cost(instance, from_routes(other)) < cost(instance, from_routes(one))) route = other[0];
  }
  return from_routes(routes);
}

}  // namespace

std::optional<Solution> savings_routes(const Instance& instance, const NeighbourLists& neighbours,
                                       const Deadline& deadline, const TiedEnds& tied) {
  if (!is_symmetric(instance)) {
    const auto routes = savings_routes(with_mean_distances(instance), neighbours, deadline, tied);
    if (!routes) return std::nullopt;
    return the_shorter_way_round(instance, *routes);
  }
  if (!neighbours.complete() && tied.empty()) return std::nullopt;
  GrowingRoutes routes(instance, tied);
  const bool done = neighbours.complete() && with_distance(instance, [&](auto distance) {
                      std::vector<Saving> savings;
                      bool in_time = add_near_pairs(distance, neighbours, deadline, savings);
                      while (in_time) {
                        const Joined joined = join_all(savings, routes, deadline);
                        if (joined == Joined::none) return true;
                        savings.clear();
                        in_time = joined == Joined::some &&
                                  add_end_pairs(instance, distance, routes, deadline, savings);
                      }
                      return false;
                    });
  if (!done && tied.empty()) return std::nullopt;
  return routes.solution();
}

std::optional<Solution> savings_routes(const Instance& instance, const Deadline& deadline) {
  constexpr std::size_t kNeighbours = 100;
  return savings_routes(instance, NeighbourLists(instance, kNeighbours, deadline), deadline);
}

}  // namespace eco
