#include "core/search/construct/savings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/instance/distance.h"

namespace eco {

namespace {

struct Saving {
  double length;
  std::uint32_t a, b;
};

// Routes that only ever grow by joining ends: each customer knows its up to two neighbours.
class GrowingRoutes {
 public:
  GrowingRoutes(const Instance& instance, const Fragments& fragments)
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
    if (route_a == route_b || load_[route_a] + load_[route_b] > capacity_) return false;
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

  Fragments fragments_;
  std::int64_t capacity_;
  std::vector<std::array<std::uint32_t, 2>> links_;  // 0: none, the depot side
  std::vector<std::uint32_t> parent_;
  std::vector<std::int64_t> load_;  // valid at roots
};

// Joins by falling saving; true if anything was joined.
bool join_all(std::vector<Saving>& savings, GrowingRoutes& routes) {
  std::sort(savings.begin(), savings.end(), [](const Saving& x, const Saving& y) {
    return x.length != y.length ? x.length > y.length : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  bool joined = false;
  for (const Saving& saving : savings) joined |= routes.join(saving.a, saving.b);
  return joined;
}

template <class Distance>
void add_saving(Distance distance, std::uint32_t a, std::uint32_t b, std::vector<Saving>& savings) {
  const double length = distance(a, 0) + distance(0, b) - distance(a, b);
  if (length > 0) savings.push_back({length, a, b});
}

template <class Distance>
void add_near_pairs(Distance distance, const NeighbourLists& neighbours,
                    std::vector<Saving>& savings) {
  for (std::uint32_t a = 1; a < neighbours.nodes(); ++a) {
    for (const std::uint32_t b : neighbours.of(a)) {
      if (b == 0) continue;
      // The pair is also in the list of b unless that ends before a; then b adds it.
      if (b < a && distance(a, b) < distance(b, neighbours.of(b).back())) continue;
      add_saving(distance, a, b, savings);
    }
  }
}

// Pairs of route ends: all of them if they are few, else those of near neighbours.
template <class Distance>
void add_end_pairs(const Instance& instance, Distance distance, const GrowingRoutes& routes,
                   std::vector<Saving>& savings) {
  constexpr std::size_t kAllPairs = 2000;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t node = 1; node < instance.size(); ++node) {
    if (routes.is_end(node)) ends.push_back(node);
  }
  if (ends.size() <= kAllPairs || !instance.has_points()) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add_saving(distance, ends[j], ends[i], savings);
    }
    return;
  }
  std::vector<Point> points;
  points.reserve(ends.size());
  for (const std::uint32_t end : ends) points.push_back(instance.points[end]);
  constexpr std::size_t kNearEnds = 50;
  const NeighbourLists near(points, kNearEnds);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (const std::uint32_t j : near.of(i)) add_saving(distance, ends[i], ends[j], savings);
  }
}

}  // namespace

Solution savings_routes(const Instance& instance, const NeighbourLists& neighbours,
                        const Fragments& fragments) {
  GrowingRoutes routes(instance, fragments);
  with_distance(instance, [&](auto distance) {
    std::vector<Saving> savings;
    add_near_pairs(distance, neighbours, savings);
    while (join_all(savings, routes)) {
      savings.clear();
      add_end_pairs(instance, distance, routes, savings);
    }
  });
  return routes.solution();
}

Solution savings_routes(const Instance& instance) {
  constexpr std::size_t kNeighbours = 100;
  return savings_routes(instance, NeighbourLists(instance, kNeighbours));
}

}  // namespace eco
