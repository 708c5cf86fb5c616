#pragma once
// What is given instead of a policy's solution that was cut short. The policy fills in what it has
// not placed along a curve, which can be longer than what a nearest neighbour does in no time.

#include <cstdint>
#include <optional>

#include "core/base/deadline.h"
#include "core/instance/instance.h"

namespace eco {

class Fallback {
 public:
  // With a time limit it is made here, before the policy takes the time.
  Fallback(const Instance& instance, std::uint64_t seed, const Deadline& deadline);

  // Takes the place of a solution that costs more; true if so.
  bool replace(Solution& solution, double& cost);

 private:
  const Instance& instance_;
  std::optional<Solution> solution_;
};

}  // namespace eco
