#pragma once
// An instance as TSPLIB95 or CVRPLIB text: for files, and for solvers that run as programs of their
// own. Who writes decides how the numbers look.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/instance/instance.h"

namespace eco {

struct TsplibText {
  std::string_view name, comment;        // may be empty; a comment may have lines
  std::string_view type;                 // TYPE; empty: the problem's
  std::string_view weight_type;          // EDGE_WEIGHT_TYPE
  std::optional<std::size_t> vehicles;   // stated if given
  std::span<const std::int64_t> labels;  // what the nodes are called; empty: 1..n
  std::span<const std::size_t> order;    // nodes row by row; empty: as they stand
  // Appends "x y" of a node. None: no coordinates.
  std::function<void(std::string& text, std::size_t node)> point;
  // Appends a distance; the weight type is then EXPLICIT. None: no matrix.
  std::function<void(std::string& text, std::size_t from, std::size_t to)> weight;
};

// The text goes to `sink` piece by piece.
void write_tsplib_text(const Instance& instance, const TsplibText& how,
                       const std::function<void(std::string_view)>& sink);

}  // namespace eco
