// eco bench solve: what a user gets for the time, method beside method on the same instances; a gap
// to the costs of --costs, else to those in the files, else to the best of this run.

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/error.h"
#include "eco/bench.h"
#include "io/reader.h"
#include "report/gap.h"
#include "report/recorded_costs.h"
#include "report/table.h"
#include "solver/plan.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

// A row of the table is one of these at one time limit; a construction takes what it takes.
struct Contender {
  std::string name, method;
  std::string expert = "auto";
  Beginning beginning = Beginning::by_size;
  bool takes_time = true;
};

struct BenchRun {
  double cost = 0, seconds = 0;
};

struct ContenderRow {
  Contender contender;
  std::optional<double> limit;
  std::vector<BenchRun> runs;  // by instance
};

std::vector<Contender> contenders(const BenchOptions& options, const Instance& first) {
  std::vector<Contender> all{
      {"auto", "auto"},
      {"policy, then search", "auto", "auto", Beginning::policy},
      {"expert", "expert"},
      {"policy", "policy", "auto", Beginning::by_size, false},
      {first.has_depot() ? "savings" : "insertion", first.has_depot() ? "savings" : "insertion",
       "auto", Beginning::by_size, false}};
  if (!options.program.empty()) {
    all.push_back({options.program, "expert", options.program});
  }
  return all;
}

std::vector<Instance> read_cases(const BenchOptions& options) {
  std::vector<Instance> instances;
  for (const std::string& file : options.files) {
    const auto reader = io::open_instances(file);
    std::vector<Instance> all;
    while (all.size() < options.count) {
      std::optional<Instance> instance = reader->next();
      if (!instance) break;
      if (instance->name.empty()) instance->name = file;
      all.push_back(std::move(*instance));
    }
    if (!options.costs.empty()) {
      for (const auto& [index, cost] : read_recorded_costs(options.costs, file)) {
        if (index < all.size()) all[index].reference_cost = cost;
      }
    }
    std::move(all.begin(), all.end(), std::back_inserter(instances));
  }
  if (instances.empty()) {
    throw Error(ErrorKind::usage, "solve needs files of instances: eco bench solve *.vrp");
  }
  for (const Instance& instance : instances) {
    if (instance.kind == instances[0].kind) continue;
    throw Error(ErrorKind::usage, "solve compares methods for one problem at a time");
  }
  return instances;
}

BenchRun run_once(const Instance& instance, const Contender& contender,
                  const std::optional<double>& limit, EnginePool& pool, const BenchOptions& options,
                  const Session& session) {
  PlanRequest request(instance);
  request.method = contender.method;
  request.expert = contender.expert;
  request.solver_path = contender.expert == "auto" ? "" : options.solver_path;
  request.beginning = contender.beginning;
  request.deadline =
      limit ? Deadline::after(*limit, session.stop()) : Deadline::when_cancelled(session.stop());
  request.cancel = session.stop();
  request.seed = session.common().seed;
  request.threads = session.common().threads;
  request.policy = &pool;
  const Plan plan = make_plan(request);
  session.throw_if_interrupted();
  return {plan.checked.cost, plan.made_seconds};
}

Json to_json(const ContenderRow& row, const std::vector<Instance>& instances,
             const std::vector<double>& gaps) {
  Json json{{"method", row.contender.name}};
  if (row.limit) json["time_limit"] = *row.limit;
  json["mean_gap_percent"] = mean_of(gaps);
  json["worst_gap_percent"] = *std::max_element(gaps.begin(), gaps.end());
  json["instances"] = Json::array();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    json["instances"].push_back({{"name", instances[i].name},
                                 {"cost", row.runs[i].cost},
                                 {"gap_percent", gaps[i]},
                                 {"seconds", row.runs[i].seconds}});
  }
  return json;
}

}  // namespace

int bench_solve(const BenchOptions& options, const Session& session) {
  const std::vector<Instance> instances = read_cases(options);
  EnginePool pool;
  pool.use_embedded(instances[0].kind);
  std::vector<ContenderRow> rows;
  for (const Contender& contender : contenders(options, instances[0])) {
    if (contender.method == "policy" && !pool.usable()) continue;
    if (!contender.takes_time) {
      rows.push_back({contender, std::nullopt, {}});
      continue;
    }
    for (const double limit : options.times) rows.push_back({contender, limit, {}});
  }
  // Instance by instance, so that what else the machine does falls on all methods alike.
  for (const Instance& instance : instances) {
    for (ContenderRow& row : rows) {
      row.runs.push_back(run_once(instance, row.contender, row.limit, pool, options, session));
    }
  }

  Json json{{"benchmark", "solve"}, {"results", Json::array()}};
  Table table({"method", "limit s", "mean gap %", "worst %", "mean s", "instances"});
  for (const ContenderRow& row : rows) {
    std::vector<double> gaps;
    double seconds = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      double reference = instances[i].reference_cost.value_or(0);
      if (reference == 0) {
        reference = row.runs[i].cost;
        for (const ContenderRow& other : rows) {
          reference = std::min(reference, other.runs[i].cost);
        }
      }
      gaps.push_back(gap_percent(row.runs[i].cost, reference));
      seconds += row.runs[i].seconds / static_cast<double>(instances.size());
    }
    json["results"].push_back(to_json(row, instances, gaps));
    table.add_row({row.contender.name, row.limit ? fmt::format("{:g}", *row.limit) : "",
                   decimal(mean_of(gaps), 3),
                   decimal(*std::max_element(gaps.begin(), gaps.end()), 3), decimal(seconds, 3),
                   std::to_string(gaps.size())});
  }
  if (session.common().json) {
    session.print("{}\n", json.dump());
  } else {
    session.print("{}", table.text());
  }
  return 0;
}

}  // namespace eco::cli
