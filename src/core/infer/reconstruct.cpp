#include "core/infer/reconstruct.h"

#include <utility>

#include "core/base/rng.h"
#include "core/problem/codec.h"
#include "core/problem/problem.h"
#include "core/problem/random_order.h"

namespace eco {

namespace {

// As the engine will judge it.
double cost_of(const Instance& instance, Solution solution) {
  const ProblemFacts& problem = instance.problem();
  if (!problem.closed) problem.cut_open(instance, solution);
  return cost(instance, solution);
}

// How many steps it takes to visit so many nodes; depots are steps, too.
std::size_t steps_to(const Instance& instance, std::span<const NodeId> steps, std::size_t nodes) {
  std::size_t count = 0;
  while (nodes > 0) {
    const bool home = instance.has_depot() && steps[count] == kDepot;
    nodes -= home ? 0 : 1;
    ++count;
  }
  return count;
}

}  // namespace

void reconstruct(const PackedModel& model, Decoder& decoder, const PointerTask& task,
                 std::size_t times, const DecodeOptions& options, const Deadline& deadline) {
  const Instance& instance = *task.encoded.instance;
  Solution& best = task.rollout->solution;
  // One node is kept at least, and two at least are open.
  if (!task.rollout->complete || instance.customers() < 3) return;
  double cost = cost_of(instance, best);
  Rng rng(options.seed, task.stream);
  for (std::size_t i = 0; i < times && !deadline.reached(); ++i) {
    const std::vector<NodeId> steps =
        steps_of(instance, in_random_order(instance.problem(), best, rng));
    const std::size_t kept = 1 + rng.below(static_cast<std::uint32_t>(instance.customers() - 2));
    Rollout rollout;
    PointerTask rebuild;
    rebuild.encoded = task.encoded;
    rebuild.rollout = &rollout;
    rebuild.guide = &steps;
    rebuild.given = steps_to(instance, steps, kept);
    decode_pointer(model, decoder, {&rebuild, 1}, options, deadline);
    if (!rollout.complete) return;
    const double found = cost_of(instance, rollout.solution);
    if (found > cost) continue;
    cost = found;
    best = std::move(rollout.solution);
  }
}

}  // namespace eco
