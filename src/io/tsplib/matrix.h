#pragma once
// The layouts in which TSPLIB95 stores the entries of an explicit distance matrix.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace eco::io {

enum class MatrixLayout {
  full,
  upper_row,       // above the diagonal, row by row; the same numbers as lower_col
  lower_row,       // below the diagonal, row by row; the same numbers as upper_col
  upper_diag_row,  // with the diagonal; the same numbers as lower_diag_col
  lower_diag_row,  // with the diagonal; the same numbers as upper_diag_col
};

// From the value of EDGE_WEIGHT_FORMAT. A column layout of a symmetric matrix is the row layout of
// the other triangle.
[[nodiscard]] std::optional<MatrixLayout> matrix_layout_from(std::string_view name);

[[nodiscard]] std::size_t entries(MatrixLayout layout, std::size_t nodes);

// values[entries(layout, nodes)] -> [nodes, nodes] with a zero diagonal: files put anything there.
[[nodiscard]] std::vector<double> full_matrix(MatrixLayout layout, std::span<const double> values,
                                              std::size_t nodes);

}  // namespace eco::io
