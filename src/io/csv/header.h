#pragma once
// What the columns of a table mean, told by their names: id, x y or lat lon, demand. Columns with
// other names are the user's own and are left alone, unless they name a constraint that would be
// lost.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_input.h"

namespace eco::io {

struct CsvHeader {
  char separator = ',';
  std::vector<std::string> names;  // as written
  std::optional<std::size_t> id, x, y, latitude, longitude, demand;

  [[nodiscard]] bool degrees() const { return latitude.has_value(); }
  // "column 3 (lat)", counted from 1.
  [[nodiscard]] std::string column(std::size_t index) const;
};

// Looks like the header of a table with coordinates.
[[nodiscard]] bool is_csv_header(std::string_view line);

// Reads the first row that is not empty. Throws eco::Error (input) if it is no header, lacks
// coordinates, has a meaning twice, or names a constraint that is not supported.
[[nodiscard]] CsvHeader read_csv_header(TextInput& input);

}  // namespace eco::io
