#pragma once
// The command line of a benchmark: numbers by position, each with a default. Anything else ends the
// program with its usage.

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace eco {

class Arguments {
 public:
  // `most`: how many there may be.
  Arguments(int argc, char** argv, int most, const char* usage)
      : argc_(argc), argv_(argv), usage_(usage) {
    if (argc - 1 > most) refuse(argv[most + 1]);
  }

  // Argument i, from 1, which must be a whole number above 0; `otherwise` if it is not there.
  [[nodiscard]] std::size_t count(int i, std::size_t otherwise) const {
    if (argc_ <= i) return otherwise;
    std::size_t value = 0;
    const char* end = argv_[i] + std::strlen(argv_[i]);
    const auto [stop, error] = std::from_chars(argv_[i], end, value);
    if (error != std::errc{} || stop != end || value == 0) refuse(argv_[i]);
    return value;
  }

 private:
  [[noreturn]] void refuse(const char* argument) const {
    std::fprintf(stderr, "'%s' was not expected\nusage: %s\n", argument, usage_);
    std::exit(2);
  }

  int argc_;
  char** argv_;
  const char* usage_;
};

}  // namespace eco
