#include "core/base/interrupt.h"

#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace eco {

namespace {

std::stop_source& interrupt_source() {
  static std::stop_source source;
  return source;
}

sem_t arrived;

// Libraries start threads before main does, so the signal may come to any thread.
extern "C" void on_interrupt(int /*signal*/) {
  const int kept = errno;
  (void)sem_post(&arrived);
  errno = kept;
}

void wait_for_signal() {
  while (sem_wait(&arrived) != 0) {
  }
}

// Of the calling thread and of those that it starts.
void mask_signals(int how) {
  sigset_t both;
  (void)sigemptyset(&both);
  (void)sigaddset(&both, SIGINT);
  (void)sigaddset(&both, SIGTERM);
  (void)pthread_sigmask(how, &both, nullptr);
}

}  // namespace

std::stop_token interrupts() {
  return interrupt_source().get_token();
}

void watch_for_interrupts() {
  (void)sem_init(&arrived, 0, 0);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(SIGINT, &action, nullptr);
  (void)sigaction(SIGTERM, &action, nullptr);
  // A thread that waits may do what a handler may not: request_stop runs callbacks.
  std::thread([] {
    mask_signals(SIG_UNBLOCK);
    wait_for_signal();
    interrupt_source().request_stop();
    wait_for_signal();
    _exit(130);
  }).detach();
  // Threads that compute are not to be disturbed: a handler that runs in the middle of a product of
  // oneDNN 2.6 (seen with AVX2) damages memory, most likely by its frame on the stack.
  mask_signals(SIG_BLOCK);
}

}  // namespace eco
