// eco plot: the curves of training runs in one figure.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "eco/verb.h"
#include "io/atomic_file.h"
#include "report/plot.h"

namespace eco::cli {

namespace {

struct PlotOptions {
  std::vector<std::string> runs;
  std::string out = "curves.svg", set, title;
};

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
  std::vector<RunCurve> curves;
  for (const std::string& run : options.runs) curves.push_back(read_run(run, options.set));
  const std::string what =
      options.set.empty() ? "Validation gap" : "Validation gap, " + options.set;
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
  app.add_option("runs", options->runs, "Folders of runs, of stages, or metrics.jsonl files")
      ->required();
  app.add_option("--out", options->out, "Figure to write (.svg or .html); -: standard output")
      ->capture_default_str();
  app.add_option("--set", options->set, "Held-out set to draw, e.g. tsp100; default: mean of all");
  app.add_option("--title", options->title, "Title of the figure");
  return [options](const Session& session) { return plot(session, *options); };
}

}  // namespace

Verb plot_verb() {
  return {"plot", "Draw the curves of training runs", "eco plot run-a run-b --out curves.svg",
          setup_plot};
}

}  // namespace eco::cli
