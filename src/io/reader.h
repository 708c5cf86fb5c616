#pragma once
// Reading instances and solutions from any supported file, streaming: one instance is in memory at
// a time. `.gz` is read transparently; `-` is standard input. The format is told from the content
// (and the name where content cannot tell), so a user never has to say it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/instance/instance.h"

namespace eco::io {

enum class Format : std::uint8_t { tsplib, cvrplib, tsp_lines, cvrp_lines, json, csv };

[[nodiscard]] std::string_view to_string(Format format);

struct ReadOptions {
  std::optional<Rounding> rounding;  // overrides the format's convention (coordinates only)
  std::optional<Format> format;      // skip detection
  // An instance with an infeasible solution is refused; false leaves that judgement to the caller.
  bool judge_reference = true;
  // Tables only (CSV): the capacity of a vehicle; the depot as an id, a row counted from 1, or its
  // coordinates "x,y" or "lat,lon".
  std::optional<std::int64_t> capacity;
  std::string depot;
  // At most so many routes, whatever the file says.
  std::optional<std::size_t> vehicles;
};

class InstanceReader {
 public:
  virtual ~InstanceReader() = default;
  // The next instance, validated, or nothing at the end. Throws eco::Error with file and line. A
  // solution in the file was checked too, and reference_cost is its recomputed cost.
  virtual std::optional<Instance> next() = 0;
  // Something follows what was read, without reading it. Throws eco::Error if it cannot be a
  // further instance.
  [[nodiscard]] virtual bool more() = 0;
  [[nodiscard]] virtual Format format() const = 0;
};

[[nodiscard]] std::unique_ptr<InstanceReader> open_instances(const std::string& path,
                                                             const ReadOptions& options = {});

// The same over bytes in memory, which the caller keeps alive; `name` stands for the file in
// messages.
[[nodiscard]] std::unique_ptr<InstanceReader> instances_in(std::string_view bytes,
                                                           const std::string& name,
                                                           const ReadOptions& options = {});

// A solution file (.tour, .sol, .json, or a plain list of node numbers) for a known instance, which
// supplies size and labels. Every node exists; whether the solution is feasible is check()'s to
// say.
[[nodiscard]] Solution read_solution(const std::string& path, const Instance& instance);
[[nodiscard]] Solution solution_in(std::string_view bytes, const std::string& name,
                                   const Instance& instance);

}  // namespace eco::io
