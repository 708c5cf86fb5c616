#include "problems/cvrp/expert/population.h"

#include <algorithm>
#include <numeric>

namespace eco {

namespace {

constexpr std::size_t kElite = 4;    // the best by cost are never lost
constexpr std::size_t kClosest = 5;  // relatives that count for the diversity

// ranks[i] = place of i when sorted by key, 0 to 1.
std::vector<double> ranks_of(const std::vector<double>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  std::vector<double> ranks(keys.size());
  const double last = static_cast<double>(std::max<std::size_t>(1, keys.size() - 1));
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i) / last;
  return ranks;
}

double mean_to_closest(std::vector<double> distances, std::size_t own) {
  distances.erase(distances.begin() + static_cast<std::ptrdiff_t>(own));
  const std::size_t count = std::min(kClosest, distances.size());
  if (count == 0) return 0;
  const auto end = distances.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(distances.begin(), end, distances.end());
  return std::accumulate(distances.begin(), end, 0.0) / static_cast<double>(count);
}

}  // namespace

void Population::add(Individual individual, double penalty) {
  Member newcomer{std::move(individual), 0, 0, {}};
  newcomer.cost = newcomer.individual.penalised(penalty);
  for (Member& member : members_) {
    const double distance = broken_pairs(newcomer.individual, member.individual);
    member.distances.push_back(distance);
    newcomer.distances.push_back(distance);
  }
  newcomer.distances.push_back(0);
  members_.push_back(std::move(newcomer));
  if (members_.size() > kSmallest + kGeneration) {
    while (members_.size() > kSmallest) remove_worst();
  }
  rank();
}

void Population::set_penalty(double penalty) {
  for (Member& member : members_) member.cost = member.individual.penalised(penalty);
  rank();
}

void Population::clear() {
  members_.clear();
}

void Population::rank() {
  std::vector<double> costs, closeness;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    costs.push_back(members_[i].cost);
    closeness.push_back(-mean_to_closest(members_[i].distances, i));
  }
  const std::vector<double> by_cost = ranks_of(costs), by_diversity = ranks_of(closeness);
  const double size = static_cast<double>(members_.size());
  const double weight = members_.size() <= kElite ? 0.0 : 1.0 - kElite / size;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].fitness = by_cost[i] + weight * by_diversity[i];
  }
}

bool Population::is_clone(std::size_t i) const {
  const auto& distances = members_[i].distances;
  for (std::size_t j = 0; j < distances.size(); ++j) {
    if (j != i && distances[j] < 1e-9) return true;
  }
  return false;
}

void Population::remove_worst() {
  rank();
  std::size_t best = 0;
  for (std::size_t i = 1; i < members_.size(); ++i) {
    if (members_[i].cost < members_[best].cost) best = i;
  }
  std::size_t worst = members_.size();
  bool worst_is_clone = false;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (i == best) continue;
    const bool clone = is_clone(i);
    if (worst == members_.size() || (clone && !worst_is_clone) ||
        (clone == worst_is_clone && members_[i].fitness > members_[worst].fitness)) {
      worst = i;
      worst_is_clone = clone;
    }
  }
  const auto at = static_cast<std::ptrdiff_t>(worst);
  members_.erase(members_.begin() + at);
  for (Member& member : members_) member.distances.erase(member.distances.begin() + at);
}

}  // namespace eco
