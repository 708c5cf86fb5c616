// eco info: this build, or what a file holds.

#include <hwy/targets.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "eco/options.h"
#include "eco/progress.h"
#include "eco/reading_options.h"
#include "eco/verb.h"
#include "io/reader.h"
#include "solver/embedded_weights.h"

namespace eco::cli {

namespace {

using Json = nlohmann::ordered_json;

void print_pairs(const Json& pairs, const Session& session) {
  if (session.common().json) {
    session.print("{}\n", pairs.dump());
    return;
  }
  for (const auto& [key, value] : pairs.items()) {
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', ' ');
    session.print("{:<18}{}\n", label, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

std::string embedded_text() {
  std::string text;
  for (const ProblemKind problem : kProblems) {
    if (!has_own_weights(problem)) continue;
    text += (text.empty() ? "" : " ") + std::string(to_string(problem));
  }
  return text.empty() ? "none" : text;
}

int describe_build(const Session& session) {
  std::string targets;
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const char* name = hwy::TargetName(left & -left);
    if (std::string_view(name) == "Unknown") continue;
    targets += (targets.empty() ? "" : " ") + std::string(name);
  }
  print_pairs({{"version", ECO_VERSION},
               {"compiler", ECO_COMPILER},
               {"build", ECO_BUILD_TYPE},
               {"cpu_target", ECO_ARCH},
               {"simd", targets},
               {"cores", available_cores()},
               {"weights", embedded_text()}},
              session);
  return 0;
}

// Everything in the header of a weights file: what the network is, and what is known of its making.
Json weights_json(const std::string& name, std::size_t bytes, const Weights& weights,
                  const io::Metadata& notes) {
  Json pairs{{"weights", name}, {"bytes", bytes}, {"parameters", weights.parameters()}};
  for (const auto& [key, value] : to_fields(weights.config())) pairs[key] = value;
  for (const auto& [key, value] : weights.decode()) pairs["decode." + key] = value;
  for (const auto& [key, value] : notes) pairs[key] = value;
  return pairs;
}

int describe_weights(const std::string& path, const Session& session) {
  io::Metadata notes;
  if (path != kDefaultWeights) {
    const Weights weights = io::load_weights(path, &notes);
    print_pairs(weights_json(path, std::filesystem::file_size(path), weights, notes), session);
    return 0;
  }
  Json all = Json::array();
  for (const ProblemKind problem : kProblems) {
    if (!has_own_weights(problem)) continue;
    notes.clear();
    const Weights weights = embedded_weights(problem, &notes);
    all.push_back(
        weights_json("embedded weights", embedded_weights_file(problem).size(), weights, notes));
  }
  if (session.common().json) {
    session.print("{}\n", all.dump());
    return 0;
  }
  if (all.empty()) session.print("this build carries no weights\n");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) session.print("\n");
    print_pairs(all[i], session);
  }
  return 0;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] std::string text() const {
    return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
  }
};

int describe_file(const std::string& path, const io::ReadOptions& reading, const Session& session) {
  const auto reader = io::open_instances(path, reading);
  std::size_t count = 0, solved = 0;
  Range nodes, capacity, load, x, y, latitude, longitude;
  double cost_sum = 0;
  std::set<std::string> problems, metrics;
  Progress progress(session, "read", 0);
  while (const auto instance = reader->next()) {
    session.throw_if_interrupted();
    progress.advance();
    ++count;
    nodes.add(static_cast<double>(instance->size()));
    problems.emplace(to_string(instance->kind));
    metrics.insert(metric_text(instance->metric, instance->rounding));
    for (const Place& place : instance->places) {
      longitude.add(place.longitude);
      latitude.add(place.latitude);
    }
    for (const Point& p : instance->points) {
      if (!instance->places.empty()) break;
      x.add(p.x);
      y.add(p.y);
    }
    if (instance->has_depot()) {
      capacity.add(static_cast<double>(instance->capacity));
      const auto total = std::accumulate(instance->demands.begin(), instance->demands.end(), 0.0);
      load.add(total / static_cast<double>(instance->capacity));
    }
    if (instance->reference_cost) {
      ++solved;
      cost_sum += *instance->reference_cost;
    }
  }
  const auto joined = [](const std::set<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : "; ") + word;
    return text;
  };
  Json pairs{{"file", path},
             {"format", io::to_string(reader->format())},
             {"problem", joined(problems)},
             {"instances", count}};
  if (count > 0) {
    pairs["nodes"] = nodes.text();
    pairs["metric"] = joined(metrics);
    if (x.low <= x.high) {
      pairs["x"] = x.text();
      pairs["y"] = y.text();
    }
    if (latitude.low <= latitude.high) {
      pairs["latitude"] = latitude.text();
      pairs["longitude"] = longitude.text();
    }
    if (capacity.low <= capacity.high) {
      pairs["capacity"] = capacity.text();
      pairs["total_demand"] = fmt::format("{:.2f} to {:.2f} vehicle loads", load.low, load.high);
    }
    pairs["with_solution"] = solved;
    if (solved > 0) pairs["mean_cost"] = cost_sum / static_cast<double>(solved);
  }
  print_pairs(pairs, session);
  return 0;
}

Body setup_info(CLI::App& app) {
  const auto file = std::make_shared<std::string>();
  const auto weights = std::make_shared<std::string>();
  const auto reading = std::make_shared<io::ReadOptions>();
  app.add_option("file", *file, "Instance file; without it, this build is described");
  app.add_option("--weights,-w", *weights,
                 "Describe a weights file, or with 'default' what this program carries")
      ->type_name("FILE");
  add_fleet_options(app, *reading);
  return [file, weights, reading](const Session& session) {
    if (!weights->empty() && !file->empty()) {
      throw Error(ErrorKind::usage, "expected either an instance file or --weights");
    }
    if (!weights->empty()) return describe_weights(*weights, session);
    return file->empty() ? describe_build(session) : describe_file(*file, *reading, session);
  };
}

}  // namespace

Verb info_verb() {
  return {"info", "Describe this build, or what a file holds",
          "eco info city.vrp --json\n  eco info --weights default", setup_info};
}

}  // namespace eco::cli
