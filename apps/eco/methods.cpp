#include "eco/methods.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/search/construct/construct.h"
#include "eco/progress.h"

namespace eco::cli {

namespace {

MethodResult by_expert(const SolveRequest& request) {
  const Expert& expert = expert_named(request.expert.name, request.instance.kind);
  ExpertOptions options = request.expert.options;
  options.seed = request.session.common().seed;
  options.cancel = request.session.stop();
  // An expert reads 0 as no limit; a limit that is over already still asks for a quick answer.
  constexpr double kShortest = 1e-3;
  if (request.deadline.limited())
    options.seconds = std::max(kShortest, request.deadline.seconds_left());
  Progress progress(request.session, "search", 0);
  options.progress = [&](double share) { progress.reach(share); };
  return {expert.solve(request.instance, options), std::string(expert.name)};
}

template <ConstructMethod method>
MethodResult by_construction(const SolveRequest& request) {
  Construction made =
      construct(request.instance, method, request.session.common().seed, request.deadline);
  return {std::move(made.solution), made.complete ? "" : "cut short: a quick construction instead"};
}

constexpr std::array kMethods{
    Method{"expert", "a search by --expert", by_expert},
    Method{"neural", "a trained policy, by --weights and --decode", by_policy},
    Method{"nn", "nearest neighbour", by_construction<ConstructMethod::nearest_neighbour>},
    Method{"insertion", "farthest insertion", by_construction<ConstructMethod::farthest_insertion>},
    Method{"random-insertion", "insertion in random order",
           by_construction<ConstructMethod::random_insertion>},
    Method{"savings", "Clarke and Wright", by_construction<ConstructMethod::savings>},
};

}  // namespace

std::span<const Method> all_methods() {
  return kMethods;
}

}  // namespace eco::cli
