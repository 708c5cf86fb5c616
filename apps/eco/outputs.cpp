#include "eco/outputs.h"

#include <filesystem>

#include "core/base/error.h"
#include "io/atomic_file.h"

namespace eco::cli {

namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code problem;
  if (std::filesystem::equivalent(a, b, problem)) return true;
  // Files that are not there yet are told by their names.
  const auto full_a = std::filesystem::weakly_canonical(a, problem);
  const auto full_b = std::filesystem::weakly_canonical(b, problem);
  return !full_a.empty() && full_a == full_b;
}

// Something that a file can be written over, unlike /dev/null.
bool can_be_lost(const std::string& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

}  // namespace

void check_outputs(std::span<const NamedFile> inputs, std::span<const NamedFile> outputs,
                   const Session& session) {
  std::string on_stdout = session.common().json ? "--json" : "";
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    if (path == "-") {
      if (!on_stdout.empty()) {
        throw Error(ErrorKind::usage,
                    fmt::format("{} and {} - do not go together: stdout takes one of them",
                                on_stdout, option));
      }
      on_stdout = option + " -";
      continue;
    }
    for (const NamedFile& input : inputs) {
      if (input.path.empty() || input.path == "-" || !same_file(input.path, path)) continue;
      if (!can_be_lost(path)) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} {}: this is the input, which would be lost", option, path));
    }
    for (const NamedFile& other : outputs.first(i)) {
      if (other.path.empty() || other.path == "-" || !same_file(other.path, path)) continue;
      if (!can_be_lost(path)) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("{} and {} name the same file, {}", other.option, option, path));
    }
    io::AtomicFile::require_creatable(path);
  }
}

}  // namespace eco::cli
