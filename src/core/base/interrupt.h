#pragma once
// Ctrl-C. The first (or a SIGTERM) asks the program to finish what can be kept; the second ends
// the process at once.

#include <stop_token>

namespace eco {

// Call once, before threads are started that compute: they and the caller get no signal. A program
// that takes this one's place (exec) calls it again, or finds both signals blocked.
void watch_for_interrupts();

// Requested by the first signal; never, if nobody watches.
[[nodiscard]] std::stop_token interrupts();
[[nodiscard]] inline bool interrupted() {
  return interrupts().stop_requested();
}

}  // namespace eco
