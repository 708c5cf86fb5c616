// eco check: judges solutions by the independent checker and gives their costs.

#include "core/problem/check.h"

#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "eco/options.h"
#include "eco/progress.h"
#include "eco/read_one.h"
#include "eco/reading_options.h"
#include "eco/rounding.h"
#include "eco/verb.h"
#include "io/reader.h"
#include "report/gap.h"
#include "report/recorded_costs.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kTolerance = 1e-6;  // relative, between a recorded and a recomputed cost

struct CheckOptions {
  std::string instance, solution, costs;
  std::optional<std::uint64_t> index;
  io::ReadOptions reading;
};

int check_one(const CheckOptions& options, const Session& session) {
  const auto reader = io::open_instances(options.instance, options.reading);
  const Instance instance = read_one(*reader, options.instance, options.index, session);
  warn_if_rounding_erases(session, instance);
  const CheckResult result = check(instance, io::read_solution(options.solution, instance));
  const bool depot = instance.has_depot();
  if (session.common().json) {
    Json json{{"instance", options.instance},
              {"solution", options.solution},
              {"problem", to_string(instance.kind)},
              {"nodes", instance.size()},
              {"metric", to_string(instance.metric)},
              {"rounding", rounding_name(instance.metric, instance.rounding)},
              {"feasible", result.feasible}};
    if (depot) json["capacity"] = instance.capacity;
    if (instance.vehicles) json["vehicles"] = *instance.vehicles;
    if (result.feasible) {
      json["cost"] = result.cost;
      if (depot) json["routes"] = result.routes;
      if (instance.reference_cost) {
        json["reference_cost"] = *instance.reference_cost;
        json["gap_percent"] = gap_percent(result.cost, *instance.reference_cost);
      }
    } else {
      json["reason"] = result.reason;
    }
    session.print("{}\n", json.dump());
  } else if (!result.feasible) {
    session.print("infeasible: {}\n", result.reason);
  } else {
    session.print("feasible, cost {} ({})", result.cost,
                  metric_text(instance.metric, instance.rounding));
    if (depot) session.print(", {} routes, capacity {}", result.routes, instance.capacity);
    if (instance.reference_cost) {
      session.print(", {:+.3f}% of the reference {}",
                    gap_percent(result.cost, *instance.reference_cost), *instance.reference_cost);
    }
    session.print("\n");
  }
  return result.feasible ? 0 : 1;
}

// What a pass over a file of solved instances found.
struct Tally {
  std::size_t instances = 0, solved = 0, feasible = 0, compared = 0, differing = 0;
  double cost_sum = 0, largest_difference = 0;
  std::string problem, metric;
  std::vector<std::string> complaints;

  void complain(std::string text) {
    constexpr std::size_t kShown = 10;
    if (complaints.size() < kShown) complaints.push_back(std::move(text));
  }
};

void compare(Tally& tally, std::size_t index, double cost,
             const std::map<std::size_t, double>& recorded) {
  const auto row = recorded.find(index);
  if (row == recorded.end()) return;
  ++tally.compared;
  const double difference = std::abs(cost - row->second) / std::max(std::abs(row->second), 1e-300);
  tally.largest_difference = std::max(tally.largest_difference, difference);
  if (difference <= kTolerance) return;
  ++tally.differing;
  tally.complain(fmt::format("instance {}: cost {}, recorded {}", index, cost, row->second));
}

Tally judge_all(const CheckOptions& options, const Session& session) {
  std::map<std::size_t, double> recorded;
  if (!options.costs.empty()) {
    recorded = read_recorded_costs(options.costs, options.instance);
  }
  io::ReadOptions reading = options.reading;
  reading.judge_reference = false;  // here an infeasible solution is an answer, not bad input
  const auto reader = io::open_instances(options.instance, reading);
  Tally tally;
  Progress progress(session, "check", recorded.size());
  while (const std::optional<Instance> instance = reader->next()) {
    session.throw_if_interrupted();
    progress.advance();
    const std::size_t index = tally.instances++;
    tally.problem = to_string(instance->kind);
    tally.metric = metric_text(instance->metric, instance->rounding);
    if (!instance->reference) continue;
    ++tally.solved;
    const CheckResult result = check(*instance, *instance->reference);
    if (!result.feasible) {
      tally.complain(fmt::format("instance {}: infeasible: {}", index, result.reason));
      continue;
    }
    ++tally.feasible;
    tally.cost_sum += result.cost;
    compare(tally, index, result.cost, recorded);
  }
  if (tally.compared < recorded.size()) {
    throw input_error({options.costs, 0}, fmt::format("{} rows about the file", recorded.size()),
                      fmt::format("{}, one for each feasible solution in it", tally.compared));
  }
  return tally;
}

int check_file(const CheckOptions& options, const Session& session) {
  const Tally tally = judge_all(options, session);
  if (tally.solved == 0) {
    throw input_error({options.instance, 0},
                      fmt::format("{} instances without a solution", tally.instances),
                      "instances that carry their solutions, or a second file with one");
  }
  const double mean = tally.feasible > 0 ? tally.cost_sum / static_cast<double>(tally.feasible) : 0;
  if (session.common().json) {
    Json json{{"file", options.instance},     {"problem", tally.problem},
              {"instances", tally.instances}, {"with_solution", tally.solved},
              {"feasible", tally.feasible},   {"mean_cost", mean},
              {"metric", tally.metric}};
    if (!options.costs.empty()) {
      json["compared"] = tally.compared;
      json["differing"] = tally.differing;
      json["largest_relative_difference"] = tally.largest_difference;
    }
    json["complaints"] = tally.complaints;
    session.print("{}\n", json.dump());
  } else {
    session.print("{}: {} of {} solutions feasible, mean cost {} ({})\n", options.instance,
                  tally.feasible, tally.solved, mean, tally.metric);
    if (!options.costs.empty()) {
      session.print("{}: {} of {} costs agree to {} relative, largest difference {:.1e}\n",
                    options.costs, tally.compared - tally.differing, tally.compared, kTolerance,
                    tally.largest_difference);
    }
    for (const std::string& complaint : tally.complaints) session.print("  {}\n", complaint);
  }
  return tally.feasible == tally.solved && tally.differing == 0 ? 0 : 1;
}

Body setup_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("instance", options->instance, "Instance file; - is stdin")->required();
  CLI::Option* solution =
      app.add_option("solution", options->solution,
                     "Solution file (.tour .sol .json .csv); without it, the solutions that the "
                     "instance file carries are checked");
  app.add_option("--costs", options->costs,
                 "CSV file (file,index,cost) to compare the recomputed costs with")
      ->excludes(solution);
  add_index_option(app, options->index)->needs(solution);
  add_reading_options(app, options->reading);
  return [options](const Session& session) {
    return options->solution.empty() ? check_file(*options, session) : check_one(*options, session);
  };
}

}  // namespace

Verb check_verb() {
  return {"check", "Judge solutions; exit code 1 and the reason if one is infeasible",
          "eco check city.vrp city.sol\n"
          "  eco check tsp100.txt --costs costs.csv",
          setup_check};
}

}  // namespace eco::cli
