#include "report/merge_trace.h"

#include <algorithm>

#include "core/expert/expert.h"
#include "core/problem/codec.h"
#include "core/problem/fragments.h"
#include "core/problem/problem.h"
#include "core/tour/edge.h"
#include "report/gap.h"
#include "report/table.h"

namespace eco {

namespace {

constexpr std::size_t kFewestOpen = 4;  // below, what is left is forced
constexpr std::uint64_t kSeeds = 2;     // the better of two runs: an expert's bad luck is no loss

// The best that is still possible with these links, as far as the expert finds it.
double cost_with(const Instance& instance, std::span<const Edge> links) {
  const Expert& expert = expert_named("auto", instance.kind);
  ExpertOptions options;
  options.forced = links;
  double best = 0;
  for (options.seed = 0; options.seed < kSeeds; ++options.seed) {
    const double found = cost(instance, expert.solve(instance, options));
    best = options.seed == 0 ? found : std::min(best, found);
  }
  return best;
}

}  // namespace

MergeTrace& MergeTrace::operator+=(const MergeTrace& other) {
  for (std::size_t r = 0; r < kRows; ++r) {
    rows[r].rounds += other.rows[r].rounds;
    rows[r].links += other.rows[r].links;
    rows[r].known += other.rows[r].known;
    rows[r].confidence += other.rows[r].confidence;
    rows[r].lost_percent += other.rows[r].lost_percent;
  }
  instances += other.instances;
  start_percent += other.start_percent;
  gap_percent += other.gap_percent;
  routes += other.routes;
  reference_routes += other.reference_routes;
  return *this;
}

MergeTrace trace_merges(const Instance& instance, const Rollout& rollout) {
  MergeTrace trace;
  const double reference = instance.reference_cost.value();
  const Partners known(instance, *instance.reference);
  Fragments state(instance);
  std::vector<Edge> links;
  double before = cost_with(instance, {});
  trace.instances = 1;
  trace.start_percent = gap_percent(before, reference);
  trace.gap_percent = gap_percent(rollout.cost, reference);
  if (instance.has_depot()) {
    trace.routes = to_routes(rollout.solution).size();
    trace.reference_routes = to_routes(*instance.reference).size();
  }
  for (std::size_t r = 0; r < rollout.rounds.size(); ++r) {
    const std::size_t tenth = MergeTrace::kRows * state.open_nodes() / instance.customers();
    TraceRow& row = trace.rows[MergeTrace::kRows - 1 - std::min(tenth, MergeTrace::kRows - 1)];
    ++row.rounds;
    for (const Merge& merge : rollout.rounds[r]) {
      ++row.links;
      row.confidence += merge.confidence;
      row.known += known.linked(merge.a, merge.b) ? 1 : 0;
      links.push_back({merge.a, merge.b});
      state.add(merge.a, merge.b);
    }
    const bool last = r + 1 == rollout.rounds.size();
    double after = rollout.cost;
    // What is left of a few nodes is forced, or nearly so: no news before the end.
    if (!last) after = state.open_nodes() < kFewestOpen ? before : cost_with(instance, links);
    row.lost_percent += 100 * (after - before) / reference;
    before = after;
  }
  return trace;
}

std::string trace_text(const MergeTrace& trace) {
  const auto count = static_cast<double>(trace.instances);
  Table table({"open %", "rounds", "links", "confidence", "in reference %", "lost points"});
  for (std::size_t r = 0; r < MergeTrace::kRows; ++r) {
    const TraceRow& row = trace.rows[r];
    if (row.rounds == 0) continue;
    const auto links = static_cast<double>(std::max<std::size_t>(row.links, 1));
    const std::size_t high = 10 * (MergeTrace::kRows - r);
    table.add_row({std::to_string(high) + "-" + std::to_string(high - 10),
                   decimal(static_cast<double>(row.rounds) / count, 1),
                   decimal(static_cast<double>(row.links) / count, 1),
                   decimal(row.confidence / links, 3),
                   decimal(100 * static_cast<double>(row.known) / links, 1),
                   decimal(row.lost_percent / count, 3)});
  }
  std::string text = table.text() + "gap " + decimal(trace.gap_percent / count, 3) +
                     "%, of which the expert alone " + decimal(trace.start_percent / count, 3) +
                     "%";
  if (trace.reference_routes > 0) {
    text += ", routes " + decimal(static_cast<double>(trace.routes) / count, 2) + ", reference " +
            decimal(static_cast<double>(trace.reference_routes) / count, 2);
  }
  return text + "\n";
}

}  // namespace eco
