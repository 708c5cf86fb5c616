#pragma once
// Ctrl-C. The first (or a SIGTERM) asks the program to finish what can be kept; the second ends
// the process at once.

#include <stop_token>

namespace eco {

// Call once. A program that takes this one's place (exec) has the signals as it finds them.
void watch_for_interrupts();

// Requested by the first signal; never, if nobody watches.
[[nodiscard]] std::stop_token interrupts();
[[nodiscard]] inline bool interrupted() {
  return interrupts().stop_requested();
}

}  // namespace eco
