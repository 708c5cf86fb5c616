#pragma once
// eco::Solver: routes from plain coordinates, by a trained policy, in one call.
//
//   eco::Solver solver;                                    // the weights inside the library
//   auto result = solver.solve_tsp(points);                // std::vector<eco::Solver::Point>
//   for (std::uint32_t node : result.tour) ...
//
// A solver may be used from any number of threads at a time: calls share the weights and nothing
// else, and none waits for another. Results do not depend on what else runs or on the number of
// threads. Costs are exact Euclidean lengths. Every result has passed an independent checker.
//
// Errors are eco::Error (<eco/error.h>, a std::runtime_error): usage for options that make no
// sense, input for wrong data or weights, resource for memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace eco {

class Solver {
 public:
  using Point = std::array<double, 2>;  // x, y; any scale

  // What a call is doing. `done` of `total`: nodes placed, over all samples (construct); 0 of 1,
  // then 1 of 1 (refine).
  enum class Phase : std::uint8_t { construct, refine };
  struct Progress {
    Phase phase;
    std::size_t done, total;
    double seconds;  // since the call
  };

  struct Options {
    // How a solution is built from the policy: "greedy", "sample:K" (the best of K draws),
    // "augment:8" (8 symmetries); with weights of preset paper also "multistart:K" (K first nodes)
    // and "beam:B".
    std::string decode = "greedy";
    // How much is decided from one look at the problem: "fast", "balanced", "thorough". Preset
    // best.
    std::string effort = "balanced";
    double temperature = 1;      // sample
    std::size_t top_k = 0;       // preset paper, sample: among the k most probable only; 0: all
    std::size_t candidates = 0;  // preset paper: score the k nearest open nodes only; 0: all
    std::size_t threads = 0;     // of this call, at most 4096; 0: one for each core
    std::uint64_t seed = 1234;   // of sampling

    bool refine = false;     // improve the result by local search
    double time_limit = 0;   // seconds, infinity too; 0: none. When it is over, the best so far
                             // is returned.
    std::stop_token cancel;  // likewise
    // Called now and then, from one thread at a time, not always the caller's. What it throws ends
    // the call and comes out of it.
    std::function<void(const Progress&)> progress;
  };

  // Nodes are numbered from 0 in the order in which they were given.
  struct Result {
    std::vector<std::uint32_t> tour;  // every node once; a tour closes by itself, a path does not
    std::vector<std::vector<std::uint32_t>> routes;  // CVRP: customers of each, without the depot
    double cost = 0;
    double constructed_cost = 0;  // before refinement
    // False if time or cancellation came before the policy was done: what it had not placed was
    // filled in without it, or all of it replaced by a quick construction where that was shorter.
    bool complete = true;
    double construct_seconds = 0, refine_seconds = 0;
  };

  // The weights that the library was built with. Throws only when a problem is solved for which it
  // has none (solves_tsp, solves_cvrp).
  Solver();
  // The weights of a file, for its problem alone.
  explicit Solver(const std::string& weights_file);
  // The same from memory: the bytes of such a file, needed during this call only.
  explicit Solver(std::span<const std::byte> weights);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  [[nodiscard]] bool solves_tsp() const;
  [[nodiscard]] bool solves_cvrp() const;

  // At least one point.
  [[nodiscard]] Result solve_tsp(std::span<const Point> points, const Options& options) const;
  [[nodiscard]] Result solve_tsp(std::span<const Point> points) const;

  // points[0] is the depot, the others are customers; demands has one entry a point, demands[0] is
  // 0 and none exceeds the capacity of the vehicles, of which there are as many as it takes.
  [[nodiscard]] Result solve_cvrp(std::span<const Point> points,
                                  std::span<const std::int64_t> demands, std::int64_t capacity,
                                  const Options& options) const;
  [[nodiscard]] Result solve_cvrp(std::span<const Point> points,
                                  std::span<const std::int64_t> demands,
                                  std::int64_t capacity) const;

  // The shortest way through all points from `start` to `end`, each of which may be free. Solved by
  // the weights for the TSP.
  [[nodiscard]] Result solve_path(std::span<const Point> points, std::optional<std::uint32_t> start,
                                  std::optional<std::uint32_t> end, const Options& options) const;
  [[nodiscard]] Result solve_path(std::span<const Point> points,
                                  std::optional<std::uint32_t> start = {},
                                  std::optional<std::uint32_t> end = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace eco
