#pragma once
// Ids of nodes as a file gives them, on their way into an instance and back. Whole numbers become
// labels; as soon as one id is anything else, all of them are names.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/instance/instance.h"
#include "io/label_index.h"

namespace eco::io {

// The number that is written exactly so: "7", not "07" or "+7".
[[nodiscard]] inline std::optional<std::int64_t> plain_integer(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc{} || stop != end || std::to_string(value) != text) return std::nullopt;
  return value;
}

class NodeIds {
 public:
  [[nodiscard]] std::size_t size() const { return named_ ? names_.size() : labels_.size(); }

  void add(std::int64_t label) {
    if (named_) {
      names_.push_back(std::to_string(label));
    } else {
      labels_.push_back(label);
    }
  }
  void add(std::string name) {
    if (!named_) {
      named_ = true;
      for (const std::int64_t label : labels_) names_.push_back(std::to_string(label));
      labels_.clear();
    }
    names_.push_back(std::move(name));
  }
  // Text that may be a number.
  void add_text(std::string_view text) {
    if (const auto number = plain_integer(text)) {
      add(*number);
    } else {
      add(std::string(text));
    }
  }

  // An id that two nodes carry, if there is one, and the second of them.
  [[nodiscard]] std::optional<std::pair<std::string, std::size_t>> duplicate() const {
    if (!named_) return first_twice(labels_, [](std::int64_t id) { return std::to_string(id); });
    return first_twice(names_, [](const std::string& id) { return id; });
  }

  void give_to(Instance& instance) && {
    instance.names = std::move(names_);
    if (!is_plain(labels_)) instance.labels = std::move(labels_);
  }

 private:
  template <class Id, class Text>
  static std::optional<std::pair<std::string, std::size_t>> first_twice(const std::vector<Id>& ids,
                                                                        Text text) {
    std::unordered_map<Id, std::size_t> seen;
    seen.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!seen.emplace(ids[i], i).second) return std::pair{text(ids[i]), i};
    }
    return std::nullopt;
  }

  bool named_ = false;
  std::vector<std::int64_t> labels_;
  std::vector<std::string> names_;
};

// From an id to the node.
class IdIndex {
 public:
  explicit IdIndex(const Instance& instance)
      : labels_(instance.labels, instance.size()), named_(!instance.names.empty()) {
    for (std::size_t i = 0; i < instance.names.size(); ++i) names_.emplace(instance.names[i], i);
  }

  [[nodiscard]] std::optional<std::size_t> find(std::int64_t id) const {
    return named_ ? find_name(std::to_string(id)) : labels_.find(id);
  }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const {
    if (named_) return find_name(std::string(id));
    const auto number = plain_integer(id);
    return number ? labels_.find(*number) : std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> find_name(const std::string& id) const {
    const auto found = names_.find(id);
    if (found == names_.end()) return std::nullopt;
    return found->second;
  }

  LabelIndex labels_;
  bool named_;
  std::unordered_map<std::string, std::size_t> names_;
};

}  // namespace eco::io
