#pragma once
// All numbers that training runs have logged (metrics.jsonl), and their export: as a table (CSV)
// and as event files that TensorBoard reads.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/chart.h"

namespace eco {

// One line of metrics. Fields within fields have a dot: "margin_sampled.mean", "gap.tsp50".
struct MetricsLine {
  std::string stage;  // its folder or file: "sft", "improve"
  double step = 0;
  double seconds = 0, instances = 0;  // stages before it included
  double written = 0;                 // seconds since 1970, about: by the file's own time
  std::map<std::string, double> values;
};

struct RunMetrics {
  std::string name;
  std::vector<MetricsLine> lines;
};

// `stages` as for read_run (plot.h): a run's folder, a stage's, a file, or several joined by
// commas.
[[nodiscard]] RunMetrics read_metrics(const std::string& stages);

// Every name that occurs, in order.
[[nodiscard]] std::vector<std::string> metric_names(const std::vector<RunMetrics>& runs);

// One metric of a run against seconds / unit, with a ring where a later stage begins. Of a metric
// that it does not have, nothing.
[[nodiscard]] Series metric_series(const RunMetrics& run, const std::string& metric, double unit);

// A line for every number: run, stage, step, seconds, instances, metric, value.
[[nodiscard]] std::string metrics_csv(const std::vector<RunMetrics>& runs);

// The bytes of an event file: what TensorBoard shows as a run.
[[nodiscard]] std::string event_file(const RunMetrics& run);

// CRC-32C (Castagnoli), the checksum of event files.
[[nodiscard]] std::uint32_t crc32c(const std::string& bytes);

}  // namespace eco
