#pragma once
// The ends of an open path. A path is a tour cut open: where both ends are given, at the edge
// between them; where one is, at one of its two edges; else anywhere.

#include <optional>
#include <span>

#include "core/instance/instance.h"
#include "core/tour/edge.h"

namespace eco::path {

// As ProblemFacts::given says.
[[nodiscard]] std::optional<Edge> given_ends(const Instance& instance);

// Cuts the tour at the longest edge at which it may be cut and puts it the way round that was
// asked for.
void cut_open(const Instance& instance, Solution& tour);
// The same, but at none of these edges; throws eco::Error (input) if there is no other.
void cut_open(const Instance& instance, Solution& tour, std::span<const Edge> kept);

}  // namespace eco::path
