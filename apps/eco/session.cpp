#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/base/error.h"
#include "eco/verb.h"

namespace eco::cli {

void Session::throw_if_interrupted() const {
  if (stop_.stop_requested()) throw Error(ErrorKind::interrupted, "interrupted");
}

void Session::write_result(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    throw Error(ErrorKind::resource, std::string("cannot write to stdout: ") + strerror(errno));
  }
}

void Session::write_log(std::string_view text) {
  (void)std::fprintf(stderr, "eco: %.*s\n", static_cast<int>(text.size()), text.data());
}

}  // namespace eco::cli
