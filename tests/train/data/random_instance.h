#pragma once
// Instances for the tests of training.

#include "core/instance/generate.h"

namespace eco::train {

inline Instance random_instance(ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  return generate(options, index);
}

}  // namespace eco::train
