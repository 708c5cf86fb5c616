#include "core/search/node_distance.h"

#include <optional>
#include <utility>

#include "core/base/error.h"

namespace eco {

namespace {

std::optional<std::pair<std::size_t, std::size_t>> asymmetric_pair(const Instance& instance) {
  if (instance.metric != Metric::matrix) return std::nullopt;
  const std::size_t nodes = instance.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (instance.matrix[i * nodes + j] != instance.matrix[j * nodes + i]) return {{j, i}};
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_symmetric(const Instance& instance) {
  return !asymmetric_pair(instance).has_value();
}

void require_symmetric(const Instance& instance) {
  const auto pair = asymmetric_pair(instance);
  if (!pair) return;
  throw input_error({instance.name, 0}, "the distance matrix is not symmetric (nodes " +
                                            std::to_string(pair->first + 1) + " and " +
                                            std::to_string(pair->second + 1) +
                                            "); this search needs symmetric distances");
}

}  // namespace eco
