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

bool JsonDocuments::more() {
  while (skip_to_text()) {
    const char c = rest_.front();
    const bool ended = state_ == State::after_element || state_ == State::after_array;
    if (c == '{' && !ended) return true;
    if (c == '[' && state_ == State::start) {
      state_ = State::in_array;
    } else if (c == ',' && state_ == State::after_element) {
      state_ = State::after_comma;
    } else if (c == ']' && (state_ == State::in_array || state_ == State::after_element)) {
      state_ = State::after_array;
    } else {
      throw input_.error(quoted(rest_), expected());
    }
    rest_.remove_prefix(1);
  }
  if (state_ == State::start || state_ == State::between_values || state_ == State::after_array) {
    return false;
  }
  throw input_.error("the end of the file", "']' at the end of the JSON array");
}

std::string_view JsonDocuments::expected() const {
  switch (state_) {
    case State::between_values:
      return "a JSON object or the end of the file";
    case State::after_element:
      return "',' or ']'";
    case State::after_array:
      return "the end of the file";
    case State::start:
    case State::in_array:
    case State::after_comma:
      break;
  }
  return "a JSON object";
}

std::optional<JsonDocuments::Document> JsonDocuments::next() {
  if (!more()) return std::nullopt;
  Document document;
  document.line = input_.where().line;
  take_object(document);
  const bool element = state_ == State::in_array || state_ == State::after_comma;
  state_ = element ? State::after_element : State::between_values;
  return document;
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
