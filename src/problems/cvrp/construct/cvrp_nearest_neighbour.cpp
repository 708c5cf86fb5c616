#include "problems/cvrp/construct/cvrp_nearest_neighbour.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "core/geometry/kd_tree.h"
#include "core/problem/capacity.h"
#include "problems/cvrp/rules/state.h"

namespace eco {

namespace {

constexpr std::size_t kCustomersBetweenClockReads = 32;

// Customers not yet served, by coordinates.
class TreeOfCustomers {
 public:
  explicit TreeOfCustomers(const Instance& instance)
      : instance_(&instance), tree_(instance.points) {
    tree_.remove(0);
  }
  void remove(std::uint32_t customer) { tree_.remove(customer); }
  // Requires that one fits.
  [[nodiscard]] std::uint32_t nearest_fitting(std::uint32_t node, std::int64_t room) {
    constexpr std::size_t kFirstLook = 8;
    for (std::size_t k = kFirstLook;; k *= 4) {
      for (const PointNeighbour& near : tree_.nearest(instance_->points[node], k)) {
        if (fits(instance_->demands[near.index], room)) return near.index;
      }
    }
  }

 private:
  const Instance* instance_;
  KdTree tree_;
};

// The same by rows of the matrix.
class RowOfCustomers {
 public:
  explicit RowOfCustomers(const Instance& instance) : instance_(&instance) {
    for (std::uint32_t i = 1; i < instance.size(); ++i) left_.push_back(i);
  }
  void remove(std::uint32_t customer) {
    left_.erase(std::lower_bound(left_.begin(), left_.end(), customer));
  }
  [[nodiscard]] std::uint32_t nearest_fitting(std::uint32_t node, std::int64_t room) const {
    const double* row = instance_->matrix.data() + node * instance_->size();
    std::uint32_t best = 0;
    double best_distance = std::numeric_limits<double>::infinity();
    for (const std::uint32_t customer : left_) {
      if (row[customer] >= best_distance || !fits(instance_->demands[customer], room)) continue;
      best = customer;
      best_distance = row[customer];
    }
    return best;
  }

 private:
  const Instance* instance_;
  std::vector<std::uint32_t> left_;  // ascending, so that equal distances go by index
};

template <class Customers>
std::optional<Solution> build(const Instance& instance, const Deadline& deadline) {
  if (deadline.reached()) return std::nullopt;
  Customers customers(instance);
  CvrpState state(instance);
  // What is left to deliver, so that the search for a customer that fits always ends.
  std::multiset<std::int64_t> demands(instance.demands.begin() + 1, instance.demands.end());
  while (!demands.empty()) {
    if (demands.size() % kCustomersBetweenClockReads == 0 && deadline.reached()) {
      return std::nullopt;
    }
    const std::int64_t room = state.remaining_capacity();
    if (!fits(*demands.begin(), room)) {
      state.step(kDepot);
      continue;
    }
    const auto current = static_cast<std::uint32_t>(state.current().index());
    const std::uint32_t customer = customers.nearest_fitting(current, room);
    customers.remove(customer);
    demands.erase(demands.find(instance.demands[customer]));
    state.step(NodeId(customer));
  }
  state.step(kDepot);
  return state.solution();
}

}  // namespace

std::optional<Solution> nearest_neighbour_routes(const Instance& instance,
                                                 const Deadline& deadline) {
  if (instance.metric == Metric::matrix) return build<RowOfCustomers>(instance, deadline);
  return build<TreeOfCustomers>(instance, deadline);
}

}  // namespace eco
