#pragma once
// The text of a training config: `key = value` lines, `#` comments, `[section]` as a prefix for the
// keys below it, and `include = other.conf` (relative to the file that says it). Later lines win
// over earlier ones and over everything included.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace eco::train {

struct ConfigEntry {
  std::string key;  // full, with its section: "sft.rate"
  std::string value;
  Location where;
};

// All entries in the order in which they apply, includes already put in place.
[[nodiscard]] std::vector<ConfigEntry> read_config_file(const std::string& path);

// Throws eco::Error with the message and where the entry stands: usage for the command line, input
// for a file.
[[noreturn]] void refuse(const ConfigEntry& entry, const std::string& message);

// One `key=value` of the command line.
[[nodiscard]] ConfigEntry parse_override(std::string_view text);

}  // namespace eco::train
