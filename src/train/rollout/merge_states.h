#pragma once
// States that the policy comes to when it merges, each with a solution to learn from. As long as
// every link made is in the instance's label, that serves; after a wrong link it is the best of
// what the state came to and what the expert makes of it. On a guided way only right links are
// made. Nothing of LibTorch in here.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/infer/merging.h"
#include "core/problem/fragments.h"

namespace eco::train {

// From where the better solution of a pair comes.
enum class PairWinner : std::uint8_t { expert, local_search, sample };

// Pairs for learning from preferences: what the policy made of a state in the end, on a free way,
// against something shorter that goes on from the same state. The shares are of the ways; what is
// left of them gets the best of the samples.
struct MergePairOptions {
  double local_search = 0;  // what a short search with the state's links forced makes of its own
  double expert = 1;        // the expert's way on
  std::size_t samples = 0;  // of the policy from the state
  double temperature = 1;   // of the samples
};

struct MergeStateOptions {
  double free = 0;      // share of the ways on which wrong links are made too
  double effort = 0.5;  // of the expert from a state, in units of its default for as many nodes
  std::uint64_t seed = 0;
  std::optional<MergePairOptions> pairs = {};
};

struct MergeExample {
  Fragments state;
  Solution label;
  std::optional<Solution> loser = {};  // longer than the label
  PairWinner winner = PairWinner::expert;
  double margin = 0;  // of the two, in percent of the loser's cost
};

struct MergeVisit {
  std::vector<MergeExample> examples;           // in the order of the instances
  std::size_t states = 0;                       // that the policy came to
  std::size_t relabelled = 0;                   // examples that the expert went on from
  std::size_t free_links = 0, wrong_links = 0;  // made on free ways; not in the label before
};

// Every instance has a reference. A function of the arguments alone. States of all rounds are
// visited, of which some are kept: half of the first ones, which are large and alike, more and more
// towards the end; on ways that are continued by samples, which are dear, a few.
[[nodiscard]] MergeVisit visit_states(const PackedModel& model, std::span<const Instance> instances,
                                      const MergeStateOptions& options, ThreadPool& pool);

}  // namespace eco::train
