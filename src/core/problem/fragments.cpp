#include "core/problem/fragments.h"

#include <algorithm>
#include <cassert>

#include "core/problem/capacity.h"

namespace eco {

Fragments::Fragments(const Instance& instance)
    : instance_(&instance),
      first_(instance.has_depot() ? 1 : 0),
      ends_(instance.size()),
      open_nodes_(instance.size() - first_),
      fragments_(open_nodes_) {
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    ends_[i].other = NodeId(i);
    if (has_depot()) open_load_ += ends_[i].load = instance.demands[i];
  }
  if (has_depot()) ends_[0].degree = 2;  // never open itself
  if (!instance.problem().closed) join_given();
}

void Fragments::join_given() {
  const auto given = instance_->problem().given(*instance_);
  if (!given) return;
  if (given->a != given->b) {
    link(given->a, given->b);
  } else {
    add_edge(given->a, given->a);  // stands for what is outside
  }
}

bool Fragments::can_link(NodeId i, NodeId j) const {
  if (i == j || !open(i) || !open(j) || other(i) == j) return false;
  return !has_depot() || fits(load(i) + load(j), instance_->capacity);
}

void Fragments::add_edge(NodeId from, NodeId to) {
  Node& node = ends_[from.index()];
  node.edge[node.degree++] = to;
  if (node.degree == 2) --open_nodes_;
}

void Fragments::link(NodeId i, NodeId j) {
  assert(can_link(i, j));
  const NodeId far_i = other(i), far_j = other(j);
  const bool home_i = far_end_home(i), home_j = far_end_home(j);
  const std::int64_t load = this->load(i) + this->load(j);
  add_edge(i, j);
  add_edge(j, i);
  Node& end_i = ends_[far_i.index()];
  Node& end_j = ends_[far_j.index()];
  end_i.other = far_j;
  end_j.other = far_i;
  end_i.load = end_j.load = load;
  end_i.far_home = home_j;
  end_j.far_home = home_i;
  if (home_i && home_j) open_load_ -= load;
  --fragments_;
}

void Fragments::send_home(NodeId node) {
  assert(has_depot() && open(node));
  // The route is whole once its other end was home already.
  if (far_end_home(node)) open_load_ -= load(node);
  add_edge(node, kDepot);
  ends_[other(node).index()].far_home = true;
}

namespace {

// At the one edge that was never a link: the closing one, which lies between the last node and the
// first, or what is given.
void open_again(const Instance& instance, Solution& tour) {
  const auto given = instance.problem().given(instance);
  if (given && given->a != given->b) {
    instance.problem().cut_open(instance, tour);
    return;
  }
  auto& nodes = tour.sequence;
  const bool wrong_way = (instance.start && nodes.front() != *instance.start) ||
                         (instance.end && nodes.back() != *instance.end);
  if (wrong_way) std::reverse(nodes.begin(), nodes.end());
}

}  // namespace

Solution Fragments::finish() {
  return has_depot() ? plan() : tour();
}

Solution Fragments::tour() {
  assert(fragments_ == 1);
  Solution solution;
  if (nodes() < 2) {
    if (nodes() == 1) solution.sequence.push_back(NodeId(0));
    return solution;
  }
  NodeId start(0);
  while (!open(start)) start = NodeId(start.index() + 1);
  const NodeId last = other(start);
  add_edge(start, last);
  if (open(last)) {
    add_edge(last, start);
  } else {
    ends_[last.index()].edge[0] = start;  // for its link to what is outside, which came first
  }
  solution.sequence.reserve(nodes());
  NodeId before = last, here = start;
  for (std::size_t i = 0; i < nodes(); ++i) {
    solution.sequence.push_back(here);
    const auto& edge = ends_[here.index()].edge;
    const NodeId next = i > 0 && edge[0] == before ? edge[1] : edge[0];
    before = here;
    here = next;
  }
  if (!instance_->problem().closed) open_again(*instance_, solution);
  return solution;
}

Solution Fragments::plan() {
  for (std::size_t i = first_; i < nodes(); ++i) {
    while (open(NodeId(i))) send_home(NodeId(i));
  }
  Solution solution;
  solution.sequence.reserve(2 * nodes());
  solution.sequence.push_back(kDepot);
  std::vector<bool> visited(nodes());
  for (std::size_t i = first_; i < nodes(); ++i) {
    const auto& first = ends_[i].edge;
    if (visited[i] || (first[0] != kDepot && first[1] != kDepot)) continue;
    NodeId before = kDepot, here(i);
    while (here != kDepot) {
      visited[here.index()] = true;
      solution.sequence.push_back(here);
      const auto& edge = ends_[here.index()].edge;
      const NodeId next = edge[0] == before ? edge[1] : edge[0];
      before = here;
      here = next;
    }
    solution.sequence.push_back(kDepot);
  }
  return solution;
}

}  // namespace eco
