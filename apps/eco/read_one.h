#pragma once
// One instance of a file that may hold many.

#include <cstdint>
#include <optional>
#include <string>

#include "eco/verb.h"
#include "io/reader.h"

namespace CLI {
class Option;
}

namespace eco::cli {

// --index, which is given back.
CLI::Option* add_index_option(CLI::App& app, std::optional<std::uint64_t>& index);

// The first if none is named; then it is said if the file has more. Throws eco::Error: input if
// there is none at all, usage if there are too few.
[[nodiscard]] Instance read_one(io::InstanceReader& reader, const std::string& file,
                                std::optional<std::uint64_t> index, const Session& session);

}  // namespace eco::cli
