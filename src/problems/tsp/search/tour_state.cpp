#include "problems/tsp/search/tour_state.h"

#include <utility>

namespace eco {

namespace {

// A move has to gain more than this part of the whole tour: far above what rounding can feign
// (each gain is a sum of few distances, none longer than the tour), far below any real gain.
constexpr double kRelativeTolerance = 1e-13;

}  // namespace

void TourState::assign(const Solution& tour, double tour_cost) {
  tolerance_ = kRelativeTolerance * tour_cost;
  touched_.clear();
  std::vector<std::uint32_t> order;
  order.reserve(tour.sequence.size());
  for (const NodeId node : tour.sequence) order.push_back(static_cast<std::uint32_t>(node.index()));
  tour_.assign(std::move(order));
}

Solution TourState::solution() const {
  Solution tour;
  tour.sequence.reserve(size());
  for (const std::uint32_t node : tour_.order()) tour.sequence.emplace_back(node);
  return tour;
}

}  // namespace eco
