// bench_expert_cvrp DIR [FILTER]: gap to the reference solutions and time per instance of the CVRP
// expert on one core, of the constructions and of local search, for DIR/cvrp{100,200,500,1000}.txt.
// FILTER picks rows whose name contains it. The budget of an expert row is wall-clock time, as a
// user gives it; the processor time beside it shows how much of that a busy machine left.

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
#include "problems/cvrp/expert/solve_cvrp.h"
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
    if (!instance->reference_cost) throw std::runtime_error(path + " has no reference costs");
    instances.push_back(std::move(*instance));
  }
  return instances;
}

struct Row {
  std::string name, file;
  std::size_t limit;  // instances
  double bar;         // gap in percent; 0: none
  std::function<Solution(const Instance&, std::size_t)> solve;
};

void run(const std::string& folder, const Row& row) {
  double gap = 0, cpu = 0;
  const auto instances = read_all(folder + "/" + row.file, row.limit);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const double start = cpu_seconds();
    const Solution solution = row.solve(instances[i], i);
    cpu += cpu_seconds() - start;
    gap += eco::gap_percent(eco::require_feasible(instances[i], solution),
                            *instances[i].reference_cost);
  }
  const auto count = static_cast<double>(instances.size());
  std::printf("%-28s %4zu instances  gap %7.3f%%", row.name.c_str(), instances.size(), gap / count);
  if (row.bar > 0) std::printf(" (bar %.1f%%)", row.bar);
  std::printf("  cpu %10.3f ms an instance\n", 1e3 * cpu / count);
  std::fflush(stdout);
}

Row expert(const std::string& size, double seconds, std::size_t limit, double bar) {
  const auto solve = [seconds](const Instance& instance, std::size_t i) {
    eco::CvrpExpertOptions options;
    options.seed = i + 1;
    options.deadline = eco::Deadline::after(seconds);
    return eco::solve_cvrp(instance, options);
  };
  char budget[32];
  std::snprintf(budget, sizeof budget, "%g s", seconds);
  return {"expert cvrp" + size + " " + budget, "cvrp" + size + ".txt", limit, bar, solve};
}

Row construction(const std::string& size, eco::ConstructMethod method) {
  const auto solve = [method](const Instance& instance, std::size_t) {
    return eco::construct(instance, method, 1);
  };
  return {std::string(to_string(method)) + " cvrp" + size, "cvrp" + size + ".txt", 64, 0, solve};
}

// Nearest neighbour and the local search on it, timed together.
Row searched(const std::string& size, eco::SearchMode mode) {
  const auto solve = [mode](const Instance& instance, std::size_t) {
    Solution solution = eco::construct(instance, eco::ConstructMethod::nearest_neighbour, 1);
    eco::LocalSearchOptions options;
    options.mode = mode;
    eco::local_search(instance, solution, options);
    return solution;
  };
  const std::string name = mode == eco::SearchMode::paper ? "paper" : "full";
  return {"nn + " + name + " search cvrp" + size, "cvrp" + size + ".txt", 64, 0, solve};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: %s DIR [FILTER]\n", argv[0]);
    return 2;
  }
  const std::string filter = argc == 3 ? argv[2] : "";
  std::vector<Row> rows;
  for (const std::string size : {"100", "200", "500", "1000"}) {
    rows.push_back(construction(size, eco::ConstructMethod::nearest_neighbour));
    rows.push_back(construction(size, eco::ConstructMethod::savings));
    rows.push_back(searched(size, eco::SearchMode::paper));
    rows.push_back(searched(size, eco::SearchMode::full));
  }
  rows.push_back(expert("100", 0.1, 64, 1.0));
  rows.push_back(expert("100", 2, 64, 0.3));
  rows.push_back(expert("200", 1, 32, 1.0));
  rows.push_back(expert("500", 3, 8, 0));
  rows.push_back(expert("500", 15, 8, 1.5));
  rows.push_back(expert("1000", 5, 4, 0));
  rows.push_back(expert("1000", 30, 4, 2.5));
  for (const Row& row : rows) {
    if (row.name.find(filter) != std::string::npos) run(argv[1], row);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
