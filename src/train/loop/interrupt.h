#pragma once
// Ctrl-C and SIGTERM as a flag that the loop asks between steps, so that a run saves before it
// ends.

namespace eco::train {

// Takes over SIGINT and SIGTERM. A second signal ends the process at once.
void watch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace eco::train
