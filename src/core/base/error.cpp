#include "core/base/error.h"

namespace eco {

namespace {

std::string prefix(const Location& where) {
  if (where.file.empty()) return "";
  if (where.line == 0) return where.file + ": ";
  return where.file + ":" + std::to_string(where.line) + ": ";
}

}  // namespace

Error input_error(const Location& where, std::string_view found, std::string_view expected) {
  return {ErrorKind::input,
          prefix(where) + "found " + std::string(found) + ", expected " + std::string(expected)};
}

Error input_error(const Location& where, std::string_view message) {
  return {ErrorKind::input, prefix(where) + std::string(message)};
}

std::string Quoted::operator()(std::string_view text, std::size_t limit) const {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (out.size() > limit) {
      out += "...";
      break;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte < 0x7f) {
      out += text[i];
    } else {
      out += "\\x";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  return out + "'";
}

}  // namespace eco
