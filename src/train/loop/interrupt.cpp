#include "train/loop/interrupt.h"

#include <csignal>

namespace eco::train {

namespace {

volatile std::sig_atomic_t interrupt_flag = 0;

void on_signal(int signal) {
  interrupt_flag = 1;
  (void)std::signal(signal, SIG_DFL);
}

}  // namespace

void watch_interrupts() {
  (void)std::signal(SIGINT, on_signal);
  (void)std::signal(SIGTERM, on_signal);
}

bool interrupted() {
  return interrupt_flag != 0;
}

}  // namespace eco::train
