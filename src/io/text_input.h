#pragma once
// Lines of a text input with their numbers. A line is a view into one large buffer, so that nothing
// is copied; memory is bounded by the longest line, and lines above kMaxLine are refused. LF and
// CRLF line ends and a UTF-8 byte order mark are taken away.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "io/byte_source.h"

namespace eco::io {

class TextInput {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{1} << 30U;

  TextInput(std::unique_ptr<ByteSource> source, std::string name);

  // The start of the unread text, at least up to its first non-blank character if one comes soon.
  [[nodiscard]] std::string_view head();

  // The next line without its end, valid until the next call; nothing at the end.
  [[nodiscard]] std::optional<std::string_view> line();
  // Makes the next call of line() return the last line once more.
  void unread() { again_ = true; }

  // Of the last line returned.
  [[nodiscard]] Location where() const { return {name_, number_}; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Error error(std::string_view found, std::string_view expected) const {
    return input_error(where(), found, expected);
  }
  [[nodiscard]] Error error(std::string_view message) const {
    return input_error(where(), message);
  }

 private:
  bool fill();       // more bytes behind the unread ones; false at the end
  void skip_mark();  // the byte order mark, at the very start only

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // unread part of the buffer
  std::string_view last_;
  std::size_t number_ = 0;
  bool again_ = false;
  bool ended_ = false;
  bool started_ = false;
};

}  // namespace eco::io
