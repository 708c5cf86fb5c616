#pragma once
// Costs that were recorded apart from the solutions: a CSV file with at least the columns `file`,
// `index` (place of the instance in that file, from 0) and `cost`, in any order; or a list of best
// known values with `name` (the file without folder and ending) and `bks`.

#include <cstddef>
#include <map>
#include <string>

namespace eco {

// index -> cost, for the rows about `file` (a name, with or without folders). Throws eco::Error
// (input).
[[nodiscard]] std::map<std::size_t, double> read_recorded_costs(const std::string& csv_path,
                                                                const std::string& file);

}  // namespace eco
