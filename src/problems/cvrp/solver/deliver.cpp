#include "solver/problem_data.h"

namespace eco {

Problem& Problem::deliver(std::span<const std::int64_t> demands, std::int64_t capacity) {
  Instance& instance = own().instance;
  instance.kind = ProblemKind::cvrp;
  instance.demands.assign(demands.begin(), demands.end());
  instance.capacity = capacity;
  return *this;
}

}  // namespace eco
