#include "io/reference.h"

#include "core/problem/check.h"

namespace eco::io {

void finish(Instance& instance, const Location& where, const ReadOptions& options) {
  const std::string source =
      where.line == 0 ? where.file : where.file + ":" + std::to_string(where.line);
  validate(instance, source);
  if (instance.reference && options.judge_reference) {
    instance.reference_cost = checked_cost(instance, *instance.reference, where);
  }
}

double checked_cost(const Instance& instance, const Solution& solution, const Location& where) {
  const CheckResult result = check(instance, solution);
  if (!result.feasible) throw input_error(where, "infeasible solution: " + result.reason);
  return result.cost;
}

void open_tour(Solution& tour) {
  auto& sequence = tour.sequence;
  if (sequence.size() > 1 && sequence.front() == sequence.back()) sequence.pop_back();
}

void require_euclidean(const Instance& instance, std::string_view format) {
  if (instance.metric == Metric::euclidean) return;
  throw Error(ErrorKind::usage, std::string(format) + " hold euclidean coordinates only, not the " +
                                    "metric '" + std::string(to_string(instance.metric)) +
                                    "'; write TSPLIB or JSON");
}

}  // namespace eco::io
