#include "train/reproduce/study_report.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "report/table.h"
#include "train/config/values.h"

namespace eco::train {

namespace {

using Cells = std::vector<std::vector<std::string>>;

constexpr const char* kMissing = "not yet";

std::string interval_text(const Interval& interval, int digits) {
  return decimal(interval.low, digits) + " to " + decimal(interval.high, digits);
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class ReportWriter {
 public:
  ReportWriter(const Study& study, const StudyOptions& options, const StudyPlan& plan,
               const std::vector<RunResults>& results)
      : study_(study),
        options_(options),
        plan_(plan),
        results_(results),
        document_("The paper's tables, reproduced") {}

  Document write() {
    introduction();
    for (const StudyTable* table : chosen_tables(study_, options_.only)) {
      document_.heading(table->title);
      if (!table->text.empty()) document_.paragraph(table->text);
      if (!table->paper.empty()) document_.paragraph("The paper: " + table->paper + ".");
      if (table->columns.contains("gap")) gap_table(*table);
      if (table->columns.contains("orders")) orders_table(*table);
      if (table->columns.contains("margins")) margins_table(*table);
      if (table->columns.contains("timing")) timing_table(*table);
      if (table->columns.contains("scale")) scale_figure(*table);
      for (const StudyClaim& claim : table->claims) document_.bullet(verdict(claim));
      for (const std::string& error : table->errors) {
        document_.bullet("Known of the paper: " + error);
      }
    }
    convergence();
    return std::move(document_);
  }

 private:
  void introduction() {
    std::size_t seeded = 0, runs = 0;
    for (const RunPlaces& places : plan_.runs) {
      runs += 1;
      seeded += places.seed == 1 && study_.runs[places.run].seeded ? 1 : 0;
    }
    document_.paragraph(
        "Written by `eco-train reproduce --minutes " + show_value(options_.minutes) + " --nodes " +
        std::to_string(options_.nodes) + " --seeds " + std::to_string(options_.seeds) +
        (options_.only.empty() ? "" : " --only " + options_.only) + "`. Every row has " +
        show_value(options_.minutes) +
        " minutes of processor time on one thread, both stages together; " + std::to_string(runs) +
        " runs, " + std::to_string(options_.seeds) + " seeds for " + std::to_string(seeded) +
        " of the rows and one for the others. Labels are not counted, as in the paper.");
    document_.paragraph("Gaps are of " + std::to_string(options_.nodes) +
                        " nodes, greedy, in percent above our own experts at ten times the effort "
                        "of a training label, on instances that no "
                        "training has seen, with 95% intervals by the bootstrap over instances, "
                        "and over seeds where a row has several. The "
                        "paper's figures are of another size, machine and time: what can be "
                        "compared is which row is better. Where a row has one "
                        "seed, the noise of its training is not in the interval. `commands.txt` "
                        "has every command.");
  }

  [[nodiscard]] static std::vector<std::string> problems_of(const StudyTable& table) {
    std::vector<std::string> problems;
    for (const StudyRow& row : table.rows) {
      if (std::find(problems.begin(), problems.end(), row.problem) == problems.end()) {
        problems.push_back(row.problem);
      }
    }
    return problems;
  }
  // Names in the order of the file, each once.
  [[nodiscard]] static std::vector<std::string> names_of(const StudyTable& table) {
    std::vector<std::string> names;
    for (const StudyRow& row : table.rows) {
      if (std::find(names.begin(), names.end(), row.name) == names.end()) names.push_back(row.name);
    }
    return names;
  }
  [[nodiscard]] static const StudyRow* row_of(const StudyTable& table, const std::string& name,
                                              const std::string& problem) {
    for (const StudyRow& row : table.rows) {
      if (row.name == name && row.problem == problem) return &row;
    }
    return nullptr;
  }
  [[nodiscard]] std::string label(const std::string& problem) const {
    return upper(problem) + std::to_string(options_.nodes);
  }

  // What stands where a number should.
  [[nodiscard]] std::string or_missing(const RunResults& result, const std::optional<double>& value,
                                       int digits) const {
    if (value) return decimal(*value, digits);
    return result.failure.empty() ? kMissing : "failed: " + result.failure;
  }

  [[nodiscard]] std::string gap_cell(const RunResults& result) const {
    if (result.gaps.empty()) return or_missing(result, {}, 2);
    std::string text =
        decimal(result.mean_gap(), 2) + " (" + interval_text(gap_interval(result), 2) + ")";
    if (result.gaps.size() > 1) text += ", " + std::to_string(result.gaps.size()) + " seeds";
    return text;
  }

  void gap_table(const StudyTable& table) {
    const auto problems = problems_of(table);
    const bool margin = table.columns.contains("margin");
    Cells cells{{"row"}};
    for (const std::string& problem : problems) {
      cells[0].push_back(upper(problem) + ", the paper");
      cells[0].push_back(label(problem) + " gap %");
      if (margin) cells[0].push_back(upper(problem) + " margin %");
    }
    for (const std::string& name : names_of(table)) {
      std::vector<std::string> line{name};
      for (const std::string& problem : problems) {
        const StudyRow* row = row_of(table, name, problem);
        line.push_back(row == nullptr || row->figure == "-" ? "" : row->figure);
        line.push_back(row == nullptr ? "" : gap_cell(results_[row->run]));
        if (!margin) continue;
        line.push_back(
            row == nullptr ? "" : or_missing(results_[row->run], results_[row->run].margin(), 2));
      }
      cells.push_back(std::move(line));
    }
    document_.table(std::move(cells));
  }

  void orders_table(const StudyTable& table) {
    const auto problems = problems_of(table);
    Cells cells{{"order"}};
    for (const std::string& problem : problems) {
      cells[0].push_back(label(problem) + " mean over 16 orders");
      cells[0].push_back("deviation");
    }
    for (const std::string& name : names_of(table)) {
      std::vector<std::string> line{name};
      for (const std::string& problem : problems) {
        const StudyRow* row = row_of(table, name, problem);
        line.push_back(
            row == nullptr ? "" : or_missing(results_[row->run], results_[row->run].order_gap, 2));
        line.push_back(row == nullptr
                           ? ""
                           : or_missing(results_[row->run], results_[row->run].order_deviation, 3));
      }
      cells.push_back(std::move(line));
    }
    document_.table(std::move(cells));
  }

  void margins_table(const StudyTable& table) {
    Cells cells{{"pairs", "source", "mean", "median", "P10", "P90"}};
    for (const StudyRow& row : table.rows) {
      const RunResults& result = results_[row.run];
      for (const auto& [source, margins] : {std::pair{"samples", &result.sampled},
                                            std::pair{"local search", &result.local_search}}) {
        std::vector<std::string> line{label(row.problem) + ", " + row.name, source};
        for (const auto member : {&MarginFigures::mean, &MarginFigures::median, &MarginFigures::p10,
                                  &MarginFigures::p90}) {
          line.push_back(*margins ? decimal((**margins).*member, 2) : or_missing(result, {}, 2));
        }
        cells.push_back(std::move(line));
      }
      if (!result.sampled || !result.local_search) continue;
      const double ratio = result.local_search->mean / std::max(result.sampled->mean, 1e-9);
      document_.bullet(
          label(row.problem) + ", " + row.name + ": pairs by local search have " +
          decimal(ratio, 2) +
          " times the margin of sampled pairs. The paper's claim (wider, about tenfold) " +
          (ratio > 1.05 ? "holds here in direction." : "does not hold here."));
    }
    document_.table(std::move(cells));
  }

  void timing_table(const StudyTable& table) {
    Cells cells{
        {"row", "problem", "batch of 8: instances a second", "all at once: instances a second"}};
    for (const StudyRow& row : table.rows) {
      const RunResults& result = results_[row.run];
      cells.push_back({row.name, label(row.problem), or_missing(result, result.rate_8, 1),
                       or_missing(result, result.rate_all, 1)});
    }
    document_.table(std::move(cells));
  }

  void scale_figure(const StudyTable& table) {
    Panel memory{{"nodes", true}, {"peak memory (MB)", true}, {}};
    Panel rate{{"nodes", true}, {"instances a second", true}, {}};
    Cells cells{{"row", "nodes", "peak memory, MB", "instances a second"}};
    std::vector<std::string> legend;
    for (const StudyRow& row : table.rows) {
      Series bytes{row.name, {}, {}, {}, {}, {}}, speed = bytes;
      for (const RunResults::Scale& at : results_[row.run].scale) {
        bytes.x.push_back(static_cast<double>(at.nodes));
        speed.x.push_back(static_cast<double>(at.nodes));
        bytes.y.push_back(at.megabytes);
        speed.y.push_back(at.rate);
        cells.push_back({row.name, std::to_string(at.nodes), decimal(at.megabytes, 0),
                         decimal(at.rate, at.rate < 10 ? 3 : 1)});
      }
      memory.series.push_back(std::move(bytes));
      rate.series.push_back(std::move(speed));
      legend.push_back(row.name);
    }
    document_.table(std::move(cells));
    document_.figure(
        "scale", "Peak memory and throughput against the number of nodes, batch of 8, one thread",
        figure_svg("Memory and throughput", {memory, rate}, legend));
  }

  [[nodiscard]] std::string verdict(const StudyClaim& claim) const {
    const RunResults& better = results_[claim.better_run];
    const RunResults& worse = results_[claim.worse_run];
    const std::string who = label(claim.problem) + ", \"" + claim.text + "\" ";
    if (better.gaps.empty() || worse.gaps.empty()) {
      return who + "cannot be judged: " + claim.better + " or " + claim.worse + " has no result" +
             (better.failure.empty() && worse.failure.empty() ? " yet." : ", its training failed.");
    }
    const Interval difference = difference_interval(better, worse);
    const std::string figures = " " + claim.better + " " + decimal(better.mean_gap(), 2) + "%, " +
                                claim.worse + " " + decimal(worse.mean_gap(), 2) +
                                "%; difference " + interval_text(difference, 2) + " points.";
    if (difference.high < 0) return who + "holds here." + figures;
    if (difference.low > 0) return who + "does not hold here: the other way round." + figures;
    return who + "is open here: the interval of the difference has 0 in it." + figures;
  }

  // Validation gap against processor time, of the rows of the first two tables that take part.
  void convergence() {
    constexpr std::size_t kMostCurves = 8;
    std::vector<const StudyRow*> rows;
    const auto tables = chosen_tables(study_, options_.only);
    for (const StudyTable* table : tables) {
      if (!table->columns.contains("gap")) continue;
      for (const StudyRow& row : table->rows) {
        const auto same = [&](const StudyRow* other) { return other->run == row.run; };
        if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back(&row);
      }
    }
    bool titled = false;
    for (const auto& [problem, unused] : study_.data) {
      Panel panel{{"minutes of processor time", false}, {"validation gap (%)", true}, {}};
      std::vector<std::string> legend;
      for (const StudyRow* row : rows) {
        const RunResults& result = results_[row->run];
        if (row->problem != problem || result.curves.empty() || legend.size() == kMostCurves)
          continue;
        panel.series.push_back(result.curves.size() > 1 ? band_over(row->name, result.curves)
                                                        : result.curves[0]);
        legend.push_back(row->name + (result.curves.size() > 1
                                          ? ", " + std::to_string(result.curves.size()) +
                                                " seeds (mean, least and largest)"
                                          : ""));
      }
      if (legend.empty()) continue;
      if (!titled) document_.heading("Convergence");
      titled = true;
      document_.figure("convergence-" + problem,
                       label(problem) + ": validation gap against processor time",
                       figure_svg(label(problem) + ": gap against time", {panel}, legend));
    }
  }

  const Study& study_;
  const StudyOptions& options_;
  const StudyPlan& plan_;
  const std::vector<RunResults>& results_;
  Document document_;
};

}  // namespace

Document study_report(const Study& study, const StudyOptions& options, const StudyPlan& plan,
                      const std::vector<RunResults>& results) {
  return ReportWriter(study, options, plan, results).write();
}

}  // namespace eco::train
