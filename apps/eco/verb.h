#pragma once
// What a verb of the command line is: a name, two lines of help, and a function that adds its
// options and returns its body. A new verb is one file with `Verb NAME_verb()` and one line in the
// table of main.cpp; help, completion, common options and exit codes come with it.
//
// A body returns 0 (done) or 1 (the answer is no) and throws eco::Error for everything else. It
// prints results with Session::print (stdout) and the rest with log and Progress (stderr).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace CLI {
class App;  // kept out of the headers: CLI11 takes seconds to compile
}

namespace eco::cli {

enum class LogLevel : std::uint8_t { error, warn, info, debug };

// The options that every verb has. Those that mean nothing to a verb do no harm there, so that
// scripts can set them once for all.
struct CommonOptions {
  std::uint64_t seed = 1234;
  std::size_t threads = 0;  // 0: one per core
  bool json = false;
  bool quiet = false;
  bool progress = false;  // show it even if stderr is not a terminal
  LogLevel log_level = LogLevel::info;
};

class Session {
 public:
  Session(const CommonOptions& common, std::stop_token stop)
      : common_(common), stop_(std::move(stop)) {}

  [[nodiscard]] const CommonOptions& common() const { return common_; }
  // Requested by the first Ctrl-C: finish what can be kept, then throw_if_interrupted().
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  void throw_if_interrupted() const;  // eco::Error (interrupted)

  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) const {
    write_result(fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) const {
    if (logs(level)) write_log(fmt::format(format, std::forward<Args>(args)...));
  }
  [[nodiscard]] bool logs(LogLevel level) const {
    return level <= (common_.quiet ? LogLevel::error : common_.log_level);
  }

 private:
  static void write_result(std::string_view text);
  static void write_log(std::string_view text);

  const CommonOptions& common_;
  std::stop_token stop_;
};

using Body = std::function<int(const Session&)>;

struct Verb {
  std::string_view name;
  std::string_view summary;    // one line of `eco --help`
  std::string_view example;    // shown at the end of `eco NAME --help`; lines of commands
  Body (*setup)(CLI::App&);    // options live in the body, which may be called once
  bool common_options = true;  // false for verbs that only print or hand over
};

[[nodiscard]] std::span<const Verb> all_verbs();

}  // namespace eco::cli
