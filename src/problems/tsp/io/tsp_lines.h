#pragma once
// One TSP a line: `x1 y1 x2 y2 ... xn yn output 1 5 ... 1`, the tour numbered from 1 and closed.
// Without `output` there is no reference tour. Distances are exact euclidean.

#include <string_view>

#include "core/instance/instance.h"
#include "io/output.h"
#include "io/reader.h"
#include "io/text_input.h"

namespace eco::io {

// `line` is the line that `input` returned last. The tour is checked and its cost computed.
[[nodiscard]] Instance read_tsp_line(std::string_view line, const TextInput& input,
                                     const ReadOptions& options);

// Throws eco::Error (usage) if the metric is not euclidean.
void write_tsp_line(Output& output, const Instance& instance);

}  // namespace eco::io
