#pragma once
// A picture of an instance and a solution: nodes, the tour or coloured routes, the depot, and a
// title with name, cost and gap. Strokes and markers scale with the density of the nodes, so that
// 50 nodes and 100,000 are both worth looking at.

#include <memory>
#include <string>

#include "core/instance/instance.h"
#include "io/output.h"

namespace eco::io {

// `solution` may be null: only the nodes are drawn. Throws eco::Error (usage) if the instance has
// no coordinates, and std::logic_error if the solution does not pass the checker.
[[nodiscard]] std::string svg_picture(const Instance& instance, const Solution* solution);

// Throws as svg_picture() if the instance cannot be drawn.
void require_drawable(const Instance& instance);

// The same into a file that appears whole or not at all; `-` is standard output.
void write_svg(const std::string& path, const Instance& instance, const Solution* solution);
// Up to commit() only.
[[nodiscard]] std::unique_ptr<Output> prepare_svg(const std::string& path, const Instance& instance,
                                                  const Solution* solution);

}  // namespace eco::io
