#include "train/reproduce/jobs.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "io/atomic_file.h"
#include "report/progress.h"

namespace eco::train {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// What a failed command said last.
std::string last_line(const fs::path& log) {
  std::ifstream stream(log);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

class JobRunner {
 public:
  JobRunner(const std::vector<Job>& jobs, const JobOptions& options)
      : jobs_(jobs),
        options_(options),
        states_(jobs.size(), State::waiting),
        line_(!options.quiet, {1, 0.5, 30}) {
    outcome_.failures.resize(jobs.size());
    fs::create_directories(fs::path(options.folder) / "log");
    const std::vector<bool> open = to_do(jobs, options.folder);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (!open[i]) states_[i] = State::done;
    }
    before_ = finished_seconds();
  }

  JobsOutcome run() {
    while (true) {
      if (interrupted() && !outcome_.interrupted) {
        outcome_.interrupted = true;
        for (const Running& running : running_) (void)kill(running.process, SIGTERM);
      }
      collect();
      if (!outcome_.interrupted) start_ready();
      if (running_.empty()) return std::move(outcome_);
      show();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

 private:
  enum class State { waiting, running, done, failed };
  struct Running {
    std::size_t job;
    pid_t process;
    Clock::time_point begin;
  };

  [[nodiscard]] fs::path path(const std::string& name) const {
    return fs::path(options_.folder) / name;
  }
  [[nodiscard]] fs::path log_of(const Job& job) const { return path("log/" + job.name + ".log"); }
  [[nodiscard]] fs::path partial_of(const Job& job) const { return path(job.output + ".partial"); }

  void start_ready() {
    for (std::size_t i = 0; i < jobs_.size() && running_.size() < options_.workers; ++i) {
      if (states_[i] != State::waiting) continue;
      const auto& after = jobs_[i].after;
      const auto is = [&](State state) {
        return [this, state](std::size_t job) { return states_[job] == state; };
      };
      if (const auto failed = std::find_if(after.begin(), after.end(), is(State::failed));
          failed != after.end()) {
        fail(i, "not run: " + jobs_[*failed].name + " failed");
      } else if (std::all_of(after.begin(), after.end(), is(State::done))) {
        start(i);
      }
    }
  }

  void start(std::size_t index) {
    const Job& job = jobs_[index];
    fs::create_directories(path(job.output).parent_path());
    const std::string log = log_of(job).string();
    const std::string out = job.prints ? partial_of(job).string() : log;
    std::vector<std::string> words = job.command;
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw Error(ErrorKind::resource, std::string("cannot fork: ") + strerror(errno));
    if (child == 0) {
      // A group of its own: Ctrl-C reaches it through us and so only once. It ends with us, however
      // we end.
      (void)setpgid(0, 0);
      (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
      const int errors = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
      const int results =
          job.prints ? open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : errors;
      const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
      const bool ready = errors >= 0 && results >= 0 && nothing >= 0 && dup2(nothing, 0) >= 0 &&
                         dup2(results, 1) >= 0 && dup2(errors, 2) >= 0 &&
                         chdir(options_.folder.c_str()) == 0 && getppid() == parent;
      if (ready) (void)execv(argv[0], argv.data());
      (void)dprintf(STDERR_FILENO, "%s: cannot be run: %s\n", argv[0], strerror(errno));
      _exit(127);
    }
    states_[index] = State::running;
    running_.push_back({index, child, Clock::now()});
  }

  void collect() {
    for (std::size_t i = 0; i < running_.size();) {
      int status = 0;
      const pid_t ended = waitpid(running_[i].process, &status, WNOHANG);
      if (ended == 0) {
        ++i;
        continue;
      }
      const std::size_t job = running_[i].job;
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      finish(job, status);
    }
  }

  void finish(std::size_t index, int status) {
    const Job& job = jobs_[index];
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      if (job.prints) {
        fs::rename(partial_of(job), path(job.output));
      } else if (!fs::exists(path(job.output))) {
        io::AtomicFile(path(job.output).string()).commit();
      }
      states_[index] = State::done;
      return;
    }
    if (outcome_.interrupted) {
      states_[index] = State::waiting;
      return;
    }
    std::string message = last_line(log_of(job));
    if (message.empty()) {
      message = WIFSIGNALED(status)
                    ? std::string("ended by a signal: ") + strsignal(WTERMSIG(status))
                    : "exit code " + std::to_string(WEXITSTATUS(status));
    }
    fail(index, message);
  }

  void fail(std::size_t index, const std::string& message) {
    states_[index] = State::failed;
    outcome_.failures[index] = message;
    line_.say(jobs_[index].name + ": " + message);
  }

  [[nodiscard]] double finished_seconds() const {
    double sum = 0;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (states_[i] == State::done || states_[i] == State::failed) sum += jobs_[i].seconds;
    }
    return sum;
  }

  void show() {
    if (!line_.due()) return;
    double all = 0;
    for (const Job& job : jobs_) all += job.seconds;
    double done = finished_seconds();
    std::string now;
    for (const Running& running : running_) {
      done += std::min(since(running.begin), 0.95 * jobs_[running.job].seconds);
      now += (now.empty() ? "" : ", ") + jobs_[running.job].name;
    }
    const auto count = std::count(states_.begin(), states_.end(), State::done);
    char text[64];
    (void)std::snprintf(text, sizeof text, "%3.0f%%  %ld of %zu steps", 100 * done / all, count,
                        jobs_.size());
    std::string left;
    // What is done already says nothing about the pace.
    if (done > before_ && since(begin_) > 5) {
      left = "  " + duration_text(since(begin_) * (all - done) / (done - before_)) + " left";
    }
    line_.draw(text + left + "  " + now);
  }

  const std::vector<Job>& jobs_;
  const JobOptions& options_;
  std::vector<State> states_;
  std::vector<Running> running_;
  JobsOutcome outcome_;
  ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
  double before_ = 0;
};

}  // namespace

std::vector<bool> to_do(const std::vector<Job>& jobs, const std::string& folder) {
  std::vector<bool> last(jobs.size(), true), asked(jobs.size(), false), open(jobs.size(), false);
  for (const Job& job : jobs) {
    for (const std::size_t earlier : job.after) last[earlier] = false;
  }
  for (std::size_t i = jobs.size(); i-- > 0;) {
    const bool done = fs::exists(fs::path(folder) / jobs[i].output);
    open[i] = !done && (last[i] || asked[i]);
    for (const std::size_t earlier : jobs[i].after) asked[earlier] = asked[earlier] || open[i];
  }
  return open;
}

double estimate(const std::vector<Job>& jobs, const JobOptions& options) {
  double sum = 0;
  const std::vector<bool> open = to_do(jobs, options.folder);
  for (std::size_t i = 0; i < jobs.size(); ++i) sum += open[i] ? jobs[i].seconds : 0;
  return sum / static_cast<double>(options.workers);
}

JobsOutcome run_jobs(const std::vector<Job>& jobs, const JobOptions& options) {
  return JobRunner(jobs, options).run();
}

}  // namespace eco::train
