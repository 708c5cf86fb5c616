#include "solver/embedded_weights.h"

#include <string>

#include "core/base/error.h"

// Defined by the library that eco_embed_weights makes.
extern "C" {
extern const std::byte eco_weights_tsp_begin[], eco_weights_tsp_end[];
extern const std::byte eco_weights_cvrp_begin[], eco_weights_cvrp_end[];
}

namespace eco {

std::span<const std::byte> embedded_weights_file(ProblemKind problem) {
  if (problem == ProblemKind::cvrp) return {eco_weights_cvrp_begin, eco_weights_cvrp_end};
  return {eco_weights_tsp_begin, eco_weights_tsp_end};
}

Weights embedded_weights(ProblemKind problem, io::Metadata* notes) {
  if (!has_embedded_weights(problem)) {
    throw Error(ErrorKind::usage, "this build carries no weights for the " +
                                      std::string(to_string(problem)) + ": name a file of them");
  }
  return io::parse_weights(embedded_weights_file(problem), "the embedded weights", notes);
}

}  // namespace eco
