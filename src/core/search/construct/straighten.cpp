#include "core/search/construct/straighten.h"

#include <algorithm>
#include <span>

#include "core/instance/distance.h"
#include "core/search/node_distance.h"

namespace eco {

namespace {

constexpr std::size_t kReach = 10;  // places along the path that are looked at
constexpr std::size_t kRounds = 2;
constexpr double kLess = 1 - 1e-12;  // gains below are rounding

// Both passes leave the first and the last node of the path where they are.
template <class Distance>
void turn_stretches(const Distance& distance, std::span<NodeId> path) {
  for (std::size_t i = 0; i + 3 < path.size(); ++i) {
    const std::size_t last = std::min(i + kReach, path.size() - 2);
    for (std::size_t j = i + 2; j <= last; ++j) {
      const double now = distance(path[i], path[i + 1]) + distance(path[j], path[j + 1]);
      const double turned = distance(path[i], path[j]) + distance(path[i + 1], path[j + 1]);
      if (turned < now * kLess) std::reverse(&path[i] + 1, &path[j] + 1);
    }
  }
}

template <class Distance>
void move_stops(const Distance& distance, std::span<NodeId> path) {
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    const NodeId stop = path[i];
    double least = kLess * (distance(path[i - 1], stop) + distance(stop, path[i + 1]) -
                            distance(path[i - 1], path[i + 1]));
    std::size_t best = i;  // the stop goes behind this place
    const std::size_t first = i > kReach ? i - kReach : 0;
    const std::size_t last = std::min(i + kReach, path.size() - 2);
    for (std::size_t j = first; j <= last; ++j) {
      if (j == i || j + 1 == i) continue;
      const double growth =
          distance(path[j], stop) + distance(stop, path[j + 1]) - distance(path[j], path[j + 1]);
      if (growth >= least) continue;
      least = growth;
      best = j;
    }
    NodeId* const at = &path[0];
    if (best < i) std::rotate(at + best + 1, at + i, at + i + 1);
    if (best > i) std::rotate(at + i, at + i + 1, at + best + 1);
  }
}

}  // namespace

void straighten(const Instance& instance, Solution& solution) {
  auto& sequence = solution.sequence;
  const bool symmetric = is_symmetric(instance);
  with_distance(instance, [&](auto by_index) {
    const auto distance = [&](NodeId a, NodeId b) { return by_index(a.index(), b.index()); };
    const auto improve = [&](std::span<NodeId> path) {
      for (std::size_t round = 0; round < kRounds; ++round) {
        if (symmetric) turn_stretches(distance, path);
        move_stops(distance, path);
      }
    };
    if (!instance.has_depot()) {
      improve(sequence);
      return;
    }
    for (auto begin = sequence.begin(); begin + 1 < sequence.end();) {
      const auto end = std::find(begin + 1, sequence.end(), kDepot);
      improve({begin, end + 1});
      begin = end;
    }
  });
}

}  // namespace eco
