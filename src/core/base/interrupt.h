#pragma once
// Ctrl-C. The first (or a SIGTERM) asks the program to finish what can be kept; the second ends
// the process at once.

#include <stop_token>

namespace eco {

// Call once, before any other thread exists: later threads inherit the blocked signals.
void watch_for_interrupts();

// Requested by the first signal; never, if nobody watches.
[[nodiscard]] std::stop_token interrupts();
[[nodiscard]] inline bool interrupted() {
  return interrupts().stop_requested();
}

// Before exec: the program that follows has to see the signals itself.
void release_interrupts();

}  // namespace eco
