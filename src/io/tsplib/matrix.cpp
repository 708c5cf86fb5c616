#include "io/tsplib/matrix.h"

#include <array>
#include <cassert>
#include <utility>

#include "io/scanner.h"

namespace eco::io {

namespace {

constexpr std::array<std::pair<std::string_view, MatrixLayout>, 9> kLayouts{{
    {"FULL_MATRIX", MatrixLayout::full},
    {"UPPER_ROW", MatrixLayout::upper_row},
    {"LOWER_COL", MatrixLayout::upper_row},
    {"LOWER_ROW", MatrixLayout::lower_row},
    {"UPPER_COL", MatrixLayout::lower_row},
    {"UPPER_DIAG_ROW", MatrixLayout::upper_diag_row},
    {"LOWER_DIAG_COL", MatrixLayout::upper_diag_row},
    {"LOWER_DIAG_ROW", MatrixLayout::lower_diag_row},
    {"UPPER_DIAG_COL", MatrixLayout::lower_diag_row},
}};

// The columns that row i of a layout holds.
std::pair<std::size_t, std::size_t> columns(MatrixLayout layout, std::size_t i, std::size_t nodes) {
  switch (layout) {
    case MatrixLayout::upper_row:
      return {i + 1, nodes};
    case MatrixLayout::lower_row:
      return {0, i};
    case MatrixLayout::upper_diag_row:
      return {i, nodes};
    case MatrixLayout::lower_diag_row:
      return {0, i + 1};
    case MatrixLayout::full:
      break;
  }
  return {0, nodes};
}

}  // namespace

std::optional<MatrixLayout> matrix_layout_from(std::string_view name) {
  for (const auto& [known, layout] : kLayouts) {
    if (same_word(known, name)) return layout;
  }
  return std::nullopt;
}

std::size_t entries(MatrixLayout layout, std::size_t nodes) {
  switch (layout) {
    case MatrixLayout::upper_row:
    case MatrixLayout::lower_row:
      return nodes * (nodes - 1) / 2;
    case MatrixLayout::upper_diag_row:
    case MatrixLayout::lower_diag_row:
      return nodes * (nodes + 1) / 2;
    case MatrixLayout::full:
      break;
  }
  return nodes * nodes;
}

std::vector<double> full_matrix(MatrixLayout layout, std::span<const double> values,
                                std::size_t nodes) {
  assert(values.size() == entries(layout, nodes));
  std::vector<double> matrix(nodes * nodes, 0.0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    const auto [first, last] = columns(layout, i, nodes);
    for (std::size_t j = first; j < last; ++j, ++next) {
      if (i == j) continue;
      matrix[i * nodes + j] = values[next];
      if (layout != MatrixLayout::full) matrix[j * nodes + i] = values[next];
    }
  }
  return matrix;
}

}  // namespace eco::io
