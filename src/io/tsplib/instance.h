#pragma once
// TSPLIB95 `.tsp` and CVRPLIB `.vrp` files to and from instances.
//
// The depot becomes node 0 wherever the file has it; `labels` then keeps the file's numbers. An
// EXPLICIT matrix of a TSP has to be symmetric, of an ATSP or a CVRP not; its coordinates come from
// NODE_COORD_SECTION or DISPLAY_DATA_SECTION where there is one.

#include "core/instance/instance.h"
#include "io/output.h"
#include "io/reader.h"
#include "io/text_input.h"

namespace eco::io {

[[nodiscard]] Instance read_tsplib(TextInput& input, const ReadOptions& options);

// Throws eco::Error (usage) for what the format cannot say: Rounding::dimacs.
void write_tsplib(Output& output, const Instance& instance);

}  // namespace eco::io
