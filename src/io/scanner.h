#pragma once
// Reads the numbers and words of one line, left to right. Every number is checked where it is read:
// what is not one, is not finite or is too large to compute with throws eco::Error with the line.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/text_input.h"

namespace eco::io {

// Squares of coordinates up to this, and sums of them, stay finite.
inline constexpr double kMaxMagnitude = 1e100;
// The sum of kMaxNodes demands up to this fits into 64 bits.
inline constexpr std::int64_t kMaxQuantity = 10'000'000'000;

[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] std::string_view trimmed(std::string_view text);
// A whole number, also written as 50.0, within +-kMaxQuantity.
[[nodiscard]] std::optional<std::int64_t> quantity_from(std::string_view text);
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);  // letter case ignored

class Scanner {
 public:
  // With a separator, fields are divided by exactly one of it; without, by any blanks.
  Scanner(std::string_view text, const TextInput& input, char separator = ' ')
      : at_(text.data()), end_(text.data() + text.size()), input_(&input), separator_(separator) {}

  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ == end_;
  }
  [[nodiscard]] bool at_word() { return !at_end() && is_letter(*at_); }

  // `what` names the value in messages: "expected <what>".
  double number(std::string_view what) {
    const char* start = at_;
    double value = 0;
    if (!parse(value) || !(std::fabs(value) <= kMaxMagnitude)) {
      at_ = start;
      fail(what);
    }
    return value;
  }
  std::int64_t integer(std::string_view what) {
    std::int64_t value = 0;
    if (!parse(value)) fail(what);
    return value;
  }
  // A demand or capacity, see quantity_from().
  std::int64_t quantity(std::string_view what);
  // Up to the next blank or separator; empty at the end.
  std::string_view word();

  // Throws: found the current field, expected `what`.
  [[noreturn]] void fail(std::string_view what);

 private:
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  [[nodiscard]] bool ends_field(const char* at) const {
    return at == end_ || is_blank(*at) || *at == separator_;
  }
  void move_past(const char* field_end) {
    at_ = field_end;
    if (separator_ == ' ') return;
    skip_blanks();
    if (at_ != end_ && *at_ == separator_) ++at_;
  }
  template <class Number>
  bool parse(Number& value) {
    skip_blanks();
    const char* start = at_;
    if (end_ - start > 1 && *start == '+' && start[1] != '-') ++start;
    const auto [stop, problem] = std::from_chars(start, end_, value);
    if (problem != std::errc{} || !ends_field(stop)) return false;
    move_past(stop);
    return true;
  }

  const char* at_;
  const char* end_;
  const TextInput* input_;
  char separator_;
};

}  // namespace eco::io
