#include "train/rollout/merge_states.h"

#include <algorithm>
#include <array>
#include <memory>

#include "core/expert/cvrp/solve_cvrp.h"
#include "core/expert/tsp/ils.h"
#include "core/tour/edge.h"
#include "train/data/expert.h"
#include "train/data/merge_batch.h"

namespace eco::train {

namespace {

constexpr std::size_t kFewestOpen = 4;  // below, there is nothing to choose
constexpr std::uint64_t kFewestIterations = 200;

// The partners that every node still lacks on the way to a solution.
class Missing {
 public:
  Missing(const Instance& instance, const Solution& solution)
      : partners_(instance, solution), left_(instance.size()) {
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const auto both = partners_.of(NodeId(i));
      left_[i] = {{both[0], both[1]}, 2};
    }
  }

  // Whether the solution has the link as one that is still missing; if so, it no longer is.
  bool take(NodeId a, NodeId b) {
    if (find(a, b) == 2 || (b != kDepot && find(b, a) == 2)) {
      if (!depot_ends(a, b)) return false;
    }
    remove(a, b);
    remove(b, a);
    return true;
  }

 private:
  struct Left {
    std::array<NodeId, 2> node;
    std::size_t count;
  };
  [[nodiscard]] std::size_t find(NodeId at, NodeId partner) const {
    const Left& left = left_[at.index()];
    for (std::size_t i = 0; i < left.count; ++i) {
      if (left.node[i] == partner) return i;
    }
    return 2;
  }
  [[nodiscard]] static bool depot_ends(NodeId, NodeId) { return false; }
  void remove(NodeId at, NodeId partner) {
    Left& left = left_[at.index()];
    const std::size_t place = find(at, partner);
    if (place == 2) return;
    left.node[place] = left.node[1];
    --left.count;
  }

  Partners partners_;
  std::vector<Left> left_;
};

}  // namespace

}  // namespace eco::train
