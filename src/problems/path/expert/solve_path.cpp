#include "problems/path/expert/solve_path.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/instance/distance.h"
#include "core/search/node_distance.h"
#include "problems/path/rules/ends.h"
#include "problems/tsp/expert/ils.h"

namespace eco {

namespace {

constexpr std::size_t kMatrixNodes = 2'000;  // 32 MB
constexpr double kFirstShare = 0.5;          // of the budget, where the ends have to be found first

IlsOptions search_options(const ExpertOptions& options) {
  IlsOptions search;
  search.iterations = options.iterations;
  search.deadline = deadline_of(options);
  search.seed = options.seed;
  search.threads = options.threads;
  search.progress = options.progress;
  return search;
}

Instance as_tour(const Instance& instance) {
  Instance tour = instance;
  tour.kind = ProblemKind::tsp;
  tour.start.reset();
  tour.end.reset();
  tour.reference.reset();
  return tour;
}

bool has_edge(const std::vector<Edge>& edges, const Edge& edge) {
  return std::any_of(edges.begin(), edges.end(), [&](const Edge& one) {
    return one == edge || one == Edge{edge.b, edge.a};
  });
}

// From one given node to another.
Solution between(const Instance& instance, const ExpertOptions& options, const Solution* start) {
  std::vector<Edge> forced(options.forced.begin(), options.forced.end());
  const Edge outside{*instance.start, *instance.end};
  if (!has_edge(forced, outside)) forced.push_back(outside);
  IlsOptions search = search_options(options);
  search.forced = forced;
  search.start = start;
  Solution tour = solve_tsp(as_tour(instance), search);
  path::cut_open(instance, tour);
  return tour;
}

Instance with_nowhere(const Instance& instance) {
  const std::size_t nodes = instance.size(), all = nodes + 1;
  Instance wide;
  wide.kind = ProblemKind::tsp;
  wide.metric = Metric::matrix;
  wide.matrix.assign(all * all, 0.0);
  with_distance(instance, [&](auto distance) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        if (i != j) wide.matrix[i * all + j] = distance(i, j);
      }
    }
  });
  return wide;
}

Solution through_nowhere(const Instance& instance, const ExpertOptions& options) {
  const NodeId nowhere(instance.size());
  std::vector<Edge> forced(options.forced.begin(), options.forced.end());
  if (const auto given = path::given_ends(instance)) forced.push_back({given->a, nowhere});
  IlsOptions search = search_options(options);
  search.forced = forced;
  Solution start;
  if (options.start != nullptr) {
    start = *options.start;
    start.sequence.push_back(nowhere);
    search.start = &start;
  }
  Solution path = solve_tsp(with_nowhere(instance), search);
  auto& nodes = path.sequence;
  std::rotate(nodes.begin(), std::find(nodes.begin(), nodes.end(), nowhere), nodes.end());
  nodes.erase(nodes.begin());
  const bool wrong_way = (instance.start && nodes.front() != *instance.start) ||
                         (instance.end && nodes.back() != *instance.end);
  if (wrong_way) std::reverse(nodes.begin(), nodes.end());
  return path;
}

// With the ends of a good tour, then the best path between those.
Solution from_tour(const Instance& instance, const ExpertOptions& options) {
  ExpertOptions half = options;
  half.seconds = kFirstShare * options.seconds;
  half.iterations = options.iterations / 2;
  if (options.progress) {
    half.progress = [&](const SearchProgress& at) {
      options.progress({kFirstShare * at.share, at.cost});
    };
  }
  Solution found;
  if (options.start != nullptr) {
    found = *options.start;
  } else {
    IlsOptions search = search_options(half);
    search.forced = options.forced;
    found = solve_tsp(as_tour(instance), search);
    path::cut_open(instance, found, options.forced);
  }
  Instance ends = instance;
  ends.start = found.sequence.front();
  ends.end = found.sequence.back();
  if (options.progress) {
    half.progress = [&](const SearchProgress& at) {
      options.progress({kFirstShare + (1 - kFirstShare) * at.share, at.cost});
    };
  }
  return between(ends, half, &found);
}

}  // namespace

Solution solve_open_path(const Instance& instance, const ExpertOptions& options) {
  require_symmetric(instance);
  if (instance.size() < 2) return {{NodeId(0)}};
  if (instance.start && instance.end) return between(instance, options, options.start);
  return instance.size() <= kMatrixNodes ? through_nowhere(instance, options)
                                         : from_tour(instance, options);
}

}  // namespace eco
