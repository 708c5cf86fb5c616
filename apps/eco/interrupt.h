#pragma once
// Ctrl-C. The first (or a SIGTERM) asks the running verb to finish what can be kept; the second
// ends the process at once.

#include <stop_token>

namespace eco::cli {

// Call once, before any other thread exists: later threads inherit the blocked signals.
[[nodiscard]] std::stop_token watch_for_interrupts();

// Before exec: the program that follows has to see the signals itself.
void release_interrupts();

}  // namespace eco::cli
