// eco plot: the curves of training runs in one figure.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <vector>

#include "eco/verb.h"
#include "io/atomic_file.h"
#include "report/plot.h"

namespace eco::cli {

namespace {

struct PlotOptions {
  std::vector<std::string> runs;
  std::string out = "curves.svg", set, title;
};

int plot(const Session& session, const PlotOptions& options) {
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
