#pragma once
// Labels by our own experts, counted in iterations and never by the clock, so that a label is a
// function of the instance and the effort alone.

#include <cstdint>
#include <stop_token>

#include "core/instance/instance.h"

namespace eco::train {

// Iterations for `nodes` nodes where the user gave none.
[[nodiscard]] std::uint64_t default_effort(ProblemKind kind, std::size_t nodes);

// Sets reference and reference_cost. effort 0: default_effort. When stopped, the label is the best
// so far: no function of the effort any more, to be thrown away.
void label_instance(Instance& instance, std::uint64_t effort, std::uint64_t seed,
                    const std::stop_token& stop = {});

}  // namespace eco::train
