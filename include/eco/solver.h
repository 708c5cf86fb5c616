#pragma once
// Routes in one call: the best plan in the time there is, by search, or what a trained policy
// builds.
//
//   eco::Solver solver;
//   auto problem = eco::Problem::on_plane(points);         // std::vector<eco::Problem::Point>
//   problem.deliver(demands, 100);                         // a depot and vehicles: CVRP; else TSP
//   auto result = solver.solve(problem);
//   for (const auto& route : result.routes) ...
//
// A solver may be used from any number of threads at a time: calls share the weights and nothing
// else, and none waits for another. Every result has passed an independent checker.
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

// Nodes are numbered from 0 in the order in which they are given. A copy is cheap as long as
// nothing is changed.
class Problem {
 public:
  using Point = std::array<double, 2>;

  // x, y at any scale; lengths are Euclidean and exact.
  [[nodiscard]] static Problem on_plane(std::span<const Point> points);
  // Latitude and longitude in decimal degrees, north and east positive; lengths are metres along
  // great circles.
  [[nodiscard]] static Problem on_earth(std::span<const Point> places);
  // Row i has the ways from node i to all: [nodes, nodes]. The way back may differ. For open routes
  // the way back to the depot is 0.
  [[nodiscard]] static Problem by_matrix(std::size_t nodes, std::vector<double> lengths);

  // Node 0 becomes the depot, from which all routes start and where they end. One demand a node,
  // that of the depot is 0, and none exceeds the capacity of a vehicle.
  Problem& deliver(std::span<const std::int64_t> demands, std::int64_t capacity);
  // At most so many routes. Where that is not found to do, the result has as few as were found and
  // says that it lacks vehicles.
  Problem& limit_vehicles(std::size_t vehicles);

  // The shortest way through all nodes from `start` to `end`, each of which may be free, instead of
  // a tour.
  Problem& leave_open(std::optional<std::uint32_t> start = {},
                      std::optional<std::uint32_t> end = {});

  [[nodiscard]] std::size_t nodes() const;

 private:
  friend class Solver;
  struct Data;
  explicit Problem(std::shared_ptr<Data> data);
  Data& own();
  std::shared_ptr<Data> data_;
};

class Solver {
 public:
  // What a call is doing: building a plan, searching for a better one, or refining (an option).
  enum class Phase : std::uint8_t { construct, search, refine };
  struct Progress {
    Phase phase;
    double share;    // of the phase, 0 to 1
    double cost;     // of the best plan so far; 0 before there is one
    double seconds;  // since the call
  };

  struct Options {
    // "auto": the best plan in the time there is. "policy": what the policy builds, and nothing
    // after. "expert": the search that auto runs, with a budget by size where no limit is given.
    // Without learning or search: "nn", "savings" (CVRP), "insertion", "random-insertion" (TSP).
    std::string method = "auto";
    // Seconds, infinity too. 0: none but for auto, which then takes a second for every hundred
    // nodes, at most 30. When the time is over, the best so far is returned.
    double time_limit = 0;
    // auto, expert: steps of the search instead of time. Then the result is a function of problem,
    // options and the number of threads. 0: no limit.
    std::uint64_t iterations = 0;
    std::size_t threads = 0;    // of this call, at most 4096; 0: one for each core
    std::uint64_t seed = 1234;  // of all draws
    // auto, expert: a plan to begin with, as in Result::routes. It is never made longer.
    std::vector<std::vector<std::uint32_t>> start;
    bool refine = false;     // improve what another method made by local search
    std::stop_token cancel;  // when it is asked for, the best so far is returned
    // Called now and then, from one thread at a time, not always the caller's. What it throws ends
    // the call and comes out of it.
    std::function<void(const Progress&)> progress;

    // The policy. What is left open is as the weights say, else as in the brackets.
    // "greedy", "sample:K" (the best of K draws), "augment:8" (8 symmetries); with weights of
    // preset paper also "multistart:K" (K first nodes), "beam:B" and "reconstruct:K" (K times a
    // part is built anew). [greedy]
    std::optional<std::string> decode;
    // How much is decided from one look at the problem: "fast", "balanced", "thorough". Preset
    // best. [balanced]
    std::optional<std::string> effort;
    std::optional<double> temperature;      // sample [1]
    std::optional<std::size_t> top_k;       // preset paper, sample: among the k most probable [all]
    std::optional<std::size_t> candidates;  // preset paper: the k nearest open nodes [all]
  };

  struct CostAt {
    double seconds;  // since the call
    double cost;     // of the best plan then
  };

  struct Result {
    // In order of visit, without the depot. A tour is one route of all nodes that closes by itself;
    // an open path does not.
    std::vector<std::vector<std::uint32_t>> routes;
    std::vector<std::int64_t> loads;  // of the routes, where there are deliveries
    double cost = 0;
    bool lacks_vehicles = false;  // more routes than limit_vehicles() allows
    double made_cost = 0;         // before refinement
    // False if time or cancellation came before a construction was done: what it had not placed was
    // filled in, or all of it replaced by a quick construction where that was shorter.
    bool complete = true;
    double seconds = 0;
    double time_limit = 0;       // the one that was kept, auto's own too; 0: none
    std::vector<CostAt> record;  // how the cost fell; the last is the result's
    std::string detail;          // which expert, which weights
  };

  // The weights that the library was built with, if there are any.
  Solver();
  // The weights of a file, for its problem alone.
  explicit Solver(const std::string& weights_file);
  // The same from memory: the bytes of such a file, needed during this call only.
  explicit Solver(std::span<const std::byte> weights);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // There are weights for the method "policy"; the other methods need none.
  [[nodiscard]] bool has_policy(const Problem& problem) const;

  [[nodiscard]] Result solve(const Problem& problem, const Options& options) const;
  [[nodiscard]] Result solve(const Problem& problem) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace eco
