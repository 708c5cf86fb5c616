#pragma once
// What the fuzz targets do with a piece of arbitrary bytes, as plain functions: the tests replay
// the corpus through them. A parser may accept the bytes, and then everything it promises has to
// hold, or throw eco::Error of kind input with a printable message. Anything else ends the program.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "io/reader.h"
#include "io/safetensors.h"
#include "io/weights.h"

namespace eco::fuzz {

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

template <class Action>
void survive(Action action, bool usage = false) {
  try {
    action();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::input || (usage && error.kind() == ErrorKind::usage),
            "an error that is not of kind input");
    for (const char c : std::string_view(error.what())) {
      require(c >= 0x20 && c < 0x7f, "a message that is not printable");
    }
  }
}

// A table may ask for options that it was not given (usage).
inline void parse_instances(std::string_view bytes, const io::ReadOptions& options,
                            bool usage = false) {
  const auto parse = [&] {
    const auto reader = io::instances_in(bytes, "fuzz", options);
    for (bool more = reader->more();; more = reader->more()) {
      const auto instance = reader->next();
      require(instance.has_value() == more, "an instance that was not announced, or none that was");
      if (!instance) break;
      validate(*instance);
      const NodeId last(instance->size() - 1);
      require(std::isfinite(instance->distance(NodeId(0), last)), "a distance that is not finite");
      if (!instance->reference) continue;
      const CheckResult result = check(*instance, *instance->reference);
      require(result.feasible, "an infeasible reference");
      require(result.cost == instance->reference_cost, "a wrong reference cost");
    }
  };
  survive(parse, usage);
}

inline void parse_instances(std::string_view bytes, std::optional<io::Format> format) {
  io::ReadOptions options;
  options.format = format;
  parse_instances(bytes, options);
}

// As it is, and as one of orders with several ways to name the depot.
inline void parse_tables(std::string_view bytes) {
  io::ReadOptions orders;
  orders.format = io::Format::csv;
  parse_instances(bytes, orders, true);
  orders.capacity = 100;
  for (const char* depot : {"", "B", "2", "1.5,2"}) {
    orders.depot = depot;
    parse_instances(bytes, orders, true);
  }
}

// Against a TSP, one with free numbering, one with names, and a CVRP.
inline void parse_solutions(std::string_view bytes) {
  Instance tsp;
  tsp.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 2}};
  Instance labelled = tsp;
  labelled.labels = {10, -3, 7, 2, 1};
  Instance named = tsp;
  named.names = {"A", "B", "3", "x,\"y\"", "E"};
  Instance cvrp = tsp;
  cvrp.kind = ProblemKind::cvrp;
  cvrp.demands = {0, 3, 3, 2, 5};
  cvrp.capacity = 6;
  for (const Instance* instance : {&tsp, &labelled, &named, &cvrp}) {
    survive([&] {
      const Solution solution = io::solution_in(bytes, "fuzz", *instance);
      for (const NodeId node : solution.sequence) {
        require(node.index() < instance->size(), "a node that does not exist");
      }
      (void)check(*instance, solution);
    });
  }
}

// A container of tensors, and the same bytes as a model.
inline void parse_tensors(std::string_view bytes) {
  const auto data = std::as_bytes(std::span(bytes.data(), bytes.size()));
  survive([&] {
    const auto file = io::SafetensorsFile::parse(data, "fuzz");
    for (const auto& [name, tensor] : file.tensors()) {
      std::vector<float> values(tensor.elements());
      tensor.copy_to(values);
    }
  });
  survive([&] { (void)io::parse_weights(data, "fuzz"); });
}

using Target = void (*)(std::string_view);

inline const std::map<std::string, Target>& targets() {
  static const std::map<std::string, Target> all{
      {"tsplib", [](std::string_view bytes) { parse_instances(bytes, io::Format::tsplib); }},
      {"vrp", [](std::string_view bytes) { parse_instances(bytes, io::Format::cvrplib); }},
      {"tsp_lines", [](std::string_view bytes) { parse_instances(bytes, io::Format::tsp_lines); }},
      {"cvrp_lines",
       [](std::string_view bytes) { parse_instances(bytes, io::Format::cvrp_lines); }},
      {"json_instance", [](std::string_view bytes) { parse_instances(bytes, io::Format::json); }},
      {"vroom", [](std::string_view bytes) { parse_instances(bytes, io::Format::json); }},
      {"gz", [](std::string_view bytes) { parse_instances(bytes, std::nullopt); }},
      {"csv", parse_tables},
      {"plan_csv", parse_solutions},
      {"tour", parse_solutions},
      {"sol", parse_solutions},
      {"json_solution", parse_solutions},
      {"safetensors", parse_tensors},
  };
  return all;
}

}  // namespace eco::fuzz
