#include "problems/path/search/line_state.h"

#include <algorithm>

namespace eco {

void LineState::assign(const Solution& path, double cost) {
  constexpr double kRelativeTolerance = 1e-13;  // of the path: below, a gain may be rounding
  tolerance_ = kRelativeTolerance * cost;
  touched_.clear();
  order_.clear();
  for (const NodeId node : path.sequence)
    order_.push_back(static_cast<std::uint32_t>(node.index()));
  place_.resize(order_.size());
  renumber(0, order_.size() - 1);
}

Solution LineState::solution() const {
  Solution path;
  path.sequence.reserve(size());
  for (const std::uint32_t node : order_) path.sequence.emplace_back(node);
  return path;
}

void LineState::reverse(std::size_t first, std::size_t last) {
  std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(first),
               order_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  renumber(first, last);
}

void LineState::move(std::size_t first, std::size_t last, std::size_t target) {
  const auto at = [&](std::size_t place) {
    return order_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  if (target <= first) {
    std::rotate(at(target), at(first), at(last + 1));
    renumber(target, last);
  } else {
    std::rotate(at(first), at(last + 1), at(target));
    renumber(first, target - 1);
  }
}

void LineState::touch_around(std::size_t first, std::size_t last) {
  if (first > 0) touched_.push_back(order_[first - 1]);
  touched_.push_back(order_[first]);
  touched_.push_back(order_[last]);
  if (last + 1 < size()) touched_.push_back(order_[last + 1]);
}

void LineState::renumber(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i <= last; ++i) place_[order_[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace eco
