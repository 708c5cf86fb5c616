#pragma once
// Running somebody else's program: in a folder of its own, with a limit in time, in a process group
// that is killed as a whole, and with the end of its output kept for the error message. Safe to
// call from several threads.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/deadline.h"

namespace eco {

// The absolute path of the first of `names` that is an executable file in a folder of PATH, or
// empty. A name with a slash is taken as it is.
[[nodiscard]] std::string find_program(const std::vector<std::string>& names);

struct ProcessResult {
  enum class End { exited, signalled, timed_out, cancelled } end = End::exited;
  int code = 0;      // the exit code or the signal
  std::string tail;  // the last kTailBytes of standard output and error together
};

inline constexpr std::size_t kTailBytes = 2000;

// Runs `command` (command[0] is a path) in `folder` with an empty standard input until it ends or
// the deadline is reached; then nothing of its process group is left. It also dies with us. Throws
// eco::Error (resource) if it cannot be started.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& command,
                                        const std::filesystem::path& folder,
                                        const Deadline& deadline);

}  // namespace eco
