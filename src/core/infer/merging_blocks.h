#pragma once
// A large state as the network sees it: in blocks of neighbouring open nodes, each with a rim of
// nodes around it that are seen but not decided. Memory and time are linear in the nodes, blocks
// are independent, and what the network sees is never larger than what it was trained on.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/infer/commit.h"

namespace eco {

class BlockedChoices {
 public:
  BlockedChoices(bool depot, std::size_t nearest, std::size_t block_nodes);

  // Divides the open nodes of a state; returns the number of blocks. Past the deadline the blocks
  // are not usable.
  std::size_t divide(const Fragments& state, const Deadline& deadline);
  // The nodes of a block, then its rim.
  [[nodiscard]] std::span<const NodeId> seen_in(std::size_t block) const { return seen_[block]; }
  // What the network said of a block. Blocks may come from several threads.
  void take(std::size_t block, const MergeInput& input, std::span<const float> log_probabilities);
  // All blocks together.
  [[nodiscard]] Choices view();

 private:
  void add_rims(const Fragments& state, const Deadline& deadline);

  bool depot_;
  std::size_t width_, block_nodes_;
  std::vector<NodeId> node_;        // row -> node
  std::vector<std::uint32_t> row_;  // node -> row; only of open nodes
  std::vector<std::size_t> first_;  // rows of each block, [blocks + 1]
  std::vector<std::vector<NodeId>> seen_;
  std::vector<std::uint8_t> count_;
  std::vector<std::uint32_t> candidates_, back_;
  std::vector<float> log_probabilities_;
};

}  // namespace eco
