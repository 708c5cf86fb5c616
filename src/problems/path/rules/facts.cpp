#include "core/base/error.h"
#include "core/instance/instance.h"
#include "problems/path/rules/ends.h"

namespace eco::path {

namespace {

void validate_instance(const Instance& instance, std::string_view source) {
  const auto require = [&](bool condition, const std::string& message) {
    if (!condition) throw input_error({std::string(source), 0}, message);
  };
  for (const auto& end : {instance.start, instance.end}) {
    require(!end || end->index() < instance.size(), "an end of the path that is no node");
  }
  require(!instance.start || instance.start != instance.end || instance.size() == 1,
          "a path that starts and ends at one node, which is a tour");
}

// Shares nothing with what builds paths.
std::string end_violation(const Instance& instance, const Solution& solution, std::size_t&) {
  const NodeId first = solution.sequence.front(), last = solution.sequence.back();
  if (instance.start && first.index() != instance.start->index()) {
    return "the path starts at " + node_name(instance, first) + ", expected " +
           node_name(instance, *instance.start);
  }
  if (instance.end && last.index() != instance.end->index()) {
    return "the path ends at " + node_name(instance, last) + ", expected " +
           node_name(instance, *instance.end);
  }
  return {};
}

}  // namespace

// A tour with the edge between its ends is what the policy of the TSP builds.
constinit const ProblemFacts facts{
    .name = "path",
    .title = "path",
    .tsplib = "HPP",
    .closed = false,
    .policy = ProblemKind::tsp,
    .validate = validate_instance,
    .violation = end_violation,
    .given = given_ends,
    .cut_open = cut_open,
};

}  // namespace eco::path
