// eco plot: the curves of training runs in one figure, and their numbers for other programs.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "eco/verb.h"
#include "io/atomic_file.h"
#include "report/chart.h"
#include "report/metrics.h"
#include "report/plot.h"

namespace eco::cli {

namespace {

struct PlotOptions {
  std::vector<std::string> runs;
  std::vector<std::string> sets;
  std::vector<std::string> metrics;
  std::string out, title, csv, tensorboard;
};

// Runs of one thing with several seeds, joined by plus signs.
std::vector<RunMetrics> read_group(const std::string& text) {
  std::vector<RunMetrics> seeds;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    seeds.push_back(read_metrics(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return seeds;
}

// The metrics to draw: as asked for, of the held-out sets, or the mean gap.
std::vector<std::string> wanted_metrics(const PlotOptions& options,
                                        const std::vector<std::string>& known) {
  std::vector<std::string> wanted = options.metrics;
  if (wanted.size() == 1 && wanted[0] == "all") return known;
  if (wanted.empty()) {
    wanted.reserve(options.sets.size());
    for (const std::string& set : options.sets) wanted.push_back("gap." + set);
  }
  if (wanted.empty()) wanted.emplace_back("mean_gap");
  for (const std::string& metric : wanted) {
    if (std::find(known.begin(), known.end(), metric) != known.end()) continue;
    const std::vector<std::string_view> names(known.begin(), known.end());
    throw Error(ErrorKind::usage, "--metric " + quoted(metric) + did_you_mean(metric, names) +
                                      ", these runs have " +
                                      fmt::format("{}", fmt::join(known, ", ")));
  }
  return wanted;
}

// A panel a metric, a curve a run; of several seeds their mean and a band from the least to the
// largest.
std::string metrics_figure(const std::vector<std::vector<RunMetrics>>& groups,
                           const std::vector<std::string>& metrics, const std::string& title) {
  double longest = 0;
  std::vector<std::string> legend;
  for (const auto& group : groups) {
    for (const RunMetrics& run : group) longest = std::max(longest, run.lines.back().seconds);
    legend.push_back(group.size() == 1 ? group[0].name
                                       : fmt::format("{}: mean, least and largest of {} runs",
                                                     group[0].name, group.size()));
  }
  const bool hours = longest > 3 * 3600;
  std::vector<Panel> panels;
  for (const std::string& metric : metrics) {
    Panel panel{{hours ? "hours" : "minutes", false},
                {metric, metric.find("gap") != std::string::npos},
                {}};
    for (const auto& group : groups) {
      std::vector<Series> seeds;
      seeds.reserve(group.size());
      for (const RunMetrics& run : group) {
        seeds.push_back(metric_series(run, metric, hours ? 3600 : 60));
      }
      panel.series.push_back(seeds.size() == 1 ? seeds[0] : band_over(group[0].name, seeds));
    }
    panels.push_back(std::move(panel));
  }
  return figure_svg(title, panels, legend);
}

void write_whole(const std::string& path, const std::string& bytes, const Session& session) {
  io::AtomicFile file(path);
  file.write(bytes);
  file.commit();
  session.log(LogLevel::info, "wrote {}", path);
}

void export_metrics(const std::vector<std::vector<RunMetrics>>& groups, const PlotOptions& options,
                    const Session& session) {
  std::vector<RunMetrics> runs;
  for (const auto& group : groups) runs.insert(runs.end(), group.begin(), group.end());
  // Folders of one name (seeds of a study) are told apart.
  std::map<std::string, int> seen;
  for (RunMetrics& run : runs) {
    if (const int before = seen[run.name]++; before > 0)
      run.name += "-" + std::to_string(before + 1);
  }
  if (options.csv == "-") {
    session.print("{}", metrics_csv(runs));
  } else if (!options.csv.empty()) {
    write_whole(options.csv, metrics_csv(runs), session);
  }
  if (options.tensorboard.empty()) return;
  for (const RunMetrics& run : runs) {
    const std::filesystem::path folder = std::filesystem::path(options.tensorboard) / run.name;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      throw Error(ErrorKind::resource, folder.string() + ": cannot be made: " + error.message());
    }
    write_whole((folder / "events.out.tfevents.0.eco").string(), event_file(run), session);
  }
}

// One curve for every run and set. Runs of several problems have different sets: of those that a
// run does not have there is no curve, but there must be one of every run.
std::vector<RunCurve> read_curves(const PlotOptions& options) {
  std::vector<RunCurve> curves;
  for (const std::string& run : options.runs) {
    if (options.sets.size() < 2) {
      curves.push_back(read_run(run, options.sets.empty() ? "" : options.sets[0]));
      continue;
    }
    const std::size_t before = curves.size();
    std::optional<Error> missing;
    for (const std::string& set : options.sets) {
      try {
        curves.push_back(read_run(run, set));
        curves.back().name += " " + set;
      } catch (const Error& error) {
        missing = error;
      }
    }
    if (curves.size() == before) throw Error(*missing);
  }
  return curves;
}

// What was drawn: of every run its last and its best point.
std::string plot_json(const std::string& out, const std::vector<RunCurve>& curves) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const RunCurve& curve : curves) {
    const auto best =
        std::min_element(curve.points.begin(), curve.points.end(),
                         [](const CurvePoint& a, const CurvePoint& b) { return a.gap < b.gap; });
    runs.push_back({{"name", curve.name},
                    {"validations", curve.points.size()},
                    {"seconds", curve.points.back().seconds},
                    {"instances", curve.points.back().instances},
                    {"last_gap_percent", curve.points.back().gap},
                    {"best_gap_percent", best->gap},
                    {"best_after_seconds", best->seconds}});
  }
  return nlohmann::ordered_json{{"out", out}, {"runs", runs}}.dump();
}

void check_outputs_of_plot(const PlotOptions& options, bool json) {
  const int on_standard_output =
      (options.out == "-" ? 1 : 0) + (options.csv == "-" ? 1 : 0) + (json ? 1 : 0);
  if (on_standard_output > 1) {
    throw Error(ErrorKind::usage,
                "only one of --json, --out - and --csv - goes to standard output");
  }
}

int plot(const Session& session, PlotOptions options) {
  check_outputs_of_plot(options, session.common().json);
  const bool exports = !options.csv.empty() || !options.tensorboard.empty();
  if (options.out.empty() && !exports) options.out = "curves.svg";
  const bool bands =
      std::any_of(options.runs.begin(), options.runs.end(),
                  [](const std::string& run) { return run.find('+') != std::string::npos; });
  std::vector<std::vector<RunMetrics>> groups;
  if (exports || bands || !options.metrics.empty()) {
    groups.reserve(options.runs.size());
    for (const std::string& run : options.runs) groups.push_back(read_group(run));
  }
  if (exports) export_metrics(groups, options, session);
  const std::string what =
      options.sets.size() == 1 ? "Validation gap, " + options.sets[0] : "Validation gap";
  std::string text;
  std::vector<RunCurve> curves;
  if (bands || !options.metrics.empty()) {
    std::vector<RunMetrics> all;
    for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
    const auto metrics = wanted_metrics(options, metric_names(all));
    text = metrics_figure(groups, metrics,
                          !options.title.empty()    ? options.title
                          : options.metrics.empty() ? what
                                                    : "Training");
  } else if (!options.out.empty() || session.common().json) {
    curves = read_curves(options);
    text = curves_svg(curves, options.title.empty() ? what : options.title);
  }
  if (std::filesystem::path(options.out).extension() == ".html") {
    text = "<!doctype html>\n<meta charset='utf-8'>\n<title>eco plot</title>\n" + text;
  }
  if (options.out == "-") {
    session.print("{}", text);
    return 0;
  }
  if (!options.out.empty()) write_whole(options.out, text, session);
  if (session.common().json) session.print("{}\n", plot_json(options.out, curves));
  return 0;
}

Body setup_plot(CLI::App& app) {
  const auto options = std::make_shared<PlotOptions>();
  app.add_option(
         "runs", options->runs,
         "Folders of runs, of stages, or metrics.jsonl files; joined by commas they are the "
         "stages of one run, joined by + the seeds of one curve with a band")
      ->required();
  app.add_option("--out", options->out,
                 "Figure to write (.svg or .html); -: standard output [curves.svg, or none if "
                 "numbers are exported]");
  app.add_option(
         "--metric", options->metrics,
         "Metrics to draw, a panel each, e.g. loss,mean_gap,margin_sampled.mean; all: every "
         "one [mean_gap]")
      ->delimiter(',');
  app.add_option("--csv", options->csv, "Every number of the runs as a table; -: standard output")
      ->type_name("FILE");
  app.add_option("--tensorboard", options->tensorboard,
                 "Event files for TensorBoard, a folder a run")
      ->type_name("FOLDER");
  app.add_option("--set", options->sets,
                 "Held-out sets to draw, e.g. tsp100,tsp200; default: mean of all")
      ->delimiter(',');
  app.add_option("--title", options->title, "Title of the figure");
  return [options](const Session& session) { return plot(session, *options); };
}

}  // namespace

Verb plot_verb() {
  return {"plot", "Draw the curves of training runs, export their numbers",
          "eco plot run-a run-b --out curves.svg\n"
          "  eco plot run-a --metric all --out all.svg\n"
          "  eco plot seed1+seed2+seed3 other --out bands.svg\n"
          "  eco plot run-a run-b --csv numbers.csv --tensorboard events\n"
          "  eco plot warm-up.jsonl,second.jsonl,third.jsonl --set tsp100,tsp200 --out gap.svg",
          setup_plot};
}

}  // namespace eco::cli
