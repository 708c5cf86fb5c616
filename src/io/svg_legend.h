#pragma once
// The table beside the picture of a plan: one row a route, with its colour.

#include <string>
#include <string_view>
#include <vector>

#include "core/instance/instance.h"
#include "io/plan/plan.h"

namespace eco::io {

inline constexpr double kLegendWidth = 250;  // pixels

// A length as people read it: great circles in kilometres, others as they are.
[[nodiscard]] std::string length_text(const Instance& instance, double length);

// Text for the inside of an element.
[[nodiscard]] std::string svg_escaped(std::string_view text);

// Elements of SVG from (x, y) downwards, at most `height` pixels: routes that have no room are
// counted. `colours` has one entry a route.
[[nodiscard]] std::string svg_legend(const Instance& instance, const Plan& plan,
                                     const std::vector<std::string>& colours, double x, double y,
                                     double height);

}  // namespace eco::io
