#pragma once
// What the candidate scorer's network sees at one encoding: the current node c, the unvisited nodes
// U and the destination s, as tokens in canonical order in the unit square, with their input
// features and scan orders (docs/model.md, section 3). Training and the engine both build their
// inputs here, so that they cannot differ. All buffers are kept between builds.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/instance/instance.h"
#include "core/model/config.h"
#include "core/search/neighbours_tree.h"

namespace eco {

struct SubProblemInput {
  NodeId current;                     // CVRP: the depot only before the first customer
  std::span<const NodeId> unvisited;  // neither current nor destination
  NodeId destination;                 // TSP: first node of the path; CVRP: the depot
  std::int64_t remaining = 0;         // CVRP: what the vehicle can still take
  // TSP: `unvisited` is a window; a destination beyond it is seen at its border.
  bool cut = false;
};

class SubProblem {
 public:
  // False if the deadline came first; then only another build makes it whole again.
  bool build(const Instance& instance, const SubProblemInput& input, const Deadline& deadline = {});
  // The same sub-problem seen from the other end, at a fraction of the cost of building it. TSP.
  void build_reversed(const SubProblem& forward);

  [[nodiscard]] ProblemKind problem() const { return problem_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }         // L = |U| + 2
  [[nodiscard]] std::span<const NodeId> nodes() const { return nodes_; }   // token -> input node
  [[nodiscard]] std::size_t current() const { return current_; }           // token of c
  [[nodiscard]] std::size_t destination() const { return destination_; }   // token of s
  [[nodiscard]] std::span<const Point> points() const { return points_; }  // in the unit square
  [[nodiscard]] std::span<const float> features() const { return features_; }  // [L, features]
  [[nodiscard]] std::span<const std::uint32_t> hilbert() const { return hilbert_; }  // scan order

  // The up to 8 nearest other tokens of each, nearest first: [L, kNeighbours], kNone where fewer.
  static constexpr std::size_t kNeighbours = 8;
  static constexpr std::uint32_t kNone = 0xffffffffU;
  [[nodiscard]] std::span<const std::uint32_t> neighbours_of(std::size_t token) const {
    return std::span(neighbours_).subspan(token * kNeighbours, kNeighbours);
  }
  [[nodiscard]] std::span<const float> neighbour_scale() const { return scale_; }  // [L] mean dist.

  [[nodiscard]] const NeighbourTree& tree() const { return tree_; }  // of all tokens

  // CVRP, 0 for the TSP. The current node is served already and asks for nothing.
  [[nodiscard]] std::int64_t demand(std::size_t token) const { return demands_[token]; }
  [[nodiscard]] std::int64_t remaining() const { return remaining_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

 private:
  void place_tokens(const Instance& instance, const SubProblemInput& input);
  bool find_neighbours(const Deadline& deadline);
  void make_features();

  ProblemKind problem_ = ProblemKind::tsp;
  std::vector<NodeId> nodes_, unsorted_nodes_;
  std::vector<Point> points_, unsorted_points_;
  std::vector<float> features_;
  std::vector<std::uint32_t> hilbert_, order_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<float> scale_;
  std::vector<std::int64_t> demands_;
  std::int64_t remaining_ = 0, capacity_ = 0;
  std::size_t current_ = 0, destination_ = 0;
  NeighbourTree tree_{{}};
  OrderBuffers order_buffers_;
};

}  // namespace eco
