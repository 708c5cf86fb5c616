#include "problems/cvrp/expert/individual.h"

namespace eco {

double broken_pairs(const Individual& a, const Individual& b) {
  std::size_t broken = 0;
  const std::size_t nodes = a.next.size();
  for (std::size_t i = 1; i < nodes; ++i) {
    const std::uint32_t next = a.next[i], previous = a.previous[i];
    if (next != b.next[i] && next != b.previous[i]) ++broken;
    if (previous == 0 && b.previous[i] != 0 && b.next[i] != 0) ++broken;
  }
  return static_cast<double>(broken) / static_cast<double>(nodes - 1);
}

}  // namespace eco
