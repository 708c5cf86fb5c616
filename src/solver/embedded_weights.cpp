#include "solver/embedded_weights.h"

#include <array>
#include <string>

#include "core/base/error.h"

// Defined by the library that eco_embed_weights makes.
extern "C" {
#define ECO_PROBLEM_WEIGHTS(name, ...) \
  extern const std::byte eco_weights_##name##_begin[], eco_weights_##name##_end[];
ECO_PROBLEMS(ECO_PROBLEM_WEIGHTS)
#undef ECO_PROBLEM_WEIGHTS
}

namespace eco {

namespace {

std::span<const std::byte> own_file(ProblemKind problem) {
#define ECO_PROBLEM_WEIGHTS(name, ...) \
  std::span(&eco_weights_##name##_begin[0], &eco_weights_##name##_end[0]),
  const std::array files{ECO_PROBLEMS(ECO_PROBLEM_WEIGHTS)};
#undef ECO_PROBLEM_WEIGHTS
  return files[index_of(problem)];
}

}  // namespace

bool has_own_weights(ProblemKind problem) {
  return !own_file(problem).empty();
}

std::span<const std::byte> embedded_weights_file(ProblemKind problem) {
  return own_file(has_own_weights(problem) ? problem : facts_of(problem).policy);
}

Weights embedded_weights(ProblemKind problem, io::Metadata* notes) {
  if (!has_embedded_weights(problem)) {
    throw Error(ErrorKind::usage, "this build carries no weights for the " +
                                      std::string(to_string(problem)) + ": name a file of them");
  }
  return io::parse_weights(embedded_weights_file(problem), "the embedded weights", notes);
}

}  // namespace eco
