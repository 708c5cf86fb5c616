#include "core/search/tsp/tour_state.h"

#include <cassert>
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
  order_.resize(tour.sequence.size());
  place_.resize(tour.sequence.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    order_[i] = static_cast<std::uint32_t>(tour.sequence[i].index());
    place_[order_[i]] = i;
  }
}

Solution TourState::solution() const {
  Solution tour;
  tour.sequence.reserve(order_.size());
  for (const std::uint32_t node : order_) tour.sequence.emplace_back(node);
  return tour;
}

void TourState::exchange(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (next(a) != b) {  // travelled the other way round: the same edges, read backwards
    std::swap(a, b);
    std::swap(c, d);
  }
  assert(next(a) == b && next(c) == d);
  const std::size_t nodes = size();
  const std::size_t inside = (place_[c] + nodes - place_[b]) % nodes + 1;  // path b .. c
  if (2 * inside <= nodes) {
    reverse(place_[b], place_[c], inside);
  } else {
    reverse(place_[d], place_[a], nodes - inside);
  }
}

void TourState::reverse(std::size_t first, std::size_t last, std::size_t length) {
  const std::size_t end = size() - 1;
  for (std::size_t swaps = length / 2; swaps > 0; --swaps) {
    std::swap(order_[first], order_[last]);
    place_[order_[first]] = static_cast<std::uint32_t>(first);
    place_[order_[last]] = static_cast<std::uint32_t>(last);
    first = first == end ? 0 : first + 1;
    last = last == 0 ? end : last - 1;
  }
}

}  // namespace eco
