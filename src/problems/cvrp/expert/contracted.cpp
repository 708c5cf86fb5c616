#include "problems/cvrp/expert/contracted.h"

#include <utility>

#include "core/instance/part.h"

namespace eco {

Contracted::Contracted(const Instance& original, const ForcedPaths& forced)
    : forced_(&forced),
      original_nodes_(original.size()),
      original_(1, 0),
      partner_(1, 0),
      at_depot_(1, 0) {
  struct SecondEnd {
    std::uint32_t first, node;  // contracted, original
    bool at_depot;
  };
  std::vector<SecondEnd> second_ends;
  std::vector<std::int64_t> loads(1, 0);
  for (std::uint32_t node = 1; node < original.size(); ++node) {
    if (!forced.is_end(node) || forced.other_end(node) < node) continue;  // every path once
    std::uint32_t one = node, two = forced.other_end(node);
    const std::size_t ties =
        one == two ? forced.depot_edges(one) : forced.depot_edges(one) + forced.depot_edges(two);
    if (ties == 2) {
      finished_.push_back(node);
      continue;
    }
    if (one != two && forced.depot_edges(one) != 0) std::swap(one, two);
    const auto first = static_cast<std::uint32_t>(original_.size());
    original_.push_back(one);
    if (one != two || ties != 0) second_ends.push_back({first, two, ties != 0});
    loads.push_back(forced.load(original, one));
  }
  paths_ = second_ends.size();
  for (std::uint32_t node = 1; node < original_.size(); ++node) partner_.push_back(node);
  at_depot_.resize(original_.size(), 0);
  for (const auto& [first, node, at_depot] : second_ends) {
    partner_[first] = static_cast<std::uint32_t>(original_.size());
    original_.push_back(node);
    partner_.push_back(first);
    at_depot_.push_back(at_depot ? 1 : 0);
    loads.push_back(loads[first]);
  }
  instance_ = part_of(original, original_);
  instance_.kind = ProblemKind::cvrp;
  instance_.capacity = original.capacity;
  instance_.demands = std::move(loads);
}

TiedEnds Contracted::fragments() const {
  if (paths_ == 0) return {};
  return {partner_, at_depot_, paths_};
}

Solution Contracted::expand(const Solution& contracted) const {
  Solution solution;
  solution.sequence.reserve(original_nodes_ + contracted.sequence.size());
  const auto& sequence = contracted.sequence;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const std::size_t node = sequence[i].index();
    if (node == 0) {
      solution.sequence.push_back(kDepot);
      continue;
    }
    forced_->append_path(original_[node], solution.sequence);
    if (partner_[node] != node) ++i;  // over the other end
  }
  for (const std::uint32_t end : finished_) {
    forced_->append_path(end, solution.sequence);
    solution.sequence.push_back(kDepot);
  }
  return solution;
}

Solution Contracted::reduce(const Solution& original) const {
  std::vector<std::uint32_t> contracted(original_nodes_, 0);
  // Backwards, so that of a customer with two nodes the first is found.
  for (std::size_t node = original_.size() - 1; node > 0; --node) {
    contracted[original_[node]] = static_cast<std::uint32_t>(node);
  }
  Routes routes;
  for (const Route& route : to_routes(original)) {
    Route stops;
    for (const NodeId customer : route) {
      const std::uint32_t node = contracted[customer.index()];
      if (node == 0) continue;  // inside a path or on a finished route
      const std::uint32_t other = partner_[node];
      const bool two_nodes = other != node && original_[other] == original_[node];
      // The second one is the side of the depot.
      if (two_nodes && customer == route.front()) stops.emplace_back(other);
      stops.emplace_back(node);
      if (two_nodes && customer != route.front()) stops.emplace_back(other);
    }
    if (!stops.empty()) routes.push_back(std::move(stops));
  }
  return from_routes(routes);
}

}  // namespace eco
