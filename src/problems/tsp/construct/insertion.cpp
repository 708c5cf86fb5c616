#include "problems/tsp/construct/insertion.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/distance.h"
#include "core/search/node_distance.h"
#include "problems/tsp/construct/near_insertion.h"

namespace eco {

namespace {

// A growing tour. Slots are nodes in order of entry; `next` links them into the tour.
template <class Distance>
class GrowingTour {
 public:
  GrowingTour(const Distance& distance, std::size_t nodes) : distance_(distance), to_slot_(nodes) {
    node_.reserve(nodes);
    next_.reserve(nodes);
    length_.reserve(nodes);
  }

  void insert_cheapest(std::uint32_t node) {
    const std::size_t slots = node_.size();
    for (std::size_t s = 0; s < slots; ++s) to_slot_[s] = distance_(node, node_[s]);
    std::size_t best = 0;
    double best_growth = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < slots; ++s) {
      const double growth = to_slot_[s] + to_slot_[next_[s]] - length_[s];
      if (growth < best_growth) {
        best_growth = growth;
        best = s;
      }
    }
    node_.push_back(node);
    if (slots == 0) {
      next_.push_back(0);
      length_.push_back(0);
      return;
    }
    next_.push_back(next_[best]);
    length_.push_back(to_slot_[next_[best]]);
    next_[best] = static_cast<std::uint32_t>(slots);
    length_[best] = to_slot_[best];
  }

  [[nodiscard]] Solution solution() const {
    Solution tour;
    tour.sequence.reserve(node_.size());
    std::size_t slot = 0;
    for (std::size_t i = 0; i < node_.size(); ++i, slot = next_[slot]) {
      tour.sequence.emplace_back(node_[slot]);
    }
    return tour;
  }

 private:
  Distance distance_;
  std::vector<std::uint32_t> node_;  // of a slot
  std::vector<std::uint32_t> next_;  // slot after a slot
  std::vector<double> length_;       // of the edge from a slot to its next
  std::vector<double> to_slot_;      // distances of the node that is entering
};

template <class Distance>
std::optional<Solution> insert_in_order(const Distance& distance,
                                        std::span<const std::uint32_t> order,
                                        const Deadline& deadline) {
  GrowingTour<Distance> tour(distance, order.size());
  for (const std::uint32_t node : order) {
    if (deadline.reached()) return std::nullopt;
    tour.insert_cheapest(node);
  }
  return tour.solution();
}

template <class Distance>
std::optional<Solution> insert_farthest(const Distance& distance, std::size_t nodes,
                                        std::uint32_t start, const Deadline& deadline) {
  GrowingTour<Distance> tour(distance, nodes);
  std::vector<std::uint32_t> outside(nodes);
  std::iota(outside.begin(), outside.end(), 0U);
  std::vector<double> to_tour(nodes, std::numeric_limits<double>::infinity());
  for (std::uint32_t entering = start;;) {
    if (deadline.reached()) return std::nullopt;
    tour.insert_cheapest(entering);
    outside.erase(std::lower_bound(outside.begin(), outside.end(), entering));
    if (outside.empty()) return tour.solution();
    const std::uint32_t entered = entering;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t node : outside) {
      to_tour[node] = std::min(to_tour[node], distance(entered, node));
      if (to_tour[node] > farthest) {
        farthest = to_tour[node];
        entering = node;
      }
    }
  }
}

bool compares_all(const Instance& instance, std::size_t exact) {
  return instance.metric == Metric::matrix || instance.size() <= exact;
}

}  // namespace

std::optional<Solution> random_insertion_tour(const Instance& instance, std::uint64_t seed,
                                              const Deadline& deadline, std::size_t exact) {
  require_symmetric(instance);
  std::vector<std::uint32_t> order(instance.size());
  std::iota(order.begin(), order.end(), 0U);
  Rng rng(seed);
  rng.shuffle(std::span(order));
  if (!compares_all(instance, exact)) return insert_near(instance, order, deadline);
  return with_distance(instance,
                       [&](auto distance) { return insert_in_order(distance, order, deadline); });
}

std::optional<Solution> farthest_insertion_tour(const Instance& instance, std::uint64_t seed,
                                                const Deadline& deadline, std::size_t exact) {
  require_symmetric(instance);
  const std::uint32_t start = Rng(seed).below(static_cast<std::uint32_t>(instance.size()));
  if (!compares_all(instance, exact)) {
    const auto order = farthest_order(instance.points, start, deadline);
    if (!order) return std::nullopt;
    return insert_near(instance, *order, deadline);
  }
  return with_distance(instance, [&](auto distance) {
    return insert_farthest(distance, instance.size(), start, deadline);
  });
}

}  // namespace eco
