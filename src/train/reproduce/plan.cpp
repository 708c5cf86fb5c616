#include "train/reproduce/plan.h"

#include <algorithm>
#include <chrono>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "train/config/train_config.h"
#include "train/config/values.h"
#include "train/data/expert.h"
#include "train/data/label_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kTestEffort = 10;  // times that of a training label
constexpr std::size_t kOrders = 16;        // random input orders, as in the paper
constexpr double kValidations = 12;        // of a stage

using Settings = std::map<std::string, std::string>;

std::string config_text(const Settings& settings) {
  std::string text;
  for (const auto& [key, value] : settings) text += key + " = " + value + "\n";
  return text;
}

TrainConfig config_of(const Settings& settings) {
  std::vector<ConfigEntry> entries;
  for (const auto& [key, value] : settings) entries.push_back({key, value, {"row", 0}});
  return make_train_config(entries);
}

// Seconds that a training label takes here and now.
double label_seconds(ProblemKind problem, std::size_t nodes) {
  constexpr std::size_t kLabels = 3;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < kLabels; ++i) {
    Instance instance = make_unlabelled(problem, {}, nodes, i);
    label_instance(instance, 0, i);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / kLabels;
}

class Planner {
 public:
  Planner(const Study& study, const StudyOptions& options) : study_(study), options_(options) {}

  StudyPlan plan() {
    const auto tables = chosen_tables(study_, options_.only);
    for (const StudyTable* table : tables) {
      for (const StudyRow& row : table->rows) {
        columns_[row.run].insert(table->columns.begin(), table->columns.end());
      }
      for (const StudyClaim& claim : table->claims) {
        columns_[claim.better_run].insert("gap");
        columns_[claim.worse_run].insert("gap");
      }
    }
    // Runs in the order of the file: what the others are compared with comes first.
    for (std::size_t seed = 1; seed <= options_.seeds; ++seed) {
      for (std::size_t run = 0; run < study_.runs.size(); ++run) {
        if (!columns_.contains(run)) continue;
        if (seed == 1 || study_.runs[run].seeded) add_run(run, seed);
      }
    }
    return std::move(plan_);
  }

 private:
  std::size_t add(Job job) {
    plan_.jobs.push_back(std::move(job));
    return plan_.jobs.size() - 1;
  }

  struct Data {
    ProblemKind problem;
    std::string prefix;                          // "data/tsp50"
    std::size_t train = 0, valid = 0, test = 0;  // jobs
  };

  const Data& data_of(const std::string& problem) {
    if (const auto found = data_.find(problem); found != data_.end()) return found->second;
    const TrainConfig config = config_of({{"problem", problem}});
    Data data{config.problem, "data/" + problem + std::to_string(options_.nodes)};
    const double seconds = label_seconds(data.problem, options_.nodes);
    const std::uint64_t effort = default_effort(data.problem, options_.nodes);
    const StudyData& counts = study_.data.at(problem);
    const auto label = [&](const std::string& part, std::size_t count, std::uint64_t times,
                           const std::string& seed) {
      const std::string file = data.prefix + "-" + part + ".txt";
      return add({"label-" + problem + "-" + part,
                  {options_.eco, "label", "--generate", problem, "--nodes",
                   std::to_string(options_.nodes), "--count", std::to_string(count), "--iterations",
                   std::to_string(times * effort), "--seed", seed, "--threads", "1", "--out", file},
                  file,
                  false,
                  static_cast<double>(times * count) * seconds,
                  {}});
    };
    data.train = label("train", counts.labels, 1, "7001");
    data.valid = label("valid", counts.validation, kTestEffort, "7002");
    data.test = label("test", counts.test, kTestEffort, "7003");
    return data_.emplace(problem, data).first->second;
  }

  // What both stages of a run are told.
  Settings common_settings(const StudyRun& run, std::size_t seed, const Data& data) const {
    Settings settings = run.settings;
    settings["seed"] = std::to_string(seed);
    settings["clock"] = "cpu";
    settings["data.sizes"] = std::to_string(options_.nodes);
    settings["validate.files"] = data.prefix + "-valid.txt";
    settings["validate.count"] = std::to_string(study_.data.at(run.problem).validation);
    return settings;
  }

  std::vector<std::string> train_command(const std::string& verb, const std::string& out) const {
    return {options_.eco_train, verb,        "--config", out + ".conf", "--out", out,
            "--resume",         "--threads", "1",        "--quiet"};
  }

  struct StageOne {
    std::string folder;
    std::size_t job = 0;
  };

  StageOne stage_one(const StudyRun& run, std::size_t seed, const Data& data) {
    Settings settings = common_settings(run, seed, data);
    std::erase_if(settings, [](const auto& entry) { return entry.first.starts_with("improve."); });
    const double minutes = options_.minutes * (run.improve ? run.share : 1);
    settings["sft.minutes"] = show_value(minutes);
    settings["validate.minutes"] = show_value(minutes / kValidations);
    settings["data.files"] = data.prefix + "-train.txt";
    const std::string text = config_text(settings);
    if (const auto found = stages_.find(text); found != stages_.end()) return found->second;
    const std::string name = run.name + "-seed" + std::to_string(seed);
    StageOne stage{"stage-one/" + name, 0};
    plan_.files[stage.folder + ".conf"] = text;
    stage.job = add({"sft-" + name,
                     train_command("sft", stage.folder),
                     stage.folder + "/sft/done",
                     false,
                     60 * minutes,
                     {data.train, data.valid}});
    return stages_.emplace(text, stage).first->second;
  }

  void add_run(std::size_t index, std::size_t seed) {
    const StudyRun& run = study_.runs[index];
    const Data data = data_of(run.problem);
    RunPlaces places;
    places.run = index;
    places.seed = seed;
    const std::string name = run.name + "-seed" + std::to_string(seed);
    StageOne first;
    if (run.warm_up) {
      first = stage_one(run, seed, data);
      places.stages.push_back(first.folder + "/sft");
      places.jobs.push_back(first.job);
    }
    if (run.improve) places.jobs.push_back(add_improve(run, seed, data, first, places));
    places.weights = places.stages.back() + "/best.safetensors";
    add_measurements(run, name, data, places);
    plan_.runs.push_back(std::move(places));
  }

  std::size_t add_improve(const StudyRun& run, std::size_t seed, const Data& data,
                          const StageOne& first, RunPlaces& places) {
    Settings settings = common_settings(run, seed, data);
    const double minutes = options_.minutes * (run.warm_up ? 1 - run.share : 1);
    settings["improve.minutes"] = show_value(minutes);
    settings["validate.minutes"] = show_value(minutes / kValidations);
    settings["improve.init"] =
        run.warm_up ? first.folder + "/sft/best.safetensors" : std::string("none");
    std::vector<std::size_t> after{data.valid};
    if (run.warm_up) after.push_back(first.job);
    // Merging learns from labels in its second stage, too; the others make fresh instances.
    if (config_of(run.settings).model.constructor == ConstructorKind::merging) {
      settings["data.files"] = data.prefix + "-train.txt";
      after.push_back(data.train);
    }
    const std::string name = run.name + "-seed" + std::to_string(seed), out = "runs/" + name;
    plan_.files[out + ".conf"] = config_text(settings);
    places.stages.push_back(out + "/improve");
    return add({"improve-" + name, train_command("improve", out), out + "/improve/done", false,
                60 * minutes, std::move(after)});
  }

  void add_measurements(const StudyRun& run, const std::string& name, const Data& data,
                        RunPlaces& places) {
    const std::set<std::string>& columns = columns_.at(places.run);
    const double seconds =
        1 + 1e-4 * static_cast<double>(study_.data.at(run.problem).test * options_.nodes);
    const auto eval = [&](const std::string& what, const std::string& file,
                          const std::vector<std::string>& more, double estimate,
                          std::size_t input) {
      Job job{what + "-" + name,
              {options_.eco, "eval", file, "--weights", places.weights, "--decode", run.decode,
               "--threads", "1", "--json"},
              "results/" + name + "-" + what + ".json",
              true,
              estimate,
              {places.jobs.back(), input}};
      job.command.insert(job.command.end(), more.begin(), more.end());
      add(job);
      return job.output;
    };
    const std::string test = data.prefix + "-test.txt";
    places.gaps = eval("gaps", test, {"--each"}, seconds, data.test);
    if (columns.contains("orders")) {
      places.orders = eval("orders", test, {"--permutations", std::to_string(kOrders)},
                           seconds * (1 + kOrders), data.test);
    }
    if (places.seed > 1) return;  // of time and memory one is enough
    if (columns.contains("timing")) {
      places.batch_8 = eval("batch8", test, {"--batch", "8"}, seconds, data.test);
      places.batch_all = eval("all", test, {"--batch", "max"}, seconds, data.test);
    }
    if (!columns.contains("scale")) return;
    for (const std::size_t size : study_.scale) {
      const double n = static_cast<double>(size);
      places.scale.push_back(eval("scale" + std::to_string(size), scale_file(run.problem, size),
                                  {"--batch", "8"}, 1 + n / 500 + n * n / 4e6,
                                  scale_job(run.problem, size)));
    }
  }

  static std::string scale_file(const std::string& problem, std::size_t size) {
    return "data/" + problem + "-scale" + std::to_string(size) + ".txt";
  }
  std::size_t scale_job(const std::string& problem, std::size_t size) {
    const std::string file = scale_file(problem, size);
    if (const auto found = scale_.find(file); found != scale_.end()) return found->second;
    const std::size_t job =
        add({"generate-" + problem + "-" + std::to_string(size),
             {options_.eco, "generate", problem, "--nodes", std::to_string(size), "--count", "8",
              "--seed", "7004", "--out", file},
             file,
             false,
             0.1,
             {}});
    return scale_.emplace(file, job).first->second;
  }

  const Study& study_;
  const StudyOptions& options_;
  StudyPlan plan_;
  std::map<std::size_t, std::set<std::string>> columns_;  // by run
  std::map<std::string, Data> data_;
  std::map<std::string, StageOne> stages_;  // by config
  std::map<std::string, std::size_t> scale_;
};

}  // namespace

std::vector<const RunPlaces*> StudyPlan::of(std::size_t run) const {
  std::vector<const RunPlaces*> found;
  for (const RunPlaces& places : runs) {
    if (places.run == run) found.push_back(&places);
  }
  return found;
}

std::vector<const StudyTable*> chosen_tables(const Study& study, const std::string& only) {
  std::vector<const StudyTable*> tables;
  std::vector<std::string_view> names;
  for (const StudyTable& table : study.tables) {
    names.push_back(table.name);
    if (only.empty() || only == table.name) tables.push_back(&table);
  }
  if (!tables.empty()) return tables;
  std::string known;
  for (const std::string_view name : names) known.append(known.empty() ? "" : ", ").append(name);
  throw Error(ErrorKind::usage, "--only " + eco::quoted(only) + did_you_mean(only, names) +
                                    ", expected one of " + known);
}

StudyPlan make_plan(const Study& study, const StudyOptions& options) {
  return Planner(study, options).plan();
}

}  // namespace eco::train
