#pragma once
// A table of stops, as a spreadsheet exports it, to an instance: a TSP, or with a column for the
// demand a CVRP. docs/formats.md has the rules.

#include "core/instance/instance.h"
#include "io/reader.h"
#include "io/text_input.h"

namespace eco::io {

// Of the options, those for tables. Throws eco::Error: input with line and column; usage if a
// capacity is needed and not given, or the depot that was asked for is not there.
[[nodiscard]] Instance read_csv(TextInput& input, const ReadOptions& options);

}  // namespace eco::io
