#pragma once
// The JSON objects of a text, one at a time: a single object, one after the other (JSON Lines), or
// the elements of one array. Only the current object is in memory. Depth and size are bounded here,
// before anything is parsed.

#include <optional>
#include <string>
#include <string_view>

#include "io/text_input.h"

namespace eco::io {

class JsonDocuments {
 public:
  static constexpr std::size_t kMaxDepth = 16;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 30U;

  explicit JsonDocuments(TextInput& input) : input_(input) {}

  struct Document {
    std::string text;      // balanced in brackets, otherwise not checked
    std::size_t line = 0;  // where it starts
  };
  [[nodiscard]] std::optional<Document> next();
  // Another object follows, which is not read yet. Throws like next() if something else does.
  [[nodiscard]] bool more();

 private:
  enum class State { start, between_values, in_array, after_element, after_comma, after_array };

  [[nodiscard]] bool skip_to_text();  // false at the end of the input
  void take_object(Document& document);
  [[nodiscard]] std::string_view expected() const;  // what may come now, for messages

  TextInput& input_;
  std::string_view rest_;  // of the current line
  State state_ = State::start;
};

}  // namespace eco::io
