#pragma once
// A solution under construction by segments, for the candidate scorer: which sub-problem comes next
// from which end, and what the finished path is as a solution. One class a problem, one contract.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/infer/decode.h"
#include "core/model/subproblem.h"
#include "core/search/neighbours_tree.h"

namespace eco {

// An open path that starts and ends at one node and may grow at either end.
class TspPath {
 public:
  // `window`: so many open nodes are seen at once.
  TspPath(const Instance& instance, NodeId start, std::size_t window);

  [[nodiscard]] bool done() const { return unvisited() == 0; }
  [[nodiscard]] std::size_t unvisited() const { return tree_ ? tree_->left() : unvisited_.size(); }
  // The two ends see the same nodes unless there are more than a window of them.
  [[nodiscard]] bool cut() const { return tree_.has_value(); }
  // Ends worth trying: the two are the same until the first step is made.
  [[nodiscard]] std::size_t ends(std::size_t wanted) const { return started_ ? wanted : 1; }
  // Valid until the next call; `kept` are seen however far they are.
  [[nodiscard]] SubProblemInput sub_problem(std::size_t end, std::span<const NodeId> kept);
  void extend(const Segment& segment);
  void complete(std::span<const NodeId> order);  // appends what is left in that order
  [[nodiscard]] Solution solution() const;

 private:
  [[nodiscard]] std::vector<NodeId> nearest(const Point& point, std::size_t count);

  const Instance* instance_;
  std::size_t window_;
  std::optional<NeighbourTree> tree_;  // of the open nodes, while they are more than a window
  std::vector<NodeId> unvisited_;      // after that
  std::vector<NodeId> seen_;           // the last window
  std::vector<NodeId> forward_,
      backward_;   // both from the start outwards; it is in `forward_` only
  NodeId tip_[2];  // the two ends
  bool started_ = false;
};

// A plan of routes, each reached by way of the depot. `start`: the first customer, or the depot if
// the policy chooses it.
class CvrpPath {
 public:
  CvrpPath(const Instance& instance, NodeId start, std::size_t window);

  [[nodiscard]] bool done() const { return unvisited_.empty(); }
  [[nodiscard]] std::size_t unvisited() const { return unvisited_.size(); }
  [[nodiscard]] bool cut() const { return false; }
  [[nodiscard]] std::size_t ends(std::size_t) const { return 1; }
  [[nodiscard]] SubProblemInput sub_problem(std::size_t end, std::span<const NodeId> kept) const;
  void extend(const Segment& segment);
  void complete(std::span<const NodeId> order);
  [[nodiscard]] Solution solution() const;

 private:
  void visit(NodeId node, bool via_depot);

  const Instance* instance_;
  std::vector<NodeId> unvisited_;
  std::vector<NodeId> sequence_;
  std::int64_t remaining_;
};

// The actions that lead to a solution: its nodes without depots, and how each is reached.
struct PathSteps {
  std::vector<NodeId> nodes;
  std::vector<std::uint8_t> via_depot;
};
[[nodiscard]] PathSteps path_steps(ProblemKind kind, const Solution& solution);

}  // namespace eco
