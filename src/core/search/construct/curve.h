#pragma once
// A solution along a space-filling curve, straightened; with a depot cut into routes where that is
// shortest. Some tenths of a microsecond a node, so there is always time for it: it is what a
// method that is cut short falls back on. Tours are about as long as a nearest neighbour's or a
// little shorter, plans some percent longer.

#include "core/instance/instance.h"

namespace eco {

[[nodiscard]] Solution curve_solution(const Instance& instance);

}  // namespace eco
