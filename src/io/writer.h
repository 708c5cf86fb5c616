#pragma once
// Writing instances and solutions. Files appear whole or not at all: everything goes to a temporary
// name beside the target, is synced, and renamed by commit(). Numbers round-trip exactly.

#include <memory>
#include <optional>
#include <string>

#include "core/instance/instance.h"
#include "io/output.h"
#include "io/reader.h"

namespace eco::io {

class InstanceWriter {
 public:
  virtual ~InstanceWriter() = default;  // without commit() nothing appears
  virtual void write(const Instance& instance) = 0;
  virtual void commit() = 0;
};

// The format follows the name (.tsp .vrp .txt .json .jsonl, each also with .gz) unless given; `-`
// is standard output, lines unless given. A TSPLIB or CVRPLIB file takes one instance; the second
// write() throws eco::Error (usage), as does a metric that the format cannot hold.
[[nodiscard]] std::unique_ptr<InstanceWriter> create_instances(const std::string& path,
                                                               ProblemKind kind,
                                                               std::optional<Format> format = {});

// What create_instances() takes from the name. Throws eco::Error (usage) if it tells no format.
[[nodiscard]] Format format_by_name(const std::string& path, ProblemKind kind);

// The bytes that an InstanceWriter adds for one instance.
[[nodiscard]] std::string instance_text(const Instance& instance, Format format);

// .tour (TSPLIB), .sol (CVRPLIB), .json, .csv or .geojson by the name; `-` is standard output in
// the first two.
enum class SolutionFormat : std::uint8_t { tour, sol, json, csv, geojson };
// Throws eco::Error (usage) if the name tells none that fits; without a problem, none at all.
SolutionFormat solution_format_by_name(const std::string& path, std::optional<ProblemKind> kind);

// Throws eco::Error (usage) if a solution of the instance cannot be written under the name.
void require_solution_format(const std::string& path, const Instance& instance);

// The solution is checked first: eco::Error (input) and no file if it is infeasible. A plan that
// only lacks vehicles is written: the caller says so.
void write_solution(const std::string& path, const Instance& instance, const Solution& solution);
// The same up to commit(), so that several files appear together or not at all.
[[nodiscard]] std::unique_ptr<Output> prepare_solution(const std::string& path,
                                                       const Instance& instance,
                                                       const Solution& solution);

}  // namespace eco::io
