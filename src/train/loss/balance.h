#pragma once
// Balance of flows (GFlowNets), the objective of GFlowNet-HBG's row. A policy that samples
// solutions in proportion to their reward exp(-energy) has, with Z the sum of all rewards,
//   whole solutions   log p(y) + energy(y) - log b(y) = -log Z         (trajectory balance)
//   every step        log p_t + energy_t = log F(s') - log F(s)        (detailed balance)
// where b is the share of a solution's ways of being written down that this one has, energy_t what
// a step adds to the energy, and F the flow that is left in a state. Z and F need no network here:
// for a pool of one instance their least-squares values are the means over the pool, of whole
// solutions, and of every step under the assumption that F depends on the step alone.

#include "train/torch.h"

namespace eco::train {

// log_probability, energy [pools, solutions, steps], 0 behind the end of a solution; there [pools,
// solutions, steps] 1 up to the end; written [pools, solutions] log b. `local` in [0, 1]: weight of
// the steps against whole solutions. Squares of what is left, in both cases a step of the solution.
//   ->  [pools, solutions]
[[nodiscard]] at::Tensor balance_loss(const at::Tensor& log_probability, const at::Tensor& energy,
                                      const at::Tensor& there, const at::Tensor& written,
                                      double local);

}  // namespace eco::train
