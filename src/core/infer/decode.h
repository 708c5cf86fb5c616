#pragma once
// How solutions are decoded, and what comes out.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/instance/instance.h"
#include "core/tour/solution.h"

namespace eco {

class StepCounter;

enum class Decode : std::uint8_t {
  greedy,       // the most probable action at every step; one rollout an instance
  sample,       // `samples` rollouts, drawn from the policy
  multistart,   // `samples` greedy rollouts from different first nodes or customers (sequential
                // only)
  augment,      // greedy under the 8 symmetries of the square; one rollout for each
  beam,         // the `samples` most probable solutions of a beam search (sequential only)
  reconstruct,  // greedy, then `samples` times a random part of the solution is built anew and kept
                // if that is not longer (sequential only); one rollout an instance
};

// Merging: how much is decided from one encoding. Thorough encodes most often.
enum class Effort : std::uint8_t { fast, balanced, thorough };

struct DecodeOptions {
  // Settings (decode_keys.h). What is left open is as the weights say, else as in the brackets.
  std::optional<Decode> method = {};           // [greedy]
  std::optional<std::size_t> samples = {};     // of a method that makes several [1]
  std::optional<double> temperature = {};      // sample: logits are divided by it [1]
  std::optional<std::size_t> top_k = {};       // sequential, sample: of the most probable [all]
  std::optional<std::size_t> candidates = {};  // sequential: nearest open nodes to score [all]
  std::optional<Effort> effort = {};           // merging [balanced]
  // Of this run.
  std::uint64_t seed = 0;    // sample: the draws are a function of (seed, instance, sample)
  std::uint64_t first = 0;   // number of the first instance of the call, for these draws
  bool spread = false;       // sequential, sample: every rollout starts at another node or customer
  bool keep_rounds = false;  // merging: Rollout::rounds is filled in
  StepCounter* counter = nullptr;  // told of every step, if there is one
};

// Merging: one link, and those of one round.
struct Merge {
  NodeId a, b;  // b is the depot where a goes home
  float confidence = 0;
};
using MergeRound = std::vector<Merge>;

struct Rollout {
  Solution solution;
  // Sequential: of the untempered policy; forced steps count nothing. Reconstruct: of the solution
  // that it began with.
  double log_probability = 0;
  double cost = 0;                 // in the instance's own metric
  std::size_t encoded = 0;         // merging: tokens that were encoded, over all rounds
  std::vector<MergeRound> rounds;  // merging, if asked for
  bool complete = true;  // false: the deadline came first, the rest was filled in unlearned
};

// One step of a given path under the policy; see Engine::score_path.
struct StepScore {
  NodeId node;  // what the path does
  double log_probability = 0;
  // What the policy could do, with the logit of each. With detours a customer may be there twice:
  // directly, and by way of the depot.
  std::vector<NodeId> choices;
  std::vector<float> logits;
};

}  // namespace eco
