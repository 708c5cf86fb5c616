#include <array>

#include "core/base/error.h"
#include "io/json/solution.h"
#include "io/json/value.h"
#include "io/node_ids.h"
#include "io/problem_formats.h"

namespace eco::path {

namespace {

constexpr std::array<std::string_view, 2> kKeys{"start", "end"};

std::optional<NodeId> end_from(const io::JsonValue& root, const char* key,
                               const io::IdIndex& index) {
  if (!root.has(key)) return std::nullopt;
  const io::JsonValue id = root[key];
  const auto node = id.is_text() ? index.find(id.text()) : index.find(id.integer());
  if (!node) id.fail("the id of a node");
  return NodeId(*node);
}

void read_ends(const io::JsonValue& root, Instance& instance) {
  const io::IdIndex index(instance);
  instance.start = end_from(root, "start", index);
  instance.end = end_from(root, "end", index);
}

void write_ends(io::Output& output, const Instance& instance) {
  const auto write = [&](std::string_view key, const std::optional<NodeId>& node) {
    if (!node) return;
    output << ",\"" << key << "\":" << io::json_id(instance, *node);
  };
  write("start", instance.start);
  write("end", instance.end);
}

void require_free_ends(const Instance& instance) {
  if (!instance.start && !instance.end) return;
  throw Error(ErrorKind::usage, "TSPLIB files have no place for the ends of a path; write .json");
}

}  // namespace

constinit const io::ProblemFormats formats{
    .library = io::Format::tsplib,
    .extension = ".tsp",
    .solution = io::SolutionFormat::tour,
    .solution_extension = ".tour",
    .sequence_key = "path",
    .json_keys = kKeys,
    .read_json = read_ends,
    .write_json = write_ends,
    .require_library = require_free_ends,
};

}  // namespace eco::path
