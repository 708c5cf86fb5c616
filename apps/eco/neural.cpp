// The method `neural` of eco solve: the best of the rollouts of a trained policy.

#include <memory>

#include "core/infer/decode_text.h"
#include "core/infer/step_counter.h"
#include "eco/methods.h"
#include "eco/progress.h"
#include "solver/fallback.h"

namespace eco::cli {

MethodResult by_policy(const SolveRequest& request) {
  const CommonOptions& common = request.session.common();
  Engine engine(std::make_shared<const Weights>(request.decode.open(request.instance.kind)),
                common.threads);
  DecodeOptions options = request.decode.resolve();
  options.seed = common.seed;
  options = engine.resolved(options);

  const std::size_t total = options.samples * request.instance.customers();
  Progress progress(request.session, "nodes", total);
  std::size_t shown = 0;
  StepCounter counter(total, [&](std::size_t done, std::size_t) {
    progress.advance(done - shown);
    shown = done;
  });
  options.counter = &counter;

  Fallback fallback(request.instance, common.seed, request.deadline);
  const Instance* one = &request.instance;
  const auto rollouts = engine.run({&one, 1}, options, request.deadline);
  const Rollout& best = best_rollout(rollouts[0]);
  Solution solution = best.solution;
  std::string detail = request.decode.weights_name() + ", " + decode_text(options);
  if (!best.complete) {
    double cost = best.cost;
    const bool replaced = fallback.replace(solution, cost);
    detail += replaced ? ", cut short: a quick construction instead" : ", cut short";
  }
  return {std::move(solution), std::move(detail)};
}

}  // namespace eco::cli
