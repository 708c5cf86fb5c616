#pragma once
// Training curves as SVG: gap against wall-clock and against instances, several runs in one figure
// (the paper's first figure). Reading a run needs nothing but its metrics.jsonl.

#include <string>
#include <vector>

namespace eco {

struct CurvePoint {
  double seconds = 0;
  double instances = 0;
  double gap = 0;          // percent
  bool new_stage = false;  // first point of a later stage (sft, then improve)
};

struct RunCurve {
  std::string name;
  std::vector<CurvePoint> points;
};

// `stages`: a run's folder (its stages one after the other), one stage's folder or a metrics file,
// or several of them joined by commas, which then count as one run: each begins where the one
// before it ended. `set` names a held-out set ("tsp100"); empty: the mean over all. Throws
// eco::Error (input) if there is no validation to draw.
[[nodiscard]] RunCurve read_run(const std::string& stages, const std::string& set = {});

// The metrics files that `stages` names, in order; `name` gets the name of the run. Throws
// eco::Error (input) if there is none.
[[nodiscard]] std::vector<std::string> metrics_files_of(const std::string& stages,
                                                        std::string& name);

// Two panels side by side. Gaps are on a logarithmic axis.
[[nodiscard]] std::string curves_svg(const std::vector<RunCurve>& runs, const std::string& title);

}  // namespace eco
