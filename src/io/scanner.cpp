#include "io/scanner.h"

#include <algorithm>

namespace eco::io {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::int64_t> quantity_from(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end) return std::nullopt;
  if (!(std::fabs(value) <= static_cast<double>(kMaxQuantity))) return std::nullopt;
  if (value != std::floor(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string_view Scanner::word() {
  skip_blanks();
  const char* start = at_;
  const char* stop = std::find_if(at_, end_, [&](const char& c) { return ends_field(&c); });
  move_past(stop);
  return {start, static_cast<std::size_t>(stop - start)};
}

std::int64_t Scanner::quantity(std::string_view what) {
  const char* start = at_;
  const auto value = quantity_from(word());
  if (!value) {
    at_ = start;
    fail(what);
  }
  return *value;
}

void Scanner::fail(std::string_view what) {
  const std::string_view found = word();
  throw input_->error(
      found.empty() ? (at_ == end_ ? "the end of the line" : "an empty field") : quoted(found),
      what);
}

}  // namespace eco::io
