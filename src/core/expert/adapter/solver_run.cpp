#include "core/expert/adapter/solver_run.h"

#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/problem/check.h"

namespace eco {

SolverRun::SolverRun(std::string solver, const std::vector<std::string>& usual_names,
                     const SolverCall& call)
    : solver_(std::move(solver)), call_(call) {
  program_ = find_program(call.path.empty() ? usual_names : std::vector{call.path});
  if (!program_.empty()) return;
  if (!call.path.empty()) {
    throw Error(ErrorKind::resource, solver_ + ": " + call.path + " is not an executable file");
  }
  throw Error(ErrorKind::resource,
              solver_ + ": no program " + usual_names.front() +
                  " on PATH; install it, or give its place with --solver-path");
}

void SolverRun::write(std::string_view name, std::string_view text) const {
  std::ofstream file(folder_.file(name), std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    throw Error(ErrorKind::resource, folder_.file(name).string() + ": cannot write");
  }
}

void SolverRun::run(const std::vector<std::string>& arguments, bool stops_itself) {
  std::vector<std::string> command{program_};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const double limit = call_.seconds + (stops_itself ? call_.grace_seconds : 0.0);
  const Deadline deadline = call_.seconds > 0 ? Deadline::after(limit, call_.cancel)
                                              : Deadline::when_cancelled(call_.cancel);
  ProcessResult result = run_process(command, folder_.path(), deadline);
  tail_ = std::move(result.tail);
  switch (result.end) {
    case ProcessResult::End::cancelled:
      throw Error(ErrorKind::interrupted, solver_ + " was interrupted");
    case ProcessResult::End::timed_out:
      throw failure("did not end in time and was killed (limit " + std::to_string(limit) + " s)");
    case ProcessResult::End::signalled:
      throw failure(std::string("crashed: ") + ::strsignal(result.code));
    case ProcessResult::End::exited:
      break;
  }
  if (result.code != 0) throw failure("exited with code " + std::to_string(result.code));
}

std::string SolverRun::read(std::string_view name) const {
  std::ifstream file(folder_.file(name), std::ios::binary);
  if (!file) throw failure("wrote no solution");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Solution SolverRun::checked(const Instance& instance, Solution solution) const {
  const CheckResult result = check(instance, solution);
  if (!result.feasible && !result.lacks_vehicles)
    throw failure("gave an answer that is no solution: " + result.reason);
  return solution;
}

Error SolverRun::failure(const std::string& what) const {
  std::string message = solver_ + " (" + program_ + ") " + what;
  if (!tail_.empty()) message += "; the end of its output:\n" + tail_;
  return {ErrorKind::resource, message};
}

std::optional<Solution> trivial_solution(const Instance& instance) {
  const bool depot = instance.has_depot();
  if (instance.size() > (depot ? 2U : 3U)) return std::nullopt;
  Solution solution;
  for (std::size_t i = 0; i < instance.size(); ++i) solution.sequence.emplace_back(i);
  if (depot) solution.sequence.push_back(kDepot);
  return solution;
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  std::vector<std::string_view> words;
  for (std::size_t begin = text.find_first_not_of(kSpace); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSpace, end);
  }
  return words;
}

std::optional<std::size_t> whole_number(std::string_view word) {
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if (value > kMaxNodes) return std::nullopt;  // would not survive as a NodeId
  return value;
}

}  // namespace eco
