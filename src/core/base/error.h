#pragma once
// The one exception type. Its kind is also the exit code of the command line, so a library user and
// a shell script see the same classification.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace eco {

enum class ErrorKind : int {
  usage = 2,     // the caller asked for something that does not exist or does not fit together
  input = 3,     // a file or a value in it is wrong
  resource = 4,  // memory, disk, a missing program
  interrupted = 130,
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

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
