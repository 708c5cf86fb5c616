#pragma once
// Nodes of a CVRP instance that belong together: the two ends of a path whose inside is of no
// concern. They stand beside each other in every solution, and the load of the path is the demand
// of either. One end may be tied to the depot: then nothing comes between the two.

#include <cstddef>
#include <cstdint>
#include <span>

namespace eco {

struct TiedEnds {
  std::span<const std::uint32_t> partner;   // by node: the other end, or itself. Empty: no paths
  std::span<const unsigned char> at_depot;  // by node: 1 if tied to the depot
  std::size_t paths = 0;

  [[nodiscard]] bool empty() const { return partner.empty(); }
  [[nodiscard]] std::uint32_t other_end(std::uint32_t node) const {
    return partner.empty() ? node : partner[node];
  }
  // Customers and paths, of so many customer nodes.
  [[nodiscard]] std::size_t stops(std::size_t nodes) const { return nodes - paths; }
  [[nodiscard]] bool tied_to_depot(std::uint32_t node) const {
    return !partner.empty() && at_depot[node] != 0;
  }
};

}  // namespace eco
