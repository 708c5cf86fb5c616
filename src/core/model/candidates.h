#pragma once
// Walks a path through a sub-problem and gives, before each step, the candidates and their features
// (docs/model.md, section 3). Geometry only: no weights. Training replays label paths through it,
// the engine asks it at every step.
//
//   CandidateWalk walk;  walk.start(sub, 16);
//   while (walk.unvisited() > 0) { walk.propose(); ... choose i ...; walk.step(token, via); }

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/model/features.h"
#include "core/model/subproblem.h"
#include "core/search/neighbours_tree.h"

namespace eco {

class CandidateWalk {
 public:
  // `sub` must outlive the walk and stay unchanged.
  void start(const SubProblem& sub, std::size_t candidates);

  // Finds the candidates of the current token; call once before each step.
  void propose();
  [[nodiscard]] std::span<const std::uint32_t> tokens() const {
    return tokens_;
  }  // <= k, nearest first
  [[nodiscard]] std::span<const float> features() const { return features_; }    // [k, features]
  [[nodiscard]] std::span<const float> distances() const { return distances_; }  // [k] sqrt(L) d
  // CVRP: may candidate i be reached directly (its demand fits)? TSP: always.
  [[nodiscard]] bool direct(std::size_t i) const { return direct_[i] != 0; }
  // CVRP: may it be reached by way of the depot? TSP: never.
  [[nodiscard]] bool via_depot() const { return via_allowed_; }

  void step(std::size_t token, bool via_depot = false);

  // To try several ways from here: copies made after part() share the set of open tokens, and each
  // notes its own steps apart, so that a copy costs nothing that grows with the sub-problem.
  // settle() makes the steps of the one that is kept its common past; the others are void then.
  void part() { apart_ = true; }
  void settle();

  [[nodiscard]] std::size_t current() const { return current_; }
  [[nodiscard]] std::size_t unvisited() const { return unvisited_; }
  [[nodiscard]] bool visited(std::size_t token) const;
  [[nodiscard]] bool at_depot() const { return at_depot_; }  // CVRP: before the first step of all
  [[nodiscard]] std::int64_t remaining() const { return remaining_; }  // CVRP: load still free
  // CVRP, in capacities: the room that would stay empty if all that is left, this route included,
  // took as few routes as its demand allows; and what a route that ends here leaves empty beyond
  // that, which costs a route more.
  [[nodiscard]] double spare_room() const;
  [[nodiscard]] double lost_room() const;
  // d_t of docs/model.md: 1 value (TSP) or 3 (CVRP).
  void dynamic(std::span<float> out) const;

 private:
  [[nodiscard]] double in_capacities(std::int64_t load) const;
  void rank_by_destination();
  // The k nearest open tokens other than `except`, nearest first; valid until the next call.
  [[nodiscard]] std::span<const PointNeighbour> nearest(
      const Point& query, std::size_t k, std::uint32_t except = NeighbourTree::kNone);
  // The two nearest unvisited tokens other than this one, kNone where there are fewer.
  [[nodiscard]] std::array<std::uint32_t, 2> nearest_open(std::size_t token);
  void describe(std::size_t i, double root);

  const SubProblem* sub_ = nullptr;
  std::size_t limit_ = 0;
  struct Open {
    NeighbourTree tree{{}};  // the unvisited tokens
    std::vector<unsigned char> visited;
  };
  std::shared_ptr<Open> open_;        // of this walk and those that parted from it
  std::vector<std::uint32_t> taken_;  // own steps since part()
  bool apart_ = false;
  std::vector<PointNeighbour> found_;
  std::size_t current_ = 0;
  std::size_t unvisited_ = 0;
  std::int64_t remaining_ = 0;    // CVRP: load still free
  std::int64_t open_demand_ = 0;  // CVRP: of the unvisited
  bool at_depot_ = false;
  bool via_allowed_ = false;

  double scale_ = 1;  // mean distance of the current token to its nearest candidates
  std::vector<std::uint32_t> tokens_, near_destination_;
  std::vector<float> features_, distances_;
  std::vector<unsigned char> direct_;
  std::vector<double> to_destination_;
  std::vector<std::size_t> destination_rank_;
};

}  // namespace eco
