#include "problems/tsp/expert/reduced_instance.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "core/instance/distance.h"
#include "core/instance/part.h"
#include "core/ordering/ordering.h"

namespace eco {

namespace {

// Up to here a matrix stays in the second-level cache and a look-up beats a square root.
constexpr std::size_t kLargestMatrix = 200;

}  // namespace

ReducedInstance::ReducedInstance(const Instance& original, const ForcedPaths& forced)
    : forced_(&forced), original_nodes_(original.size()) {
  members_.reserve(original_nodes_);
  for (std::uint32_t node = 0; node < original_nodes_; ++node) {
    if (forced.empty() || forced.is_end(node)) members_.push_back(node);
  }
  if (original.metric == Metric::matrix) {
    instance_ = forced.empty() ? original : part_of(original, members_);
    first_.resize(members_.size() + 1);
    std::iota(first_.begin(), first_.end(), 0U);
  } else {
    merge_equal_points(original);
  }
  if (!forced.empty()) find_partners();
  if (original.metric != Metric::matrix && instance_.size() <= kLargestMatrix) add_matrix();
}

void ReducedInstance::merge_equal_points(const Instance& original) {
  instance_.metric = original.metric;
  instance_.rounding = original.rounding;
  if (forced_->empty()) {
    members_ = order_points(original.points, Ordering::hilbert);
  } else {
    std::vector<std::uint32_t> order =
        order_points(part_of(original, members_).points, Ordering::hilbert);
    for (std::uint32_t& place : order) place = members_[place];
    members_ = std::move(order);
  }
  const auto is_free = [&](std::uint32_t node) {
    return forced_->empty() || forced_->is_free(node);
  };
  std::vector<std::uint32_t> grouped;
  grouped.reserve(members_.size());
  const auto new_node = [&](std::uint32_t member) {
    first_.push_back(static_cast<std::uint32_t>(grouped.size()));
    instance_.points.push_back(original.points[member]);
    if (!original.places.empty()) instance_.places.push_back(original.places[member]);
  };
  for (std::size_t begin = 0, end = 0; begin < members_.size(); begin = end) {
    const Point& point = original.points[members_[begin]];
    while (end < members_.size() && original.points[members_[end]] == point) ++end;
    const auto run = std::span(members_).subspan(begin, end - begin);
    if (std::any_of(run.begin(), run.end(), is_free)) new_node(run.front());
    std::copy_if(run.begin(), run.end(), std::back_inserter(grouped), is_free);
    for (const std::uint32_t member : run) {
      if (is_free(member)) continue;
      new_node(member);
      grouped.push_back(member);
    }
  }
  first_.push_back(static_cast<std::uint32_t>(grouped.size()));
  members_ = std::move(grouped);
}

void ReducedInstance::find_partners() {
  const std::vector<std::uint32_t> reduced = reduced_nodes();
  partner_.resize(instance_.size());
  for (std::uint32_t node = 0; node < partner_.size(); ++node) {
    const std::uint32_t end = members_[first_[node]];
    partner_[node] = forced_->is_free(end) ? node : reduced[forced_->other_end(end)];
  }
}

void ReducedInstance::add_matrix() {
  const std::size_t nodes = instance_.size();
  std::vector<double> matrix(nodes * nodes);
  with_distance(instance_, [&](auto distance) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        matrix[i * nodes + j] = matrix[j * nodes + i] = distance(i, j);
      }
    }
  });
  instance_.matrix = std::move(matrix);
  instance_.metric = Metric::matrix;
}

std::vector<std::uint32_t> ReducedInstance::reduced_nodes() const {
  std::vector<std::uint32_t> reduced(original_nodes_, ForcedPaths::kNone);
  for (std::uint32_t node = 0; node + 1 < first_.size(); ++node) {
    for (std::uint32_t i = first_[node]; i < first_[node + 1]; ++i) reduced[members_[i]] = node;
  }
  return reduced;
}

Solution ReducedInstance::expand(std::span<const std::uint32_t> order) const {
  Solution tour;
  tour.sequence.reserve(original_nodes_);
  const std::size_t nodes = order.size();
  // A path across the seam of the tour is begun at its first end.
  const bool seam = !partner_.empty() && nodes > 2 && partner_[order.front()] == order.back();
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::uint32_t node = order[seam ? (i + nodes - 1) % nodes : i];
    if (!partner_.empty() && partner_[node] != node) {
      forced_->append_path(members_[first_[node]], tour.sequence);
      ++i;  // over the other end
      continue;
    }
    for (std::uint32_t member = first_[node]; member < first_[node + 1]; ++member) {
      tour.sequence.emplace_back(members_[member]);
    }
  }
  return tour;
}

std::vector<std::uint32_t> ReducedInstance::reduce(const Solution& tour) const {
  const std::vector<std::uint32_t> reduced = reduced_nodes();
  std::vector<bool> seen(instance_.size());
  std::vector<std::uint32_t> order;
  order.reserve(instance_.size());
  for (const NodeId node : tour.sequence) {
    const std::uint32_t place = reduced[node.index()];
    if (place == ForcedPaths::kNone || seen[place]) continue;
    seen[place] = true;
    order.push_back(place);
  }
  return order;
}

}  // namespace eco
