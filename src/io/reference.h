#pragma once
// The last steps that all readers and writers share: no instance and no solution passes unchecked.

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/instance/instance.h"
#include "io/reader.h"

namespace eco::io {

// validate(), and check() of the reference solution, whose cost becomes reference_cost. Throws
// eco::Error (input) at `where`.
void finish(Instance& instance, const Location& where, const ReadOptions& options);

// The cost by the independent checker; throws eco::Error (input) if infeasible.
double checked_cost(const Instance& instance, const Solution& solution, const Location& where = {});

// A tour that repeats its first node at the end loses that repetition.
void open_tour(Solution& tour);

// Throws eco::Error (usage): `format` has no room for other metrics.
void require_euclidean(const Instance& instance, std::string_view format);

}  // namespace eco::io
