#pragma once
// Reading instances and solutions from any supported file, streaming: one instance is in memory at
// a time. `.gz` is read transparently; `-` is standard input. The format is told from the content
// (and the name where content cannot tell), so a user never has to say it.

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "core/instance/instance.h"

namespace eco::io {

enum class Format : std::uint8_t { tsplib, cvrplib, tsp_lines, cvrp_lines, json };

[[nodiscard]] std::string_view to_string(Format format);

struct ReadOptions {
  std::optional<Rounding> rounding;  // overrides the format's convention (coordinates only)
  std::optional<Format> format;      // skip detection
};

class InstanceReader {
 public:
  virtual ~InstanceReader() = default;
  // The next instance, validated, or nothing at the end. Throws eco::Error with file and line.
  virtual std::optional<Instance> next() = 0;
  [[nodiscard]] virtual Format format() const = 0;
};

[[nodiscard]] std::unique_ptr<InstanceReader> open_instances(const std::string& path,
                                                             const ReadOptions& options = {});

// The first (or only) instance of a file; an error if there is none.
[[nodiscard]] Instance read_instance(const std::string& path, const ReadOptions& options = {});

// A solution file (.tour, .sol, .json) for a known instance, which supplies size and labels.
[[nodiscard]] Solution read_solution(const std::string& path, const Instance& instance);

}  // namespace eco::io
