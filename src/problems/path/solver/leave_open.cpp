#include "solver/problem_data.h"

namespace eco {

Problem& Problem::leave_open(std::optional<std::uint32_t> start, std::optional<std::uint32_t> end) {
  Instance& instance = own().instance;
  instance.kind = ProblemKind::path;
  instance.start.reset();
  instance.end.reset();
  if (start) instance.start = NodeId(*start);
  if (end) instance.end = NodeId(*end);
  return *this;
}

}  // namespace eco
