#include "core/expert/adapter/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

#include "core/base/error.h"

namespace eco {

namespace fs = std::filesystem;

std::string find_program(const std::vector<std::string>& names) {
  const auto executable = [](const fs::path& path) {
    std::error_code none;
    return fs::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0;
  };
  const char* variable = std::getenv("PATH");
  const std::string folders = variable == nullptr ? "" : variable;
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) {
      if (executable(name)) return fs::absolute(name).string();
      continue;
    }
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const std::string folder = folders.substr(begin, end - begin);
      if (!folder.empty() && executable(fs::path(folder) / name)) {
        return fs::absolute(fs::path(folder) / name).string();
      }
      begin = end + 1;
    }
  }
  return {};
}

namespace {

// Both ends close on exec, so a program started meanwhile by another thread does not hold them.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(ErrorKind::resource, std::string("cannot open a pipe: ") + std::strerror(errno));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t end) {
    if (ends[end] >= 0) (void)::close(ends[end]);
    ends[end] = -1;
  }
};

// Between fork and exec only async-signal-safe calls are allowed: everything is prepared before.
[[noreturn]] void become(char* const* arguments, const char* folder, int output, int report) {
  (void)::setpgid(0, 0);
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t all;
  (void)sigemptyset(&all);
  (void)::sigprocmask(SIG_SETMASK, &all, nullptr);
  (void)::signal(SIGINT, SIG_DFL);
  (void)::signal(SIGTERM, SIG_DFL);
  (void)::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0 && ::dup2(nothing, 0) >= 0 && ::dup2(output, 1) >= 0 && ::dup2(output, 2) >= 0 &&
      ::chdir(folder) == 0) {
    (void)::execv(arguments[0], arguments);
  }
  const int reason = errno;
  (void)!::write(report, &reason, sizeof reason);
  ::_exit(127);
}

void append_tail(std::string& tail, const char* bytes, std::size_t count) {
  tail.append(bytes, count);
  if (tail.size() > kTailBytes) tail.erase(0, tail.size() - kTailBytes);
}

// Reads what is there without waiting; false at the end of the stream.
bool drain(int handle, std::string& tail) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(handle, buffer.data(), buffer.size());
    if (count > 0) {
      append_tail(tail, buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
}

std::optional<ProcessResult> ended(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, WNOHANG) != child) return std::nullopt;
  ProcessResult result;
  const bool signalled = WIFSIGNALED(status);
  result.end = signalled ? ProcessResult::End::signalled : ProcessResult::End::exited;
  result.code = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const fs::path& folder,
                          const Deadline& deadline) {
  std::vector<std::string> copies = command;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& argument : copies) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  Pipe output, report;

  const pid_t child = ::fork();
  if (child < 0) {
    throw Error(ErrorKind::resource, "cannot start " + command[0] + ": " + std::strerror(errno));
  }
  if (child == 0) become(arguments.data(), folder.c_str(), output.ends[1], report.ends[1]);
  (void)::setpgid(child, child);  // as the child does: whoever comes first
  output.close_end(1);
  report.close_end(1);

  int reason = 0;
  ssize_t reported = 0;
  do {
    reported = ::read(report.ends[0], &reason, sizeof reason);
  } while (reported < 0 && errno == EINTR);
  if (reported == sizeof reason) {
    (void)::waitpid(child, nullptr, 0);
    throw Error(ErrorKind::resource, "cannot start " + command[0] + ": " + std::strerror(reason));
  }

  (void)::fcntl(output.ends[0], F_SETFL, O_NONBLOCK);
  std::string tail;
  std::optional<ProcessResult> result;
  bool open = true;
  while (!(result = ended(child))) {
    if (deadline.reached()) {
      (void)::kill(-child, SIGKILL);
      (void)::waitpid(child, nullptr, 0);
      result = ProcessResult{
          deadline.cancelled() ? ProcessResult::End::cancelled : ProcessResult::End::timed_out,
          SIGKILL,
          {}};
      break;
    }
    // The end of the child closes the pipe and wakes us; the short wait is for one that closed its
    // output long before it ends.
    pollfd watched{output.ends[0], POLLIN, 0};
    (void)::poll(&watched, open ? 1 : 0, open ? 20 : 2);
    if (open) open = drain(output.ends[0], tail);
  }
  (void)::kill(-child, SIGKILL);  // what the program left behind
  if (open) (void)drain(output.ends[0], tail);
  result->tail = std::move(tail);
  return *result;
}

}  // namespace eco
