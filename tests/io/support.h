#pragma once
// What the tests of the readers share: parsing text, random instances.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "io/reader.h"
#include "temporary_folder.h"

namespace eco::io {

inline Instance parse(std::string_view text, const ReadOptions& options = {}) {
  auto instance = instances_in(text, "file", options)->next();
  if (!instance) throw Error(ErrorKind::input, "no instance");
  return std::move(*instance);
}

// The message of the error that `action` throws; fails if it throws none or of another kind.
template <class Action>
std::string message_of(Action action, ErrorKind kind = ErrorKind::input) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline std::string complaint(std::string_view text) {
  return message_of([&] {
    const auto reader = instances_in(text, "file");
    while (reader->next()) {
    }
  });
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void save(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline Instance random_instance(ProblemKind kind, std::size_t nodes, std::uint64_t seed) {
  Rng rng(seed, nodes);
  Instance instance;
  instance.kind = kind;
  for (std::size_t i = 0; i < nodes; ++i) {
    // Magnitudes from 1e-8 to 1e8: round trips have to hold for all of them.
    const double scale = std::pow(10.0, static_cast<double>(rng.between(-8, 8)));
    instance.points.push_back({scale * rng.uniform(-1, 1), scale * rng.uniform(-1, 1)});
  }
  if (kind == ProblemKind::cvrp) {
    instance.capacity = 9 + rng.below(100);
    for (std::size_t i = 0; i < nodes; ++i) {
      instance.demands.push_back(i == 0 ? 0 : rng.between(0, 9));
    }
  }
  return instance;
}

// Some feasible solution: nodes in random order, a new route whenever the vehicle is full.
inline Solution random_solution(const Instance& instance, std::uint64_t seed) {
  Rng rng(seed, 99);
  std::vector<NodeId> order;
  const bool cvrp = instance.kind == ProblemKind::cvrp;
  for (std::size_t i = cvrp ? 1 : 0; i < instance.size(); ++i) order.emplace_back(i);
  rng.shuffle(std::span<NodeId>(order));
  if (!cvrp) return {order};
  Routes routes(1);
  std::int64_t load = 0;
  for (const NodeId node : order) {
    const std::int64_t demand = instance.demands[node.index()];
    if (load + demand > instance.capacity) {
      routes.emplace_back();
      load = 0;
    }
    load += demand;
    routes.back().push_back(node);
  }
  return from_routes(routes);
}

inline void expect_same(const Instance& a, const Instance& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.comment, b.comment);
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.metric, b.metric);
  EXPECT_EQ(a.rounding, b.rounding);
  EXPECT_EQ(a.matrix, b.matrix);
  EXPECT_EQ(a.demands, b.demands);
  EXPECT_EQ(a.capacity, b.capacity);
  EXPECT_EQ(a.vehicles, b.vehicles);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.reference, b.reference);
}

}  // namespace eco::io
