#include "eco/read_one.h"

#include "core/base/error.h"
#include "eco/options.h"

namespace eco::cli {

CLI::Option* add_index_option(CLI::App& app, std::optional<std::uint64_t>& index) {
  return add_count(app, "--index", index, {}, "Which instance of the file, from 0 [the first]");
}

Instance read_one(io::InstanceReader& reader, const std::string& file,
                  std::optional<std::uint64_t> index, const Session& session) {
  for (std::uint64_t skipped = 0;; ++skipped) {
    std::optional<Instance> instance = reader.next();
    if (!instance && skipped == 0) throw input_error({file, 0}, "no instance in the file");
    if (!instance) {
      throw Error(ErrorKind::usage, fmt::format("{}: --index {}, but the file has {} instance{}",
                                                file, *index, skipped, skipped == 1 ? "" : "s"));
    }
    if (skipped < index.value_or(0)) continue;
    // Asked in any case: it finds out what cannot be an instance.
    if (reader.more() && !index) {
      session.log(LogLevel::info,
                  "{}: only the first of several instances; --index chooses another", file);
    }
    return *std::move(instance);
  }
}

}  // namespace eco::cli
