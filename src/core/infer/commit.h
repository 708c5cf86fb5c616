#pragma once
// Which links a round of merging makes (docs/model.md). An edge is as sure as both its ends are of
// it. Edges are gone through from the surest on; above `sure` one is made at once, any other only
// where nothing surer was near: it then blocks its surroundings, made or not. So every place
// decides its surest edge and waits for the next encoding, while places that do not see each other
// decide in the same round.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/infer/decode.h"
#include "core/model/merge_input.h"

namespace eco {

struct CommitRule {
  double sure = 0.98;              // edges above are made and block nothing; above 1: none are
  std::size_t neighbourhood = 12;  // how many of the nearest candidates an edge blocks at each end
  // While more than this share of the nodes is open, the two below stand in for the two above.
  double early = 1;
  double early_sure = 0.8;
  std::size_t early_neighbourhood = 6;
  double temperature = 0;  // of the Gumbel noise on the logarithm of the confidence
};

// What a temperature of 1 means to users: so much of it for the rule.
inline constexpr double kNoise = 0.05;

[[nodiscard]] CommitRule rule_of(Effort effort);

// The candidates of the open nodes of one state with their log-probabilities: rows of a MergeInput.
struct Choices {
  bool depot = false;
  std::size_t width = 0;                      // k
  std::uint32_t base = 0;                     // number of the first row
  std::span<const NodeId> node;               // [rows]
  std::span<const std::uint8_t> count;        // [rows]
  std::span<const std::uint32_t> candidates;  // [rows, k]
  std::span<const std::uint32_t> back;        // [rows, k]
  std::span<const float> log_probabilities;   // [rows, k]
};

[[nodiscard]] Choices choices_of(const MergeInput& input, std::size_t state,
                                 std::span<const float> log_probabilities);

// Makes the links of a round. One serves one thread.
class Committer {
 public:
  // `allowed` (if given) is asked before a link is made; one that it refuses still blocks. `rng` is
  // for a rule with a temperature. The links made are in merges() until the next call.
  void commit(Fragments& state, const Choices& choices, const CommitRule& rule, Rng* rng = nullptr,
              const std::function<bool(NodeId, NodeId)>& allowed = {});
  [[nodiscard]] std::span<const Merge> merges() const { return merges_; }

 private:
  struct Candidate {
    float confidence;
    std::uint32_t row, slot;
  };
  void rank(const Fragments& state, const Choices& choices, const CommitRule& rule, Rng* rng);

  std::vector<Candidate> ranked_;
  std::vector<unsigned char> blocked_;
  std::vector<Merge> merges_;
};

// Finishes without the policy what a deadline cut short: the shortest legal links between near
// ends first (CVRP: the largest savings), until one path or no gain is left.
void link_greedily(Fragments& state);

}  // namespace eco
