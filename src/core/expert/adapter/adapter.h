#pragma once
// Solvers that the user has installed, called as programs: LKH-3, HGS-CVRP and Concorde. Each call
// writes the problem into a temporary folder, runs the solver there with a limit in time, reads its
// answer and has it checked. Whatever goes wrong (not installed, a crash, a time-out, no answer, an
// answer that is not a solution) is an eco::Error (resource) that names the solver and shows the
// end of what it printed.

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

#include "core/instance/instance.h"

namespace eco {

struct SolverCall {
  std::string path;            // the program; empty: looked up on PATH under its usual names
  double seconds = 0;          // per instance; 0: no limit
  std::size_t iterations = 0;  // 0: the solver's own default
  std::uint64_t seed = 1;
  std::stop_token cancel;     // kills the solver; the call throws eco::Error (interrupted)
  double grace_seconds = 10;  // a solver that stops by itself is killed this much after `seconds`
};

// TSP and CVRP. One run; `iterations` is MAX_TRIALS.
[[nodiscard]] Solution solve_with_lkh(const Instance& instance, const SolverCall& call);

// CVRP. `iterations` is the number of iterations without improvement.
[[nodiscard]] Solution solve_with_hgs_binary(const Instance& instance, const SolverCall& call);

// TSP, to optimality. Concorde knows no limit in time: past `seconds` it is killed, which is an
// error. `iterations` is ignored.
[[nodiscard]] Solution solve_with_concorde(const Instance& instance, const SolverCall& call);

}  // namespace eco
