#pragma once
// One look at every stop of a tour or route and at those close to it along the way: a stretch is
// turned round, or a stop moved, where that is shorter. O(N) with a small constant, for solutions
// that have to be ready at once.

#include "core/instance/instance.h"

namespace eco {

// Turns nothing where the way back has another length. Never makes the solution longer; routes keep
// their customers.
void straighten(const Instance& instance, Solution& solution);

}  // namespace eco
