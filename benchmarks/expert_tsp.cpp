// bench_expert_tsp DIR [FILTER]: gap to the reference tours and time per instance of the TSP expert
// on one core, and of the paper's local search, for DIR/tsp{100,200,500,1000,5000}.txt. FILTER
// picks rows whose name contains it. Wall-clock and processor time differ when the machine is busy:
// the budget of a row is wall-clock, so an idle core does at least as well.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/problem/check.h"
#include "core/search/construct/construct.h"
#include "core/search/local_search.h"
#include "io/reader.h"
#include "problems/tsp/expert/ils.h"
#include "times.h"

namespace {

using eco::Instance;
using eco::Solution;
using eco::times::cpu_seconds;

std::vector<Instance> read_all(const std::string& path, std::size_t limit) {
  std::vector<Instance> instances;
  const auto reader = eco::io::open_instances(path);
  while (instances.size() < limit) {
    auto instance = reader->next();
    if (!instance) break;
    instances.push_back(std::move(*instance));
  }
  return instances;
}

struct Row {
  std::string name;
  std::string file;
  std::size_t limit;  // instances
  double bar;         // gap in percent; 0: none
  std::function<Solution(const Instance&, std::size_t)> solve;
};

void run(const std::string& folder, const Row& row) {
  double gap = 0, wall = 0, cpu = 0;
  const auto instances = read_all(folder + "/" + row.file, row.limit);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Instance& instance = instances[i];
    if (!instance.reference) throw std::runtime_error(row.file + " has no reference tours");
    const double reference = eco::require_feasible(instance, *instance.reference);
    const auto wall_start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    const Solution tour = row.solve(instance, i);
    cpu += cpu_seconds() - cpu_start;
    wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
    gap += eco::gap_percent(eco::require_feasible(instance, tour), reference);
  }
  const auto count = static_cast<double>(instances.size());
  std::printf("%-34s %5zu  gap %7.4f%%", row.name.c_str(), instances.size(), gap / count);
  if (row.bar > 0) std::printf(" (bar %.1f%%)", row.bar);
  std::printf("  wall %10.3f ms  cpu %10.3f ms an instance\n", 1e3 * wall / count,
              1e3 * cpu / count);
  std::fflush(stdout);
}

Row expert_for(const std::string& size, double seconds, std::size_t limit, double bar) {
  const auto solve = [seconds](const Instance& instance, std::size_t i) {
    eco::IlsOptions options;
    options.seed = i;
    options.deadline = eco::Deadline::after(seconds);
    return eco::solve_tsp(instance, options);
  };
  char budget[32];
  std::snprintf(budget, sizeof budget, "%g s", seconds);
  return {"expert tsp" + size + " " + budget, "tsp" + size + ".txt", limit, bar, solve};
}

Row expert_default(const std::string& size, std::size_t limit) {
  const auto solve = [](const Instance& instance, std::size_t i) {
    eco::IlsOptions options;
    options.seed = i;
    return eco::solve_tsp(instance, options);
  };
  return {"expert tsp" + size + " default", "tsp" + size + ".txt", limit, 0, solve};
}

Row construction(const std::string& size, eco::ConstructMethod method, std::size_t limit) {
  const auto solve = [method](const Instance& instance, std::size_t i) {
    return eco::construct(instance, method, i);
  };
  return {std::string(to_string(method)) + " tsp" + size, "tsp" + size + ".txt", limit, 0, solve};
}

// Nearest neighbour and the local search on it, timed together.
Row searched(const std::string& size, eco::SearchMode mode, std::size_t limit) {
  const auto solve = [mode](const Instance& instance, std::size_t i) {
    Solution tour = eco::construct(instance, eco::ConstructMethod::nearest_neighbour, i);
    eco::LocalSearchOptions options;
    options.mode = mode;
    eco::local_search(instance, tour, options);
    return tour;
  };
  const std::string name = mode == eco::SearchMode::paper ? "paper" : "full";
  return {"nn + " + name + " search tsp" + size, "tsp" + size + ".txt", limit, 0, solve};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: %s DIR [FILTER]\n", argv[0]);
    return 2;
  }
  const std::string filter = argc == 3 ? argv[2] : "";
  std::vector<Row> rows;
  for (const std::string size : {"100", "1000", "5000"}) {
    rows.push_back(construction(size, eco::ConstructMethod::nearest_neighbour, 128));
    rows.push_back(construction(size, eco::ConstructMethod::random_insertion, 128));
    rows.push_back(construction(size, eco::ConstructMethod::farthest_insertion, 128));
    rows.push_back(searched(size, eco::SearchMode::paper, 128));
    rows.push_back(searched(size, eco::SearchMode::full, 128));
  }
  for (const std::string size : {"100", "200", "500", "1000"}) {
    rows.push_back(expert_default(size, 128));
  }
  rows.push_back(expert_for("100", 0.005, 128, 0.1));
  rows.push_back(expert_for("200", 0.05, 64, 0));
  rows.push_back(expert_for("500", 0.5, 16, 0));
  rows.push_back(expert_for("1000", 1, 16, 1.5));
  rows.push_back(expert_for("1000", 5, 8, 0.8));
  rows.push_back(expert_for("5000", 10, 2, 4));
  for (const Row& row : rows) {
    if (row.name.find(filter) != std::string::npos) run(argv[1], row);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
