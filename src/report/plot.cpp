#include "report/plot.h"

#include <algorithm>

#include "report/chart.h"
#include "report/table.h"

namespace eco {

namespace {

Panel gap_panel(const std::vector<RunCurve>& runs, const char* label, double CurvePoint::*member,
                double unit) {
  Panel panel{{label, false}, {"gap (%)", true}, {}};
  for (const RunCurve& run : runs) {
    Series series;
    series.name = run.name;
    for (const CurvePoint& point : run.points) {
      if (point.new_stage) series.rings.push_back(series.x.size());
      series.x.push_back(point.*member / unit);
      series.y.push_back(point.gap);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::string curves_svg(const std::vector<RunCurve>& runs, const std::string& title) {
  double longest = 0;
  std::vector<std::string> legend;
  for (const RunCurve& run : runs) {
    longest = std::max(longest, run.points.back().seconds);
    const auto best =
        std::min_element(run.points.begin(), run.points.end(),
                         [](const CurvePoint& a, const CurvePoint& b) { return a.gap < b.gap; });
    legend.push_back(run.name + ": best " + decimal(best->gap, 2) + "%, last " +
                     decimal(run.points.back().gap, 2) + "%");
  }
  const bool hours = longest > 3 * 3600;
  return figure_svg(
      title,
      {gap_panel(runs, hours ? "hours" : "minutes", &CurvePoint::seconds, hours ? 3600 : 60),
       gap_panel(runs, "instances", &CurvePoint::instances, 1)},
      legend);
}

}  // namespace eco
