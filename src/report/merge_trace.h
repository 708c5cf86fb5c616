#pragma once
// Where a construction by merging loses its cost: after every round the expert finishes what is
// left, and what that costs more than before the round was lost in it.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/infer/decode.h"
#include "core/instance/instance.h"

namespace eco {

// The rounds of all rollouts that began with about the same share of the nodes open.
struct TraceRow {
  std::size_t rounds = 0, links = 0;
  std::size_t known = 0;    // links that the reference has, too
  double confidence = 0;    // sum over the links
  double lost_percent = 0;  // of the reference cost, summed over the rollouts
};

struct MergeTrace {
  static constexpr std::size_t kRows = 10;
  // Row r: the rounds that began with (9 - r) to (10 - r) tenths of the nodes open.
  std::vector<TraceRow> rows = std::vector<TraceRow>(kRows);
  std::size_t instances = 0;
  double start_percent = 0;  // how far the expert alone is above the references, summed
  double gap_percent = 0;    // of the rollouts, summed; start and losses add up to it
  std::size_t routes = 0, reference_routes = 0;  // CVRP, summed

  MergeTrace& operator+=(const MergeTrace& other);
};

// The instance has a reference solution with its cost, the rollout its rounds. The expert runs
// with its default effort after every round, so this takes a while.
[[nodiscard]] MergeTrace trace_merges(const Instance& instance, const Rollout& rollout);

// A table of means over the instances.
[[nodiscard]] std::string trace_text(const MergeTrace& trace);

}  // namespace eco
