#include "train/loop/interrupt.h"

#include <chrono>
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

InterruptToken::InterruptToken()
    : watcher_([this](const std::stop_token& over) {
        // A signal handler may not request a stop itself: that runs callbacks.
        constexpr std::chrono::milliseconds kPause{20};
        while (!over.stop_requested() && !interrupted()) std::this_thread::sleep_for(kPause);
        if (interrupted()) (void)stop_.request_stop();
      }) {}

}  // namespace eco::train
