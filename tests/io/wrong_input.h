#pragma once
// A table of inputs that must be refused, each with the exact message.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace eco::io {

struct Wrong {
  const char* what;  // becomes the name of the test
  std::string text;
  std::string message;
};

inline void PrintTo(const Wrong& wrong, std::ostream* out) {
  *out << wrong.what;
}

inline std::string name_of(const testing::TestParamInfo<Wrong>& info) {
  return info.param.what;
}

inline std::string without(std::string text, const std::string& part) {
  text.erase(text.find(part), part.size());
  return text;
}

inline std::string with(std::string text, const std::string& part, const std::string& other) {
  text.replace(text.find(part), part.size(), other);
  return text;
}

}  // namespace eco::io
