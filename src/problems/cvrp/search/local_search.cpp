#include "problems/cvrp/search/local_search.h"

#include <array>

#include "core/problem/problem.h"
#include "core/search/descent.h"
#include "problems/cvrp/search/relocate.h"
#include "problems/cvrp/search/swap.h"
#include "problems/cvrp/search/two_opt_intra.h"
#include "problems/cvrp/search/two_opt_star.h"

namespace eco {

namespace {

template <class Operator>
std::unique_ptr<SearchOperator<RouteState>> make() {
  return std::make_unique<Operator>();
}

constexpr std::array<OperatorEntry<RouteState>, 4> kRegistry{{
    {kCvrpOperators[0], make<TwoOptIntra>},
    {kCvrpOperators[1], make<Relocate>},
    {kCvrpOperators[2], make<Swap>},
    {kCvrpOperators[3], make<TwoOptStar>},
}};

class CvrpLocalSearch final : public LocalSearch {
 public:
  CvrpLocalSearch(const Instance& instance, const LocalSearchOptions& options)
      : instance_(instance),
        options_(options),
        operators_(make_operators<RouteState>(kRegistry, options.operators)),
        neighbours_(instance, options.neighbours, options.deadline),
        routes_(instance, neighbours_, options.mode == SearchMode::paper) {}

  LocalSearchResult improve(Solution& solution) override {
    LocalSearchResult result;
    result.before = result.after = cost(instance_, solution);
    if (!neighbours_.complete()) return result;  // the deadline came before the start
    routes_.assign(solution, result.before);
    DescentLimits limits;
    if (options_.mode == SearchMode::paper) limits.max_moves = 2 * instance_.customers();
    if (options_.max_moves) limits.max_moves = *options_.max_moves;
    limits.deadline = options_.deadline;
    const DescentResult descent =
        descend(routes_, operators_, options_.mode, instance_.size(), limits);
    result.moves = descent.moves;
    result.local_optimum = descent.local_optimum;
    if (descent.moves > 0) solution = routes_.solution();
    result.after = descent.moves > 0 ? cost(instance_, solution) : result.before;
    return result;
  }

 private:
  const Instance& instance_;
  LocalSearchOptions options_;
  Operators<RouteState> operators_;
  NeighbourLists neighbours_;
  RouteState routes_;
};

}  // namespace

std::unique_ptr<LocalSearch> make_cvrp_local_search(const Instance& instance,
                                                    const LocalSearchOptions& options) {
  require_symmetric(instance);
  return std::make_unique<CvrpLocalSearch>(instance, options);
}

}  // namespace eco
