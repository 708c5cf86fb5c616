// Writes untrained weights, for tests and measurements that need a model and not its quality.
// usage: random_weights paper|best tsp|cvrp DIM FILE (DIM 0: as the preset)

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "core/model/weights.h"
#include "io/weights.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    (void)std::fprintf(stderr, "usage: random_weights paper|best tsp|cvrp DIM FILE\n");
    return 2;
  }
  const std::string_view preset = argv[1], problem = argv[2];
  const auto kind = problem == "cvrp" ? eco::ProblemKind::cvrp : eco::ProblemKind::tsp;
  eco::ModelConfig config = preset == "best" ? eco::best_preset(kind) : eco::paper_preset(kind);
  if (const auto dim = std::strtoul(argv[3], nullptr, 10); dim > 0) {
    config.dim = dim;
    if (config.constructor == eco::ConstructorKind::merging) {
      config.scorer_dim = dim;
      config.heads = std::min(config.heads, dim / 8);
    }
  }
  try {
    eco::io::save_weights(argv[4], eco::random_weights(config, 1),
                          {{"train.hours", "0"}, {"train.recipe", "none, random weights"}});
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
