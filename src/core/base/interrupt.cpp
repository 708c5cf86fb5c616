#include "core/base/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <thread>

namespace eco {

namespace {

sigset_t interrupt_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

std::stop_source& interrupt_source() {
  static std::stop_source source;
  return source;
}

}  // namespace

std::stop_token interrupts() {
  return interrupt_source().get_token();
}

void watch_for_interrupts() {
  const sigset_t signals = interrupt_signals();
  (void)pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A thread that waits may do what a handler may not: request_stop runs callbacks.
  std::thread([signals] {
    int signal = 0;
    (void)sigwait(&signals, &signal);
    interrupt_source().request_stop();
    (void)sigwait(&signals, &signal);
    _exit(130);
  }).detach();
}

void release_interrupts() {
  const sigset_t signals = interrupt_signals();
  (void)pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace eco
