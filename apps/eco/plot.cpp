// eco plot: the curves of training runs in one figure.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "eco/verb.h"
#include "io/atomic_file.h"
#include "report/plot.h"

namespace eco::cli {

namespace {

struct PlotOptions {
  std::vector<std::string> runs;
  std::vector<std::string> sets;
  std::string out = "curves.svg", title;
};

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

int plot(const Session& session, const PlotOptions& options) {
  if (options.out == "-" && session.common().json) {
    throw Error(ErrorKind::usage, "--json and --out - both write to standard output");
  }
  const std::vector<RunCurve> curves = read_curves(options);
  const std::string what =
      options.sets.size() == 1 ? "Validation gap, " + options.sets[0] : "Validation gap";
  std::string text = curves_svg(curves, options.title.empty() ? what : options.title);
  if (std::filesystem::path(options.out).extension() == ".html") {
    text = "<!doctype html>\n<meta charset='utf-8'>\n<title>eco plot</title>\n" + text;
  }
  if (options.out == "-") {
    session.print("{}", text);
    return 0;
  }
  io::AtomicFile file(options.out);
  file.write(text);
  file.commit();
  session.log(LogLevel::info, "wrote {}", options.out);
  if (session.common().json) session.print("{}\n", plot_json(options.out, curves));
  return 0;
}

Body setup_plot(CLI::App& app) {
  const auto options = std::make_shared<PlotOptions>();
  app.add_option(
         "runs", options->runs,
         "Folders of runs, of stages, or metrics.jsonl files; joined by commas they are the "
         "stages of one run")
      ->required();
  app.add_option("--out", options->out, "Figure to write (.svg or .html); -: standard output")
      ->capture_default_str();
  app.add_option("--set", options->sets,
                 "Held-out sets to draw, e.g. tsp100,tsp200; default: mean of all")
      ->delimiter(',');
  app.add_option("--title", options->title, "Title of the figure");
  return [options](const Session& session) { return plot(session, *options); };
}

}  // namespace

Verb plot_verb() {
  return {"plot", "Draw the curves of training runs",
          "eco plot run-a run-b --out curves.svg\n"
          "  eco plot warm-up.jsonl,second.jsonl,third.jsonl --set tsp100,tsp200 --out gap.svg",
          setup_plot};
}

}  // namespace eco::cli
