#pragma once
// From what a file calls a node to the node. Without labels the nodes are called 1..n.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/base/ids.h"

namespace eco::io {

// Labels that say no more than their absence would.
[[nodiscard]] inline bool is_plain(std::span<const std::int64_t> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != static_cast<std::int64_t>(i + 1)) return false;
  }
  return true;
}

class LabelIndex {
 public:
  LabelIndex(std::span<const std::int64_t> labels, std::size_t nodes) : nodes_(nodes) {
    nodes_by_label_.reserve(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!nodes_by_label_.emplace(labels[i], i).second && !duplicate_) duplicate_ = labels[i];
    }
  }

  [[nodiscard]] std::optional<std::size_t> find(std::int64_t label) const {
    if (nodes_by_label_.empty()) {
      if (label < 1 || static_cast<std::uint64_t>(label) > nodes_) return std::nullopt;
      return static_cast<std::size_t>(label - 1);
    }
    const auto found = nodes_by_label_.find(label);
    if (found == nodes_by_label_.end()) return std::nullopt;
    return found->second;
  }
  // A label that two nodes carry, if there is one.
  [[nodiscard]] std::optional<std::int64_t> duplicate() const { return duplicate_; }

 private:
  std::size_t nodes_;
  std::unordered_map<std::int64_t, std::size_t> nodes_by_label_;
  std::optional<std::int64_t> duplicate_;
};

}  // namespace eco::io
