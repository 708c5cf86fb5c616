#pragma once
// The one exception type. Its kind is also the exit code of the command line, so a library user and
// a shell script see the same classification.

#include <stdexcept>
#include <string>

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

}  // namespace eco
