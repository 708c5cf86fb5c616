#pragma once
// What a problem gives to the experts: its own label maker, and which installed programs take it.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/expert/expert.h"

namespace eco {

struct ProblemExpert {
  Expert own;
  // Iterations of a training label of so many nodes: much less than what `own` does by itself.
  std::uint64_t (*label_iterations)(std::size_t nodes);
  std::span<const std::string_view> programs;  // names of external experts that solve it, too

  // What `eco bench expert` measures of it: budgets that are worth telling apart.
  struct BenchCase {
    std::size_t nodes, instances;
    std::span<const double> seconds;  // an instance, ascending
  };
  std::span<const BenchCase> bench;
};

ECO_PROBLEM_TABLE(ProblemExpert, expert)

[[nodiscard]] inline const ProblemExpert& expert_of(ProblemKind kind) {
  return *problem_expert[index_of(kind)];
}

}  // namespace eco
