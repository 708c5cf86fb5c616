#pragma once
// Commands that depend on each other, several at a time, in one folder. A command is done when its
// output is there, so the same list, run again, goes on where it was stopped; one that only made
// what commands need that are done is not run again, so that large intermediate files may go. The
// commands themselves keep what they have when they are interrupted.

#include <string>
#include <vector>

namespace eco::train {

struct Job {
  std::string name;                  // shown; unique
  std::vector<std::string> command;  // the first is a program's path
  std::string output;                // in the folder
  bool prints = false;               // its standard output becomes `output`
  double seconds = 0;                // processor time that it will take, about
  std::vector<std::size_t> after;    // earlier jobs
};

struct JobOptions {
  std::string folder;
  std::size_t workers = 1;
  bool quiet = false;
};

struct JobsOutcome {
  bool interrupted = false;
  std::vector<std::string> failures;  // [jobs] last line of its log; empty: done or not begun
};

// [jobs] Which of them have to be run.
[[nodiscard]] std::vector<bool> to_do(const std::vector<Job>& jobs, const std::string& folder);

// Seconds on the wall that the jobs still need on so many idle workers, about.
[[nodiscard]] double estimate(const std::vector<Job>& jobs, const JobOptions& options);

// A job that fails takes those after it with it and no other. An interrupt (core/base/interrupt.h)
// is passed on to the commands and waited for. What they say on stderr goes to log/NAME.log.
[[nodiscard]] JobsOutcome run_jobs(const std::vector<Job>& jobs, const JobOptions& options);

}  // namespace eco::train
