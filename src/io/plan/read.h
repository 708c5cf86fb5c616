#pragma once
// A plan back from a table: the columns `route` and `id` count, in the order of the rows; the
// others are for people. Visits of the depot are the ends of routes.

#include <string_view>

#include "core/instance/instance.h"
#include "io/text_input.h"

namespace eco::io {

[[nodiscard]] bool is_plan_header(std::string_view line);

// Throws eco::Error (input) with line and column. Every node exists; whether the plan is feasible
// is check()'s to say.
[[nodiscard]] Solution read_plan_csv(TextInput& input, const Instance& instance);

}  // namespace eco::io
