#pragma once
// What one thread needs to encode sub-problems and to decode ways through them. Used by
// RollingDecoder only.

#include <cstdint>
#include <deque>
#include <vector>

#include "core/base/deadline.h"
#include "core/infer/decode.h"
#include "core/model/candidate_scorer.h"
#include "core/model/candidates.h"
#include "core/model/decoder.h"
#include "core/model/encoder.h"
#include "core/model/packed.h"
#include "core/model/subproblem.h"

namespace eco {

// What a step can do: go on to a token, for the CVRP perhaps by way of the depot.
struct RollingAction {
  std::uint32_t token = 0;
  bool via_depot = false;
  friend bool operator==(const RollingAction&, const RollingAction&) = default;
};

// One way through an encoded sub-problem; what it holds was chosen since it parted from the others.
struct Lane {
  CandidateWalk walk;
  std::vector<NodeId> nodes;
  std::vector<std::uint8_t> via_depot;
  double log_probability = 0;
  double confidence = 0;       // sum of the log-probabilities that speak for it
  std::size_t decisions = 0;   // how many they are
  std::size_t steps_left = 0;  // 0: it waits for the others

  struct Opening {
    RollingAction action;
    double log_probability;
  };
  std::vector<Opening> openings;  // CVRP, where a route is complete: ways to begin the next one

  [[nodiscard]] double mean_confidence() const {
    return decisions == 0 ? 0 : confidence / static_cast<double>(decisions);
  }
};

// One sub-problem on its way from an encoding to the next.
struct Walk {
  SubProblem sub;
  std::size_t owner = 0;     // index of the rollout
  std::size_t first = 0;     // row of its first token
  std::size_t steps = 0;     // due before the next encoding
  std::size_t longest = 0;   // made at most, where a route may be finished beyond these
  std::size_t branches = 1;  // lanes in use; the first is the one that is kept
  std::vector<Lane> lanes;
  Segment segment;
  // TSP: the steps of the segment before the first that is put off, and their log-probability.
  std::size_t certain = 0;
  double certain_log_probability = 0;
};

// Buffers grow to the largest round and are kept. A slot is a lane of a walk; lanes of a walk have
// consecutive slots.
class RollingWork {
 public:
  explicit RollingWork(const PackedModel& packed)
      : model(packed), encoder_(packed), decoder_(packed), scorer_(packed) {}

  void clear(std::size_t candidates, std::size_t lanes);  // for a new round
  Walk& add_walk();
  [[nodiscard]] std::size_t walks() const { return used_; }
  [[nodiscard]] Walk& walk(std::size_t index) { return walks_[index]; }
  [[nodiscard]] Walk& walk_of(std::uint32_t slot) { return walks_[slot / lanes_]; }
  [[nodiscard]] Lane& lane_of(std::uint32_t slot) { return walk_of(slot).lanes[slot % lanes_]; }
  [[nodiscard]] std::uint32_t slot(std::size_t walk, std::size_t lane) const {
    return static_cast<std::uint32_t>(walk * lanes_ + lane);
  }

  // All walks from their beginning; false if the deadline came first.
  bool encode(const Deadline& deadline);
  // One step of the active slots: their candidates, and `logits` in the order of `active`.
  void step();
  // Makes a slot stand where another one stands. Both are of one walk.
  void copy(std::uint32_t from, std::uint32_t to);

  const PackedModel& model;
  std::vector<std::uint32_t> active;  // slots
  std::vector<float> logits;

 private:
  Encoder encoder_;
  Decoder decoder_;
  CandidateScorer scorer_;
  std::deque<Walk> walks_;  // the first `used_` belong to the round
  std::size_t used_ = 0, lanes_ = 1;
  std::size_t candidates_ = 0;  // a step
  std::vector<float> features_, h_, mean_, keys_, nodes_, bias_, destination_, base_, z_, dynamic_;
  std::vector<TokenSequence> sequences_;
  std::vector<std::vector<std::uint32_t>> rows_;  // token rows of the candidates, by active slot
  std::vector<CandidateSet> sets_;
};

}  // namespace eco
