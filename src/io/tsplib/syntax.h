#pragma once
// The line syntax that TSPLIB95 and CVRPLIB files share: `KEYWORD : value`, with or without blanks
// around the colon, and data lines that start with a number.

#include <string>
#include <string_view>

namespace eco::io {

struct KeywordLine {
  std::string keyword;     // upper case; empty if the line does not start with a letter
  std::string_view value;  // without surrounding blanks
};

[[nodiscard]] KeywordLine split_keyword(std::string_view line);

// Only blanks; also the end-of-file byte of old DOS editors.
[[nodiscard]] bool is_empty_line(std::string_view line);

}  // namespace eco::io
