#include "train/data/label_source.h"

#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "train/config/values.h"
#include "train/data/expert.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kKindStream = 0x4d1fULL << 48U;  // apart from every other use of the seed

Distribution draw_distribution(const std::vector<DistributionShare>& shares, Rng& rng) {
  std::vector<double> weights;
  weights.reserve(shares.size());
  for (const DistributionShare& share : shares) weights.push_back(share.weight);
  return shares[rng.weighted(weights)].distribution;
}

}  // namespace

Instance make_unlabelled(ProblemKind problem, const DataConfig& data, std::size_t nodes,
                         std::uint64_t index) {
  GeneratorOptions options;
  options.kind = problem;
  options.nodes = nodes;
  options.seed = data.seed;
  if (data.capacity > 0) options.capacity = data.capacity;
  Rng rng(data.seed, kKindStream + index);
  options.distribution = draw_distribution(data.distribution, rng);
  if (data.longest_route > 0) {
    options.route_size = rng.uniform(data.shortest_route, data.longest_route);
  }
  return generate(options, index);
}

Instance make_labelled(ProblemKind problem, const DataConfig& data, std::size_t nodes,
                       std::uint64_t index, const std::stop_token& stop) {
  Instance instance = make_unlabelled(problem, data, nodes, index);
  label_instance(instance, data.effort, index, stop);
  return instance;
}

std::string labels_description(ProblemKind problem, const DataConfig& data) {
  const std::string routes = data.longest_route > 0 ? " routes=" + show_value(data.shortest_route) +
                                                          "-" + show_value(data.longest_route)
                                                    : "";
  return std::string(to_string(problem)) + " distribution=" + show_value(data.distribution) +
         " seed=" + show_value(data.seed) + " effort=" + show_value(data.effort) +
         " capacity=" + show_value(data.capacity) + routes;
}

void require_problem(const Instance& instance, ProblemKind problem, const std::string& which) {
  if (instance.kind != problem) {
    throw Error(ErrorKind::input, which + " is a " + std::string(to_string(instance.kind)) +
                                      ", expected a " + std::string(to_string(problem)));
  }
  if (!instance.has_points()) throw Error(ErrorKind::input, which + " has no coordinates");
}

}  // namespace eco::train
