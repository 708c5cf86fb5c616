#include "io/tsplib/syntax.h"

#include "io/scanner.h"

namespace eco::io {

KeywordLine split_keyword(std::string_view line) {
  KeywordLine result;
  std::string_view rest = trimmed(line);
  if (rest.empty() || !is_letter(rest.front())) return result;
  while (!rest.empty() && !is_blank(rest.front()) && rest.front() != ':') {
    const char c = rest.front();
    result.keyword += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    rest.remove_prefix(1);
  }
  rest = trimmed(rest);
  if (rest.starts_with(':')) rest = trimmed(rest.substr(1));
  result.value = rest;
  return result;
}

bool is_empty_line(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text == "\x1a";
}

}  // namespace eco::io
