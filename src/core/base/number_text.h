#pragma once
// Numbers as text, appended.

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace eco {

// The shortest form that reads back as the same bits.
inline void append_number(std::string& text, double value) {
  std::array<char, 32> buffer;
  text.append(buffer.data(),
              std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

inline void append_number(std::string& text, std::int64_t value) {
  std::array<char, 32> buffer;
  text.append(buffer.data(),
              std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

// The same bits again, without an exponent, which not every reader knows.
inline void append_fixed(std::string& text, double value) {
  std::array<char, 400> buffer;  // the longest such form of a double has under 350 characters
  text.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                           std::chars_format::fixed)
                                 .ptr);
}

}  // namespace eco
