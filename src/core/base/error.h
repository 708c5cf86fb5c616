#pragma once
// eco::Error (which users of the library see too), and how input errors are worded.

#include <eco/error.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace eco {

// Where in a text file something was found. `line` counts from 1; 0 means the file as a whole.
struct Location {
  std::string file;
  std::size_t line = 0;
};

// "file:line: found X, expected Y". Long or binary text in `found` is shortened and escaped.
[[nodiscard]] Error input_error(const Location& where, std::string_view found,
                                std::string_view expected);
// "file:line: message".
[[nodiscard]] Error input_error(const Location& where, std::string_view message);

// Printable form of arbitrary bytes, at most `limit` characters, quoted. An object, not a function:
// an unqualified call with a std::string must not find std::quoted.
struct Quoted {
  [[nodiscard]] std::string operator()(std::string_view text, std::size_t limit = 40) const;
};
inline constexpr Quoted quoted;

}  // namespace eco
