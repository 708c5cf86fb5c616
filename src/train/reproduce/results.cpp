#include "train/reproduce/results.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "report/plot.h"

namespace eco::train {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kResamples = 10'000;
constexpr std::uint64_t kSeed = 1234;

class ResultReader {
 public:
  ResultReader(const StudyPlan& plan, fs::path folder) : plan_(plan), folder_(std::move(folder)) {}

  [[nodiscard]] RunResults read(std::size_t run, const Study& study) const {
    RunResults results;
    const auto seeds = plan_.of(run);
    double minutes = 0;
    for (const RunPlaces* places : seeds) {
      if (const auto json = document(places->gaps)) {
        results.gaps.push_back(json->at("gaps_percent").get<std::vector<double>>());
      }
      if (auto curve = curve_of(*places)) {
        minutes += curve->x.back();
        results.curves.push_back(std::move(*curve));
      }
      if (places->seed == 1) read_first(*places, study, results);
    }
    if (!results.curves.empty()) {
      results.minutes = minutes / static_cast<double>(results.curves.size());
    }
    return results;
  }

 private:
  [[nodiscard]] std::optional<Json> document(const std::string& name) const {
    if (name.empty() || !fs::exists(folder_ / name)) return std::nullopt;
    std::ifstream stream(folder_ / name);
    Json json = Json::parse(stream, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) {
      throw input_error({(folder_ / name).string(), 0}, "not what eco eval --json prints");
    }
    return json;
  }

  [[nodiscard]] std::optional<Series> curve_of(const RunPlaces& places) const {
    std::string list;
    for (const std::string& stage : places.stages) {
      if (!fs::exists(folder_ / stage / "metrics.jsonl")) return std::nullopt;
      list += (list.empty() ? "" : ",") + (folder_ / stage).string();
    }
    Series series;
    try {
      for (const CurvePoint& point : read_run(list).points) {
        if (point.new_stage) series.rings.push_back(series.x.size());
        series.x.push_back(point.seconds / 60);
        series.y.push_back(point.gap);
      }
    } catch (const Error&) {
      return std::nullopt;  // not validated so far
    }
    return series;
  }

  void read_first(const RunPlaces& places, const Study& study, RunResults& results) const {
    read_margins(folder_ / places.stages.back() / "metrics.jsonl", results);
    if (const auto json = document(places.orders)) {
      const Json& orders = json->at("sensitivity");
      results.order_gap = orders.at("mean_gap_percent").get<double>();
      results.order_deviation = orders.at("gap_deviation").get<double>();
    }
    const auto rate_of = [&](const std::string& name) -> std::optional<double> {
      const auto json = document(name);
      if (!json) return std::nullopt;
      return json->at("instances_per_second").get<double>();
    };
    results.rate_8 = rate_of(places.batch_8);
    results.rate_all = rate_of(places.batch_all);
    for (std::size_t i = 0; i < places.scale.size(); ++i) {
      if (const auto json = document(places.scale[i])) {
        results.scale.push_back({study.scale[i], json->at("peak_rss_bytes").get<double>() / 1e6,
                                 json->at("instances_per_second").get<double>()});
      }
    }
  }

  static void read_margins(const fs::path& metrics, RunResults& results) {
    std::vector<Json> rounds;
    std::ifstream stream(metrics);
    for (std::string line; std::getline(stream, line);) {
      Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (json.is_object() && json.contains("margin_sampled")) rounds.push_back(std::move(json));
    }
    const std::size_t first = rounds.size() - (rounds.size() + 3) / 4;
    const auto mean_over = [&](const char* source) -> std::optional<MarginFigures> {
      MarginFigures sum;
      for (std::size_t i = first; i < rounds.size(); ++i) {
        const Json& margin = rounds[i].at(source);
        const double pairs = margin.at("pairs").get<double>();
        sum.pairs += pairs;
        sum.mean += pairs * margin.at("mean").get<double>();
        sum.median += pairs * margin.at("median").get<double>();
        sum.p10 += pairs * margin.at("p10").get<double>();
        sum.p90 += pairs * margin.at("p90").get<double>();
      }
      if (sum.pairs == 0) return std::nullopt;
      return MarginFigures{sum.pairs, sum.mean / sum.pairs, sum.median / sum.pairs,
                           sum.p10 / sum.pairs, sum.p90 / sum.pairs};
    };
    results.sampled = mean_over("margin_sampled");
    results.local_search = mean_over("margin_local_search");
  }

  const StudyPlan& plan_;
  fs::path folder_;
};

// Mean gap over a draw of seeds (with replacement) and the given instances.
double drawn_mean(const RunResults& run, const std::vector<std::uint32_t>& instances, Rng& rng) {
  const std::size_t seeds = run.gaps.size();
  double sum = 0;
  for (std::size_t s = 0; s < seeds; ++s) {
    const auto& gaps = run.gaps[seeds == 1 ? 0 : rng.below(static_cast<std::uint32_t>(seeds))];
    for (const std::uint32_t i : instances) sum += gaps[i];
  }
  return sum / static_cast<double>(seeds * instances.size());
}

template <class Statistic>
Interval bootstrap(std::size_t instances, Statistic&& statistic) {
  Rng rng(kSeed);
  std::vector<double> values(kResamples);
  std::vector<std::uint32_t> drawn(instances);
  for (double& value : values) {
    for (std::uint32_t& i : drawn) i = rng.below(static_cast<std::uint32_t>(instances));
    value = statistic(drawn, rng);
  }
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.025), quantile(values, 0.975)};
}

}  // namespace

std::vector<double> RunResults::mean_gaps() const {
  std::vector<double> means(gaps.empty() ? 0 : gaps[0].size());
  for (const auto& seed : gaps) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] += seed[i] / static_cast<double>(gaps.size());
    }
  }
  return means;
}

double RunResults::mean_gap() const {
  return mean_of(mean_gaps());
}

std::optional<double> RunResults::margin() const {
  double pairs = 0, sum = 0;
  for (const auto& source : {sampled, local_search}) {
    if (!source) continue;
    pairs += source->pairs;
    sum += source->pairs * source->mean;
  }
  if (pairs == 0) return std::nullopt;
  return sum / pairs;
}

std::vector<RunResults> read_results(const Study& study, const StudyPlan& plan,
                                     const std::string& folder,
                                     const std::vector<std::string>& failures) {
  const ResultReader reader(plan, folder);
  std::vector<RunResults> results;
  for (std::size_t run = 0; run < study.runs.size(); ++run) {
    results.push_back(reader.read(run, study));
    for (const RunPlaces* places : plan.of(run)) {
      for (const std::size_t job : places->jobs) {
        if (job < failures.size() && !failures[job].empty()) results[run].failure = failures[job];
      }
    }
  }
  return results;
}

Interval gap_interval(const RunResults& run) {
  return bootstrap(run.gaps.at(0).size(), [&](const std::vector<std::uint32_t>& drawn, Rng& rng) {
    return drawn_mean(run, drawn, rng);
  });
}

Interval difference_interval(const RunResults& one, const RunResults& other) {
  return bootstrap(one.gaps.at(0).size(), [&](const std::vector<std::uint32_t>& drawn, Rng& rng) {
    const double first = drawn_mean(one, drawn, rng);
    return first - drawn_mean(other, drawn, rng);
  });
}

}  // namespace eco::train
