// The method `neural` of eco solve: the best of the rollouts of a trained policy.

#include <algorithm>

#include "eco/methods.h"

namespace eco::cli {

MethodResult by_policy(const SolveRequest& request) {
  DecodeOptions options = request.decode.resolve();
  options.seed = request.seed;
  Engine engine(open_weights(request.decode), request.threads);
  const Instance* one = &request.instance;
  auto rollouts = engine.run({&one, 1}, options, request.deadline)[0];
  // A finished rollout before one that ran out of time.
  const auto best =
      std::min_element(rollouts.begin(), rollouts.end(), [](const Rollout& a, const Rollout& b) {
        return a.complete != b.complete ? a.complete : a.cost < b.cost;
      });
  std::string detail = request.decode.weights + ", " + decode_text(options);
  if (!best->complete) detail += ", cut short";
  return {std::move(best->solution), std::move(detail)};
}

}  // namespace eco::cli
