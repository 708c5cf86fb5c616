#pragma once
// The rows of a table as spreadsheets write it (RFC 4180): fields between separators, in quotes
// where they hold a separator, a quote (doubled) or a line end. Empty rows are passed over.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_input.h"

namespace eco::io {

class CsvRows {
 public:
  static constexpr std::size_t kMaxField = std::size_t{1} << 20U;

  CsvRows(TextInput& input, char separator) : input_(input), separator_(separator) {}

  // The next row, blanks around its fields taken away; nothing at the end. Throws eco::Error
  // (input) for a quote that is not closed or closed in the middle of a field.
  [[nodiscard]] std::optional<std::vector<std::string>> next();

  // Where the row that next() gave begins.
  [[nodiscard]] Location where() const { return {input_.name(), line_}; }

 private:
  void split(std::string_view text);
  [[nodiscard]] bool quoted_field(std::string_view& text, std::string& field);

  TextInput& input_;
  char separator_;
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
};

}  // namespace eco::io
