#pragma once
// The state of a construction by merging (docs/model.md): paths over the nodes, at the start one
// node each, of which any two may be joined at their ends. A node is open while it has fewer than
// two edges; an edge, once made, stays. With a depot a fragment has a load, and an end may go home,
// which closes it. What the problem gives (ProblemFacts::given) is joined from the start. Every
// state can be finished feasibly.
//
//   Fragments state(instance);
//   while (...) if (state.can_link(i, j)) state.link(i, j);
//   Solution solution = state.finish();

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/tour/solution.h"

namespace eco {

class Fragments {
 public:
  // Demands and capacity are read from the instance, which must outlive the state.
  explicit Fragments(const Instance& instance);

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] std::size_t nodes() const { return ends_.size(); }
  [[nodiscard]] bool has_depot() const { return first_ == 1; }

  [[nodiscard]] std::size_t degree(NodeId node) const { return ends_[node.index()].degree; }
  [[nodiscard]] bool open(NodeId node) const { return degree(node) < 2; }
  // At open nodes: the other end of the fragment (itself for a fragment of one node), whether that
  // end is at the depot, and the load of the whole.
  [[nodiscard]] NodeId other(NodeId node) const { return ends_[node.index()].other; }
  [[nodiscard]] bool far_end_home(NodeId node) const { return ends_[node.index()].far_home; }
  [[nodiscard]] std::int64_t load(NodeId node) const { return ends_[node.index()].load; }
  // The edges of a node, in the order in which they were made; those from degree() on mean nothing.
  [[nodiscard]] std::span<const NodeId, 2> edges(NodeId node) const {
    return ends_[node.index()].edge;
  }

  [[nodiscard]] std::size_t open_nodes() const { return open_nodes_; }
  // Links that can still be made at the most; 0 without a depot means one path is left.
  [[nodiscard]] std::size_t links_left() const { return fragments_ - 1; }
  // What the open fragments carry together, with a depot.
  [[nodiscard]] std::int64_t open_load() const { return open_load_; }

  // Both open, of different fragments, loads fit together.
  [[nodiscard]] bool can_link(NodeId i, NodeId j) const;
  void link(NodeId i, NodeId j);
  // With a depot: joins an open node to it.
  void send_home(NodeId node);
  // Whichever of the two is meant: b may be the depot.
  void add(NodeId a, NodeId b) { has_depot() && b == kDepot ? send_home(a) : link(a, b); }

  // Closes what is open (the last path into a tour, unless the problem's sequences do not close;
  // every open end to the depot) and reads the solution off: every link that was made is in it.
  // Without a depot all nodes must be on one path.
  [[nodiscard]] Solution finish();

 private:
  struct Node {
    std::array<NodeId, 2> edge;
    NodeId other;
    std::uint8_t degree = 0;
    bool far_home = false;
    std::int64_t load = 0;
  };
  void join_given();
  void add_edge(NodeId from, NodeId to);
  [[nodiscard]] Solution tour();
  [[nodiscard]] Solution plan();

  const Instance* instance_;
  std::size_t first_;  // the first node that is visited: 1 after a depot
  std::vector<Node> ends_;
  std::size_t open_nodes_;
  std::size_t fragments_;  // joined by links alone
  std::int64_t open_load_ = 0;
};

}  // namespace eco
