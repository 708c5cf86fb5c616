#pragma once
// What a problem is in files: the names of its formats, how a line of it is read and written, and
// what its JSON has beside nodes, a depot and vehicles.

#include <optional>
#include <span>
#include <string_view>

#include "core/instance/instance.h"
#include "io/output.h"
#include "io/reader.h"
#include "io/text_input.h"
#include "io/writer.h"

namespace eco::io {

class JsonValue;

struct ProblemFormats {
  Format library;              // a file in the manner of TSPLIB, TYPE as ProblemFacts::tsplib
  std::string_view extension;  // of it: ".tsp"
  SolutionFormat solution;
  std::string_view solution_extension;
  const char* sequence_key = nullptr;  // of a solution in JSON, without a depot: "tour"

  // One instance a line, where there is such a format.
  std::optional<Format> lines = {};
  Instance (*read_line)(std::string_view line, const TextInput& input,
                        const ReadOptions& options) = nullptr;
  void (*write_line)(Output& output, const Instance& instance) = nullptr;

  // Where it has keys of its own in JSON: read when nodes and labels are known, written behind
  // them (with a comma before each).
  std::span<const std::string_view> json_keys = {};
  void (*read_json)(const JsonValue& root, Instance& instance) = nullptr;
  void (*write_json)(Output& output, const Instance& instance) = nullptr;
  // Throws eco::Error (usage) for what its library file cannot say.
  void (*require_library)(const Instance& instance) = nullptr;
};

}  // namespace eco::io

namespace eco {

ECO_PROBLEM_TABLE(io::ProblemFormats, formats)

}  // namespace eco

namespace eco::io {

// Of data that do not say which problem they are: the first one that has a depot, or has none.
[[nodiscard]] inline ProblemKind first_problem(bool depot) {
  for (const ProblemKind kind : kProblems) {
    if (facts_of(kind).depot == depot) return kind;
  }
  return kProblems.front();
}

[[nodiscard]] inline const ProblemFormats& formats_of(ProblemKind kind) {
  return *problem_formats[index_of(kind)];
}

}  // namespace eco::io
