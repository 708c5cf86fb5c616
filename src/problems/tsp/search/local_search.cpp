#include "problems/tsp/search/local_search.h"

#include <array>

#include "core/base/error.h"
#include "core/problem/problem.h"
#include "core/search/descent.h"
#include "problems/tsp/search/three_opt.h"
#include "problems/tsp/search/two_opt.h"

namespace eco {

namespace {

template <class Operator>
std::unique_ptr<SearchOperator<TourState>> make() {
  return std::make_unique<Operator>();
}

constexpr std::array<OperatorEntry<TourState>, 2> kRegistry{{
    {kTspOperators[0], make<TwoOpt>},
    {kTspOperators[1], make<ThreeOpt>},
}};

class TspLocalSearch final : public LocalSearch {
 public:
  TspLocalSearch(const Instance& instance, const LocalSearchOptions& options)
      : instance_(instance),
        options_(options),
        operators_(make_operators<TourState>(kRegistry, options.operators)),
        neighbours_(instance, options.neighbours, options.deadline),
        tour_(instance, neighbours_, options.mode == SearchMode::paper) {}

  LocalSearchResult improve(Solution& solution) override {
    const std::size_t nodes = instance_.size();
    LocalSearchResult result;
    result.before = result.after = cost(instance_, solution);
    result.local_optimum = true;
    if (nodes < 4) return result;  // all tours are the same one
    result.local_optimum = false;
    if (!neighbours_.complete()) return result;  // the deadline came before the start

    tour_.assign(solution, result.before);
    DescentLimits limits;
    if (options_.mode == SearchMode::paper) limits.max_moves = nodes;
    if (options_.max_moves) limits.max_moves = *options_.max_moves;
    limits.deadline = options_.deadline;
    const DescentResult descent = descend(tour_, operators_, options_.mode, nodes, limits);
    result.moves = descent.moves;
    result.local_optimum = descent.local_optimum;
    if (descent.moves == 0) return result;
    solution = tour_.solution();
    result.after = cost(instance_, solution);
    return result;
  }

 private:
  const Instance& instance_;
  LocalSearchOptions options_;
  Operators<TourState> operators_;
  NeighbourLists neighbours_;
  TourState tour_;
};

}  // namespace

std::unique_ptr<LocalSearch> make_tsp_local_search(const Instance& instance,
                                                   const LocalSearchOptions& options) {
  require_symmetric(instance);
  return std::make_unique<TspLocalSearch>(instance, options);
}

}  // namespace eco
