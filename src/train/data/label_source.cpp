#include "train/data/label_source.h"

#include "core/base/error.h"
#include "core/instance/generate.h"
#include "train/config/values.h"
#include "train/data/expert.h"

namespace eco::train {

Instance make_unlabelled(ProblemKind problem, const DataConfig& data, std::size_t nodes,
                         std::uint64_t index) {
  GeneratorOptions options;
  options.kind = problem;
  options.nodes = nodes;
  options.seed = data.seed;
  if (data.capacity > 0) options.capacity = data.capacity;
  const auto distribution = distribution_from(data.distribution);
  if (!distribution) {
    throw Error(ErrorKind::usage,
                "data.distribution is " + eco::quoted(data.distribution) + ", which is unknown");
  }
  options.distribution = *distribution;
  return generate(options, index);
}

Instance make_labelled(ProblemKind problem, const DataConfig& data, std::size_t nodes,
                       std::uint64_t index) {
  Instance instance = make_unlabelled(problem, data, nodes, index);
  label_instance(instance, data.effort, index);
  return instance;
}

std::string labels_description(ProblemKind problem, const DataConfig& data) {
  return std::string(to_string(problem)) + " distribution=" + data.distribution +
         " seed=" + show_value(data.seed) + " effort=" + show_value(data.effort) +
         " capacity=" + show_value(data.capacity);
}

void require_problem(const Instance& instance, ProblemKind problem, const std::string& which) {
  if (instance.kind != problem) {
    throw Error(ErrorKind::input, which + " is a " + std::string(to_string(instance.kind)) +
                                      ", expected a " + std::string(to_string(problem)));
  }
  if (!instance.has_points()) throw Error(ErrorKind::input, which + " has no coordinates");
}

}  // namespace eco::train
