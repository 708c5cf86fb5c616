#pragma once
// What the commands of a study left behind, read back. What is not there yet is left out.

#include <optional>
#include <string>
#include <vector>

#include "report/chart.h"
#include "report/gap.h"
#include "train/reproduce/plan.h"

namespace eco::train {

struct MarginFigures {
  double pairs = 0, mean = 0, median = 0, p10 = 0, p90 = 0;
};

struct RunResults {
  std::vector<std::vector<double>> gaps;  // [seeds][instances] percent
  std::vector<Series> curves;             // [seeds] validation gap against minutes of the clock
  double minutes = 0;                     // of all stages, mean over the seeds
  // Of the last quarter of the rounds, first seed.
  std::optional<MarginFigures> sampled, local_search;
  std::optional<double> order_gap, order_deviation;
  std::optional<double> rate_8, rate_all;  // instances a second
  struct Scale {
    std::size_t nodes;
    double megabytes, rate;
  };
  std::vector<Scale> scale;
  std::string failure;

  [[nodiscard]] std::vector<double> mean_gaps() const;  // [instances] over the seeds
  [[nodiscard]] double mean_gap() const;
  [[nodiscard]] std::optional<double> margin() const;  // mean of the whole buffer
};

// By Study::runs. `failures`: of the jobs.
[[nodiscard]] std::vector<RunResults> read_results(const Study& study, const StudyPlan& plan,
                                                   const std::string& folder,
                                                   const std::vector<std::string>& failures);

// Of the mean gap of a run, and of how much one lies above another on the same instances; drawn
// anew over instances, and over seeds where there are several.
[[nodiscard]] Interval gap_interval(const RunResults& run);
[[nodiscard]] Interval difference_interval(const RunResults& one, const RunResults& other);

}  // namespace eco::train
