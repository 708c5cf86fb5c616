#pragma once
// The part of the JSON schema that both instance files ("solution") and solution files share.

#include "io/json/value.h"
#include "io/output.h"

#include "core/instance/instance.h"

namespace eco::io {

[[nodiscard]] Solution solution_from(const JsonValue& value, const Instance& instance);

// `"tour":[...]` or `"routes":[[...],...]`, without braces.
void write_sequence(Output& output, const Instance& instance, const Solution& solution);

// The id of a node: a number, or a string where it has a name.
[[nodiscard]] std::string json_id(const Instance& instance, NodeId node);

// A JSON string with its quotes; bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace eco::io
