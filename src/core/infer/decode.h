#pragma once
// How solutions are decoded, and what comes out.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/instance/instance.h"
#include "core/tour/solution.h"

namespace eco {

class StepCounter;

enum class Decode : std::uint8_t {
  greedy,      // the most probable action at every step; one rollout an instance
  sample,      // `samples` rollouts, drawn from the policy
  multistart,  // `samples` greedy rollouts from different first nodes or customers
  augment,     // greedy under the 8 symmetries of the square; one rollout for each
  beam,        // the `samples` most probable solutions of a beam search (scorer pointer)
};

// Merging: how much is decided from one encoding. Thorough encodes most often.
enum class Effort : std::uint8_t { fast, balanced, thorough };

inline constexpr std::size_t kNoWindow = std::numeric_limits<std::size_t>::max();

struct DecodeOptions {
  Decode method = Decode::greedy;
  std::size_t samples = 1;
  double temperature = 1.0;  // sample: logits are divided by it
  std::size_t top_k = 0;     // sample: draw among the k most probable only; 0: among all
  std::uint64_t seed = 0;    // sample: the draws are a function of (seed, instance, sample)
  std::uint64_t first = 0;   // number of the first instance of the call, for these draws
  Effort effort = Effort::balanced;
  double reencode = 0;  // scorer candidate: share of the unvisited; 0: as the weights say, 1: off
  // Scorer candidate. TSP: the path grows at 1 or 2 ends. CVRP: so many first customers are tried
  // for a route. What the policy is surest of is kept. 0: as the weights say.
  std::size_t ends = 0;
  std::size_t window = 0;  // scorer candidate, TSP: nearest open nodes encoded; 0: as the weights
                           // say, kNoWindow: all
  // Scorer candidate, TSP with two ends: steps from the first one on that the policy gives less
  // than 1 - doubt are put off to the next encoding. 0: as the weights say, 1: none.
  double doubt = 0;
  std::size_t candidates = 0;  // nearest open nodes scored; 0: as the weights say (pointer: all)
  StepCounter* counter = nullptr;  // told of every step, if there is one
};

// Scorer candidate: the steps decoded from one encoding, enough to replay them.
struct Segment {
  NodeId current;              // c, where it started
  NodeId destination;          // s
  std::size_t end = 0;         // TSP: 0 if the forward end of the path moved, 1 if the other did
  std::size_t unvisited = 0;   // |U| at the encoding
  std::int64_t remaining = 0;  // CVRP: what the vehicle could still take at the encoding
  std::vector<NodeId> nodes;   // chosen, in order
  std::vector<std::uint8_t> via_depot;  // CVRP, a flag a node: reached by way of the depot
  double log_probability = 0;
};

struct Rollout {
  Solution solution;
  double log_probability = 0;  // of the untempered policy; forced steps count nothing
  double cost = 0;             // in the instance's own metric
  bool complete = true;        // false: the deadline came first, the rest was filled in unlearned
  std::vector<Segment> segments;  // scorer candidate only
};

// One step of a given path under the policy; see Engine::score_path.
struct StepScore {
  NodeId node;                  // what the path does
  bool via_depot = false;       // scorer candidate, CVRP
  double log_probability = 0;   // 0 if the path's choice was not among the candidates
  std::vector<NodeId> choices;  // what the policy could do, with the flag and the logit of each
  std::vector<std::uint8_t> via;
  std::vector<float> logits;
};

// Scorer candidate: how many steps are decoded from an encoding of `unvisited` nodes.
[[nodiscard]] std::size_t segment_steps(double reencode, std::size_t unvisited);

}  // namespace eco
