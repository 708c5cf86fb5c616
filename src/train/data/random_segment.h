#pragma once
// Training examples of the candidate scorer: a random stretch of a label, as the engine would meet
// it at one encoding (docs/model.md, section 3).

#include "core/base/rng.h"
#include "train/data/batch.h"
#include "train/data/label_order.h"

namespace eco::train {

// Steps that are learned from one encoding: a share of the unvisited nodes, or all of few; for the
// CVRP a route at least.
[[nodiscard]] std::size_t forced_steps(ProblemKind problem, std::size_t unvisited, double share);

// A stretch of the reference solution with `unvisited` nodes to go. TSP: anywhere on the tour, in
// either direction, 1 <= unvisited <= nodes - 1 (nodes - 1: the whole tour, current = destination).
// CVRP: the end of the chained plan from a random first route, 1 <= unvisited <= customers (all:
// the vehicle is at the depot). The instance must have a reference and outlive the segment.
[[nodiscard]] Segment random_segment(const Instance& instance, std::size_t unvisited,
                                     double forced_share, Rng& rng);

// What the network sees of a state of a tour: its window, and the path until it leaves that, no
// longer than is learned from so many nodes. `window`: 0 if there is none.
void cut_to_window(Segment& segment, std::size_t window, double forced_share);

// The state of a plan of all customers with `unvisited` to go, and its next steps.
[[nodiscard]] Segment state_of_plan(const Instance& instance, std::span<const Visit> plan,
                                    std::size_t unvisited, double forced_share);

}  // namespace eco::train
