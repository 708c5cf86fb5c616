#include "io/json/documents.h"

#include "io/scanner.h"

namespace eco::io {

bool JsonDocuments::skip_to_text() {
  for (;;) {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    if (!rest_.empty()) return true;
    const auto line = input_.line();
    if (!line) return false;
    rest_ = *line;
  }
}

std::optional<JsonDocuments::Document> JsonDocuments::next() {
  while (skip_to_text()) {
    const char c = rest_.front();
    if (c == '{' && state_ != State::after_element && state_ != State::after_array) {
      Document document;
      document.line = input_.where().line;
      take_object(document);
      state_ = state_ == State::in_array ? State::after_element : State::between_values;
      return document;
    }
    if ((c == '[' && state_ == State::start) || (c == ',' && state_ == State::after_element)) {
      state_ = State::in_array;
    } else if (c == ']' && (state_ == State::in_array || state_ == State::after_element)) {
      state_ = State::after_array;
    } else {
      throw input_.error(quoted(rest_), state_ == State::after_element ? "',' or ']'"
                                        : state_ == State::after_array ? "the end of the file"
                                                                       : "a JSON object");
    }
    rest_.remove_prefix(1);
  }
  if (state_ == State::in_array || state_ == State::after_element) {
    throw input_.error("the end of the file", "']' at the end of the JSON array");
  }
  return std::nullopt;
}

void JsonDocuments::take_object(Document& document) {
  std::size_t depth = 0;
  bool in_string = false, escaped = false;
  for (;;) {
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (in_string) {
        in_string = c != '"' || escaped;
        escaped = c == '\\' && !escaped;
      } else if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        if (++depth > kMaxDepth) {
          throw input_.error("JSON nested deeper than " + std::to_string(kMaxDepth) + " levels",
                             "an instance or a solution");
        }
      } else if ((c == '}' || c == ']') && --depth == 0) {
        document.text += rest_.substr(0, i + 1);
        rest_.remove_prefix(i + 1);
        return;
      }
    }
    document.text += rest_;
    document.text += '\n';
    if (document.text.size() > kMaxBytes) {
      throw input_.error("a JSON object of more than " + std::to_string(kMaxBytes) + " bytes",
                         "a smaller one");
    }
    const auto line = input_.line();
    if (!line) throw input_.error("the end of the file", "'}' at the end of the JSON object");
    rest_ = *line;
  }
}

}  // namespace eco::io
