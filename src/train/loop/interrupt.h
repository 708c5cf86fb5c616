#pragma once
// Ctrl-C and SIGTERM as a flag that the loop asks between steps, so that a run saves before it
// ends.

#include <stop_token>
#include <thread>

namespace eco::train {

// Takes over SIGINT and SIGTERM. A second signal ends the process at once.
void watch_interrupts();
[[nodiscard]] bool interrupted();

// The flag as a stop token, for work that is given one; as long as it lives.
class InterruptToken {
 public:
  InterruptToken();
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread watcher_;  // last: it uses the source
};

}  // namespace eco::train
