// What is written is read back as the same bits, in every format.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/problem/check.h"
#include "io/support.h"
#include "io/writer.h"
#include "paths.h"

namespace eco::io {
namespace {

void write_all(const std::string& path, const std::vector<Instance>& instances,
               std::optional<Format> format = {}) {
  const auto writer = create_instances(path, instances.front().kind, format);
  for (const Instance& instance : instances) writer->write(instance);
  writer->commit();
}

std::vector<Instance> read_all(const std::string& path) {
  std::vector<Instance> instances;
  const auto reader = open_instances(path);
  while (auto instance = reader->next()) instances.push_back(std::move(*instance));
  return instances;
}

void expect_round_trip(const std::string& name, const std::vector<Instance>& instances) {
  const TemporaryFolder folder;
  write_all(folder.path(name), instances);
  EXPECT_EQ(folder.files(), 1U);
  const auto back = read_all(folder.path(name));
  ASSERT_EQ(back.size(), instances.size()) << name;
  for (std::size_t i = 0; i < back.size(); ++i) {
    expect_same(instances[i], back[i]);
    if (back[i].reference) {
      EXPECT_EQ(back[i].reference_cost, check(instances[i], *instances[i].reference).cost);
    }
  }
}

std::vector<Instance> solved(ProblemKind kind) {
  std::vector<Instance> instances;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    auto& instance = instances.emplace_back(random_instance(kind, 2 + seed, seed));
    if (seed % 3 != 0) instance.reference = random_solution(instance, seed);
  }
  return instances;
}

TEST(RoundTrip, OfManyInstancesAFileKeepsEveryBit) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const char* name : {"a.txt", "a.txt.gz", "a.json", "a.jsonl.gz"}) {
      SCOPED_TRACE(name);
      expect_round_trip(name, solved(kind));
    }
  }
}

// The metrics, roundings, labels and texts that TSPLIB and JSON can both say.
std::vector<Instance> variety() {
  std::vector<Instance> instances;
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    for (const Rounding rounding :
         {Rounding::none, Rounding::nint, Rounding::ceil, Rounding::trunc}) {
      auto& instance = instances.emplace_back(random_instance(kind, 7, instances.size()));
      instance.rounding = rounding;
      instance.name = "n7";
      instance.comment = "first line\nsecond : line";
    }
    for (const Metric metric : {Metric::att, Metric::geo, Metric::matrix}) {
      auto& instance = instances.emplace_back(random_instance(kind, 6, instances.size()));
      instance.metric = metric;
      instance.labels = {4, 1, 2, 3, 5, 6};
      if (metric == Metric::geo) {
        for (std::size_t i = 0; i < 6; ++i) {
          const double ten = 10 * static_cast<double>(i);
          instance.points[i] = {i % 2 == 0 ? ten + 0.59 : -ten - 0.07, -3 * ten - 0.3};
        }
      }
      if (metric != Metric::matrix) continue;
      instance.matrix.assign(36, 0.0);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          instance.matrix[i * 6 + j] = instance.matrix[j * 6 + i] =
              static_cast<double>(10 * i + j) / 7;
        }
      }
      if (kind == ProblemKind::tsp) instance.labels.clear();
      Instance without_points = instance;
      without_points.points.clear();
      instances.push_back(without_points);
    }
    if (kind == ProblemKind::cvrp) {
      instances.emplace_back(random_instance(kind, 5, 8)).vehicles = 5;
    }
    auto& labelled = instances.emplace_back(random_instance(kind, 4, 3));
    labelled.labels = {-70, 900, 0, 9'000'000'000'000};
  }
  return instances;
}

TEST(RoundTrip, OfOneInstanceAFileKeepsMetricLabelsAndTexts) {
  for (const Instance& instance : variety()) {
    const std::string extension = instance.kind == ProblemKind::tsp ? ".tsp" : ".vrp";
    for (const std::string& name :
         {"a" + extension, "a" + extension + ".gz", std::string("a.json")}) {
      SCOPED_TRACE(name + " " + std::string(to_string(instance.metric)));
      expect_round_trip(name, {instance});
    }
  }
}

TEST(RoundTrip, OfASolutionKeepsItsSequence) {
  const TemporaryFolder folder;
  for (const Instance& instance : variety()) {
    const Solution solution = random_solution(instance, 5);
    const std::string extension = instance.kind == ProblemKind::tsp ? ".tour" : ".sol";
    for (const std::string& name : {"s" + extension, "s" + extension + ".gz", std::string("s.json"),
                                    std::string("s.json.gz")}) {
      SCOPED_TRACE(name);
      write_solution(folder.path(name), instance, solution);
      EXPECT_EQ(read_solution(folder.path(name), instance), solution);
    }
  }
}

TEST(RoundTrip, OfTheReferenceSetsIsExact) {
  for (const std::string name : {"tsp100.txt", "cvrp100.txt"}) {
    expect_round_trip(name, read_all(data_path("dev/" + name)));
  }
}

TEST(RoundTrip, GzipIsReallyCompressed) {
  const TemporaryFolder folder;
  const auto instances = read_all(data_path("dev/tsp100.txt"));
  write_all(folder.path("a.txt"), instances);
  write_all(folder.path("a.txt.gz"), instances);
  EXPECT_EQ(content(folder.path("a.txt.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_LT(content(folder.path("a.txt.gz")).size(), content(folder.path("a.txt")).size() * 6 / 10);
}

}  // namespace
}  // namespace eco::io
