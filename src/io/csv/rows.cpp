#include "io/csv/rows.h"

#include <algorithm>

#include "io/scanner.h"

namespace eco::io {

std::optional<std::vector<std::string>> CsvRows::next() {
  while (const auto line = input_.line()) {
    line_ = input_.where().line;
    split(*line);
    const bool empty = std::all_of(fields_.begin(), fields_.end(),
                                   [](const std::string& field) { return field.empty(); });
    if (!empty) return fields_;
  }
  return std::nullopt;
}

void CsvRows::split(std::string_view text) {
  fields_.clear();
  std::string copy;  // of the last line of a row that goes over several
  for (;;) {
    while (!text.empty() && text.front() != separator_ && is_blank(text.front())) {
      text.remove_prefix(1);
    }
    std::string& field = fields_.emplace_back();
    if (!text.empty() && text.front() == '"') {
      text.remove_prefix(1);
      while (!quoted_field(text, field)) {
        const auto line = input_.line();
        if (!line || field.size() > kMaxField) {
          throw input_error(where(), "a quote in column " + std::to_string(fields_.size()) +
                                         " that is never closed");
        }
        copy = *line;
        text = copy;
        field += '\n';
      }
    } else {
      const std::size_t end = std::min(text.find(separator_), text.size());
      field = trimmed(text.substr(0, end));
      text.remove_prefix(end);
    }
    if (text.empty()) return;
    text.remove_prefix(1);
  }
}

// Takes what is before the closing quote, and the blanks behind it. False if there is none.
bool CsvRows::quoted_field(std::string_view& text, std::string& field) {
  for (;;) {
    const std::size_t quote = text.find('"');
    field += text.substr(0, quote);
    if (quote == std::string_view::npos) return false;
    text.remove_prefix(quote + 1);
    if (!text.starts_with('"')) break;
    field += '"';
    text.remove_prefix(1);
  }
  while (!text.empty() && text.front() != separator_ && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  if (!text.empty() && text.front() != separator_) {
    throw input_error(where(),
                      quoted(text.substr(0, text.find(separator_))) +
                          " behind the quote of column " + std::to_string(fields_.size()),
                      "the separator " + quoted(std::string_view(&separator_, 1)));
  }
  return true;
}

}  // namespace eco::io
