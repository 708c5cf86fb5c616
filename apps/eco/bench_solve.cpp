// eco bench solve: what a user gets for the time, method beside method on the same instances; a gap
// to the costs of --costs, else to those in the files, else to the best of this run.

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/infer/decode_keys.h"
#include "eco/bench.h"
#include "eco/bench_runs.h"
#include "io/atomic_file.h"
#include "io/reader.h"
#include "report/chart.h"
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
  DecodeOptions decode = {};  // of the policy
  std::string mark = {};      // in the figure, where all of one name are one line
  [[nodiscard]] std::string title() const { return mark.empty() ? name : name + " " + mark; }
};

Contender construction(std::string name, std::string method) {
  return {std::move(name), std::move(method), "auto", Beginning::by_size, false};
}

struct ContenderRow {
  Contender contender;
  std::optional<double> limit;
  std::vector<BenchRun> runs;  // by instance

  [[nodiscard]] double seconds() const {  // the mean
    double sum = 0;
    for (const BenchRun& run : runs) sum += run.seconds;
    return sum / static_cast<double>(runs.size());
  }
};

// The policy with every effort, and the best of its samples.
void add_policies(std::vector<Contender>& all) {
  for (const char* effort : {"fast", "balanced", "thorough"}) {
    all.push_back(construction("policy", "policy"));
    set_decode_key("effort", effort, all.back().decode);
    all.back().mark = effort;
  }
  for (const std::size_t samples : {8, 32}) {
    all.push_back(construction("policy best of", "policy"));
    all.back().decode.method = Decode::sample;
    all.back().decode.samples = samples;
    all.back().mark = std::to_string(samples);
  }
}

std::vector<Contender> contenders(const BenchOptions& options, const Instance& first) {
  std::vector<Contender> all{{"auto", "auto"},
                             {"policy then search", "auto", "auto", Beginning::policy},
                             {"expert", "expert"}};
  if (options.policies) {
    add_policies(all);
  } else {
    all.push_back(construction("policy", "policy"));
  }
  all.push_back(construction("nearest neighbour", "nn"));
  const std::string classic = first.has_depot() ? "savings" : "insertion";
  all.push_back(construction(classic, classic));
  if (!options.program.empty()) {
    all.push_back({options.program, "expert", options.program});
  }
  return all;
}

// Those that are asked for, in the order of the table.
std::vector<Contender> chosen(std::vector<Contender> all, const std::vector<std::string>& only) {
  for (const std::string& name : only) {
    std::vector<std::string> names;
    for (const Contender& contender : all) {
      if (std::find(names.begin(), names.end(), contender.name) == names.end()) {
        names.push_back(contender.name);
      }
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw Error(ErrorKind::usage, fmt::format("found method {}, expected some of {}", quoted(name),
                                              fmt::join(names, ", ")));
  }
  if (!only.empty()) {
    std::erase_if(all, [&](const Contender& contender) {
      return std::find(only.begin(), only.end(), contender.name) == only.end();
    });
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
      if (instance->name.empty()) {
        instance->name = all.empty() ? file : fmt::format("{}:{}", file, all.size());
      }
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
  request.decode = contender.decode;
  request.deadline =
      limit ? Deadline::after(*limit, session.stop()) : Deadline::when_cancelled(session.stop());
  request.cancel = session.stop();
  request.seed = session.common().seed;
  request.threads = session.common().threads;
  request.policy = &pool;
  try {
    const Plan plan = make_plan(request);
    session.throw_if_interrupted();
    return {plan.checked.cost, plan.made_seconds};
  } catch (const Error& error) {
    if (contender.expert == "auto" || error.kind() != ErrorKind::resource) throw;
    session.log(LogLevel::warn, "{}: {} gave no plan", instance.name, contender.name);
    return {std::nullopt, limit.value_or(0)};
  }
}

// All that a run depends on, but the machine.
Json key_of(const Instance& instance, const ContenderRow& row, const Session& session) {
  const std::size_t threads = session.common().threads;
  Json key{{"instance", instance.name},
           {"method", row.contender.title()},
           {"threads", threads == 0 ? available_cores() : threads},
           {"seed", session.common().seed}};
  if (row.limit) key["time_limit"] = *row.limit;
  return key;
}

// What a plan of the instance is compared with.
double reference_of(const Instance& instance, std::size_t index,
                    const std::vector<ContenderRow>& rows) {
  if (instance.reference_cost) return *instance.reference_cost;
  double best = std::numeric_limits<double>::infinity();
  for (const ContenderRow& row : rows) {
    best = std::min(best, row.runs[index].cost.value_or(best));
  }
  return best;
}

// The row with its gaps, of the instances that it has a plan for.
Json to_json(const ContenderRow& row, const std::vector<Instance>& instances,
             const std::vector<double>& references) {
  Json json{{"method", row.contender.title()}};
  if (row.limit) json["time_limit"] = *row.limit;
  std::vector<double> gaps;
  Json runs = Json::array();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const BenchRun& run = row.runs[i];
    Json entry{{"name", instances[i].name}, {"seconds", run.seconds}};
    if (run.cost) {
      gaps.push_back(gap_percent(*run.cost, references[i]));
      entry["cost"] = *run.cost;
      entry["gap_percent"] = gaps.back();
    }
    runs.push_back(std::move(entry));
  }
  json["solved"] = gaps.size();
  if (!gaps.empty()) {
    json["mean_gap_percent"] = mean_of(gaps);
    json["worst_gap_percent"] = *std::max_element(gaps.begin(), gaps.end());
  }
  json["mean_seconds"] = row.seconds();
  json["instances"] = std::move(runs);
  return json;
}

// Rows of one name are one line, with a ring for each.
std::string figure(const std::vector<ContenderRow>& rows, const Json& results,
                   std::size_t instances) {
  Panel panel{{"seconds an instance", true, 1e-4}, {"gap (%)", true}, {}};
  std::vector<std::string> legend;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Contender& contender = rows[i].contender;
    if (!results[i].contains("mean_gap_percent")) continue;
    if (panel.series.empty() || panel.series.back().name != contender.name) {
      panel.series.push_back({contender.name, {}, {}, {}, {}, {}});
      legend.push_back(contender.title());
    } else if (!contender.mark.empty()) {
      legend.back() += ", " + contender.mark;
    }
    Series& series = panel.series.back();
    series.rings.push_back(series.x.size());
    series.x.push_back(rows[i].seconds());
    series.y.push_back(results[i]["mean_gap_percent"].get<double>());
  }
  return figure_svg(
      fmt::format("Gap for the time, {} instance{}", instances, instances == 1 ? "" : "s"), {panel},
      legend);
}

}  // namespace

int bench_solve(const BenchOptions& options, const Session& session) {
  const std::vector<Instance> instances = read_cases(options);
  if (!options.out.empty()) io::AtomicFile::require_creatable(options.out);
  BenchRuns kept(options.runs);
  EnginePool pool;
  pool.use_embedded(instances[0].kind);
  std::vector<ContenderRow> rows;
  for (const Contender& contender : chosen(contenders(options, instances[0]), options.only)) {
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
      const Json key = key_of(instance, row, session);
      std::optional<BenchRun> run = kept.find(key);
      if (!run) {
        run = run_once(instance, row.contender, row.limit, pool, options, session);
        kept.add(key, *run);
      }
      row.runs.push_back(*run);
    }
  }

  std::vector<double> references;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    references.push_back(reference_of(instances[i], i, rows));
  }
  Json json{{"benchmark", "solve"}, {"threads", session.common().threads}};
  Table table({"method", "limit s", "mean gap %", "worst %", "mean s", "solved"});
  for (const ContenderRow& row : rows) {
    const Json told = to_json(row, instances, references);
    const auto number = [&](const char* key) {
      return told.contains(key) ? decimal(told[key].get<double>(), 3) : "";
    };
    table.add_row({row.contender.title(), row.limit ? fmt::format("{:g}", *row.limit) : "",
                   number("mean_gap_percent"), number("worst_gap_percent"), number("mean_seconds"),
                   fmt::format("{} of {}", told["solved"].get<std::size_t>(), instances.size())});
    json["results"].push_back(told);
  }
  if (!options.out.empty()) {
    io::AtomicFile file(options.out);
    file.write(figure(rows, json["results"], instances.size()));
    file.commit();
  }
  if (session.common().json) {
    session.print("{}\n", json.dump());
  } else {
    session.print("{}", table.text());
  }
  return 0;
}

}  // namespace eco::cli
