#pragma once
// Instances and solutions as JSON; docs/formats.md has the schema. Any text can be thrown at the
// readers: depth, size, types, keys and ranges are all checked.

#include "core/instance/instance.h"
#include "io/json/documents.h"
#include "io/output.h"
#include "io/reader.h"

namespace eco::io {

[[nodiscard]] Instance read_json_instance(const JsonDocuments::Document& document,
                                          const std::string& file, const ReadOptions& options);
// One line.
void write_json_instance(Output& output, const Instance& instance);

// {"tour": [...]} or {"routes": [[...], ...]}, also as the member "solution" of an instance; a
// route may be an object with "stops". Nodes go by the instance's ids.
[[nodiscard]] Solution read_json_solution(const JsonDocuments::Document& document,
                                          const std::string& file, const Instance& instance);
void write_json_solution(Output& output, const Instance& instance, const Solution& solution,
                         double cost);

}  // namespace eco::io
