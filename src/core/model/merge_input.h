#pragma once
// States of a construction by merging as the network reads them: tokens with their features, scan
// orders and candidates (docs/model.md). States of different sizes lie one after the other, so that
// they are rows of the same products. Training and the engine both build their inputs here, so that
// they cannot differ.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/geometry/box.h"
#include "core/model/merge_features.h"
#include "core/ordering/ordering.h"
#include "core/problem/fragments.h"

namespace eco {

// Tokens of a state are its open nodes in Morton order, the depot before them where there is one.
// Rows count through all states.
struct MergeInput {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  bool depot = false;
  std::size_t width = 0;               // k: places for candidates
  std::vector<std::uint32_t> first;    // [states + 1] rows
  std::vector<NodeId> node;            // [tokens]
  std::vector<float> features;         // [tokens, token features]
  std::vector<std::uint32_t> hilbert;  // [tokens] Hilbert order, counted from the state's first
  std::vector<std::uint32_t> other;  // [tokens] row of the fragment's other end; itself if not open
  std::vector<std::uint8_t> count;   // [tokens] candidates; 0 for the depot
  // Nearest first, after the depot where there is one; kNone from `count` on.
  std::vector<std::uint32_t> candidates;  // [tokens, k] rows
  // Place of the same edge in the list of the other token, row * k + slot; kNone if it is not
  // there.
  std::vector<std::uint32_t> back;   // [tokens, k]
  std::vector<float> edge_features;  // [tokens, k, edge features], 0 from `count` on

  [[nodiscard]] std::size_t states() const { return first.empty() ? 0 : first.size() - 1; }
  [[nodiscard]] std::size_t tokens() const { return node.size(); }
  [[nodiscard]] std::size_t fixed() const {
    return depot ? 1 : 0;
  }  // candidates before the nearest
  // Empties it for states of this problem with at most `nearest` candidates that are nodes.
  void clear(bool has_depot, std::size_t nearest);
};

// An instance as one of the symmetries of the square shows it. Distances are the same to the bit;
// the orders along curves and the directions are others.
class View {
 public:
  // The instance must outlive it.
  explicit View(const Instance& instance, unsigned symmetry = 0);

  [[nodiscard]] std::span<const Point> points() const {
    return turned_.empty() ? instance_->points : std::span<const Point>(turned_);
  }
  [[nodiscard]] const Box& box() const { return box_; }

 private:
  const Instance* instance_;
  std::vector<Point> turned_;  // [nodes], where the symmetry moves them
  Box box_;
};

// Appends states to an input. Keeps its buffers; one serves one thread.
class MergeInputBuilder {
 public:
  // `nodes`: the open nodes that are seen; all of them if empty.
  void append(const Fragments& state, const View& view, std::span<const NodeId> nodes,
              MergeInput& input);

 private:
  void order_tokens(const Fragments& state, std::span<const NodeId> nodes, MergeInput& input);
  void find_candidates(const Fragments& state, MergeInput& input);
  void link_back(MergeInput& input);
  void describe_token(const Fragments& state, const Box& box, std::size_t token, MergeInput& input);
  void describe_edges(const Fragments& state, std::size_t token, MergeInput& input);

  // Of the state under way; tokens count from its first.
  std::span<const Point> all_;  // [nodes]
  std::size_t base_ = 0;        // row of the first token
  std::size_t length_ = 0;
  double smallest_scale_ = 0, mean_scale_ = 1;
  std::vector<NodeId> open_;
  std::vector<Point> points_;             // [length]
  std::vector<double> scale_;             // [length]
  std::vector<std::uint32_t> near_;       // [length, 8] tokens
  std::vector<std::uint32_t> token_of_;   // [nodes]
  std::vector<double> nearest_, second_;  // [length] to the nearest candidates
  std::vector<std::uint32_t> order_;
  std::vector<Point> unordered_;
  OrderBuffers buffers_;
};

}  // namespace eco
