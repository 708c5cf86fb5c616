#pragma once
// Writing instances and solutions. Files appear whole or not at all: everything goes to a temporary
// name beside the target, is synced, and renamed by commit(). Numbers round-trip exactly.

#include <memory>
#include <string>

#include "core/instance/instance.h"
#include "io/reader.h"

namespace eco::io {

class InstanceWriter {
 public:
  virtual ~InstanceWriter() = default;  // without commit() nothing appears
  virtual void write(const Instance& instance) = 0;
  virtual void commit() = 0;
};

// The format follows the name (.tsp .vrp .txt .json, each also with .gz) unless given.
[[nodiscard]] std::unique_ptr<InstanceWriter> create_instances(const std::string& path,
                                                               ProblemKind kind,
                                                               std::optional<Format> format = {});

// .tour (TSPLIB), .sol (CVRPLIB) or .json by the name; `-` is standard output.
void write_solution(const std::string& path, const Instance& instance, const Solution& solution);

}  // namespace eco::io
