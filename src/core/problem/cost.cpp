#include "core/instance/distance.h"
#include "core/problem/problem.h"

namespace eco {

double cost(const Instance& instance, const Solution& solution) {
  const auto& sequence = solution.sequence;
  if (sequence.empty()) return 0;
  const bool closed = instance.problem().closed;
  return with_distance(instance, [&](auto distance) {
    // The closing edge of a sequence of routes goes from depot to depot and is 0.
    double sum = closed ? distance(sequence.back().index(), sequence.front().index()) : 0.0;
    for (std::size_t i = 1; i < sequence.size(); ++i) {
      sum += distance(sequence[i - 1].index(), sequence[i].index());
    }
    return sequence.size() == 1 ? 0.0 : sum;
  });
}

}  // namespace eco
