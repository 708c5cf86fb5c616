#include "problems/path/search/local_search.h"

#include <algorithm>

#include "core/problem/problem.h"
#include "core/search/descent.h"
#include "core/search/node_distance.h"
#include "problems/path/search/line_state.h"

namespace eco {

namespace {

class TurnStretch final : public SearchOperator<LineState> {
 public:
  double improve_at(LineState& path, std::uint32_t node) override {
    for (const std::uint32_t other : path.near(node)) {
      const std::size_t low = std::min(path.place(node), path.place(other));
      const std::size_t high = std::max(path.place(node), path.place(other));
      // Both make the two neighbours: turning round what follows the first of them up to the
      // second, and what lies from the first of them up to the second.
      const double gain = try_turn(path, low + 1, high);
      if (gain > 0) return gain;
      const double other_gain = try_turn(path, low, high - 1);
      if (other_gain > 0) return other_gain;
    }
    return 0;
  }

 private:
  static double try_turn(LineState& path, std::size_t first, std::size_t last) {
    const std::size_t end = path.size() - 1;
    if (first >= last || (first == 0 && !path.free_start()) || (last == end && !path.free_end())) {
      return 0;
    }
    double gain = path.edge_before(first) + path.edge_behind(last);
    if (first > 0) gain -= path.distance(path.at(first - 1), path.at(last));
    if (last < end) gain -= path.distance(path.at(first), path.at(last + 1));
    if (gain <= path.tolerance()) return 0;
    path.touch_around(first, last);
    path.reverse(first, last);
    return gain;
  }
};

class MoveNodes final : public SearchOperator<LineState> {
 public:
  double improve_at(LineState& path, std::uint32_t node) override {
    constexpr std::size_t kMost = 3;
    const std::size_t place = path.place(node);
    for (std::size_t length = 1; length <= kMost && length < path.size(); ++length) {
      if (place + length <= path.size()) {
        const double gain = try_segment(path, place, place + length - 1, node);
        if (gain > 0) return gain;
      }
      if (length > 1 && place + 1 >= length) {
        const double gain = try_segment(path, place + 1 - length, place, node);
        if (gain > 0) return gain;
      }
    }
    return 0;
  }

 private:
  // Nodes from `first` to `last`, of which `node` at one of its ends gets a new neighbour.
  static double try_segment(LineState& path, std::size_t first, std::size_t last,
                            std::uint32_t node) {
    const std::size_t end = path.size() - 1;
    if ((first == 0 && !path.free_start()) || (last == end && !path.free_end())) return 0;
    const std::uint32_t far = path.at(path.at(first) == node ? last : first);
    double removed = path.edge_before(first) + path.edge_behind(last);
    if (first > 0 && last < end) removed -= path.distance(path.at(first - 1), path.at(last + 1));
    for (const std::uint32_t other : path.near(node)) {
      const double link = path.distance(node, other);
      if (link >= removed) break;
      const std::size_t there = path.place(other);
      if (there >= first && there <= last) continue;
      for (const bool behind : {true, false}) {
        // Next to where it is already, there is nothing to move.
        if (behind ? there + 1 == first : there == last + 1) continue;
        if (behind ? there == end && !path.free_end() : there == 0 && !path.free_start()) continue;
        double gain = removed - link;
        if (behind && there < end) {
          const std::uint32_t next = path.at(there + 1);
          gain -= path.distance(far, next) - path.distance(other, next);
        }
        if (!behind && there > 0) {
          const std::uint32_t before = path.at(there - 1);
          gain -= path.distance(far, before) - path.distance(other, before);
        }
        if (gain <= path.tolerance()) continue;
        path.touch_around(first, last);
        path.touch_around(there, there);
        if (path.at(behind ? first : last) != node) path.reverse(first, last);
        path.move(first, last, behind ? there + 1 : there);
        return gain;
      }
    }
    return 0;
  }
};

template <class Operator>
std::unique_ptr<SearchOperator<LineState>> make() {
  return std::make_unique<Operator>();
}

constexpr std::array<OperatorEntry<LineState>, 2> kRegistry{{
    {kPathOperators[0], make<TurnStretch>},
    {kPathOperators[1], make<MoveNodes>},
}};

class PathLocalSearch final : public LocalSearch {
 public:
  PathLocalSearch(const Instance& instance, const LocalSearchOptions& options)
      : instance_(instance),
        options_(options),
        operators_(make_operators<LineState>(kRegistry, options.operators)),
        neighbours_(instance, options.neighbours, options.deadline),
        path_(instance, neighbours_) {}

  LocalSearchResult improve(Solution& solution) override {
    LocalSearchResult result;
    result.before = result.after = cost(instance_, solution);
    result.local_optimum = instance_.size() < 3;
    if (result.local_optimum || !neighbours_.complete()) return result;
    path_.assign(solution, result.before);
    DescentLimits limits;
    if (options_.mode == SearchMode::paper) limits.max_moves = instance_.size();
    if (options_.max_moves) limits.max_moves = *options_.max_moves;
    limits.deadline = options_.deadline;
    const DescentResult descent =
        descend(path_, operators_, options_.mode, instance_.size(), limits);
    result.moves = descent.moves;
    result.local_optimum = descent.local_optimum;
    if (descent.moves == 0) return result;
    solution = path_.solution();
    result.after = cost(instance_, solution);
    return result;
  }

 private:
  const Instance& instance_;
  LocalSearchOptions options_;
  Operators<LineState> operators_;
  NeighbourLists neighbours_;
  LineState path_;
};

}  // namespace

std::unique_ptr<LocalSearch> make_path_local_search(const Instance& instance,
                                                    const LocalSearchOptions& options) {
  require_symmetric(instance);
  return std::make_unique<PathLocalSearch>(instance, options);
}

}  // namespace eco
