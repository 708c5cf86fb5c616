#pragma once
// What forced paths leave of a CVRP instance: the depot, the free customers and the two ends of
// every path, which carries its load as one. A path that is tied to the depot has two nodes even if
// it is one customer, for its two sides differ: the second is at the depot for ever. A path that is
// tied at both ends is a finished route and set aside.
//
// Free customers and first ends are nodes 1 to stops(), second ends follow.

#include <cstdint>
#include <vector>

#include "core/expert/forced_paths.h"
#include "core/instance/instance.h"
#include "problems/cvrp/search/tied_ends.h"

namespace eco {

class Contracted {
 public:
  // Keeps a reference to `forced`, which must not be empty.
  Contracted(const Instance& original, const ForcedPaths& forced);

  // Demands: the load of a path at both of its ends.
  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] std::size_t stops() const { return instance_.customers() - paths_; }
  // Empty if there are only free customers.
  [[nodiscard]] TiedEnds fragments() const;

  // A solution of the contracted instance (ends of a path side by side) as one of the original, and
  // back.
  [[nodiscard]] Solution expand(const Solution& contracted) const;
  [[nodiscard]] Solution reduce(const Solution& original) const;

 private:
  const ForcedPaths* forced_;
  std::size_t original_nodes_;
  Instance instance_;
  std::vector<std::uint32_t> original_;  // by contracted node
  std::vector<std::uint32_t> partner_;   // by contracted node; itself: a free customer
  std::vector<unsigned char> at_depot_;  // by contracted node
  std::vector<std::uint32_t> finished_;  // one end of each finished route, original node
  std::size_t paths_ = 0;
};

}  // namespace eco
