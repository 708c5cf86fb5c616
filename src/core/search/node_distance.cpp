#include "core/search/node_distance.h"

#include "core/base/error.h"

namespace eco {

void require_symmetric(const Instance& instance) {
  if (instance.metric != Metric::matrix) return;
  const std::size_t nodes = instance.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (instance.matrix[i * nodes + j] == instance.matrix[j * nodes + i]) continue;
      throw input_error({instance.name, 0}, "the distance matrix is not symmetric (nodes " +
                                                std::to_string(j + 1) + " and " +
                                                std::to_string(i + 1) +
                                                "); search needs symmetric distances");
    }
  }
}

}  // namespace eco
