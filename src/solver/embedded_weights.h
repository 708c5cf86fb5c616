#pragma once
// The default weights that this binary carries (cmake/EcoWeights.cmake), read in place.

#include <cstddef>
#include <span>
#include <string_view>

#include "core/model/weights.h"
#include "io/weights.h"

namespace eco {

// What --weights is called when the embedded ones are meant.
inline constexpr std::string_view kDefaultWeights = "default";

// The bytes of a safetensors file, of another problem where its policy serves this one
// (ProblemFacts::policy); empty if the build has none for the problem.
[[nodiscard]] std::span<const std::byte> embedded_weights_file(ProblemKind problem);
[[nodiscard]] inline bool has_embedded_weights(ProblemKind problem) {
  return !embedded_weights_file(problem).empty();
}

// Not counting what another problem's policy does for it.
[[nodiscard]] bool has_own_weights(ProblemKind problem);

// Throws eco::Error (usage) if there are none.
[[nodiscard]] Weights embedded_weights(ProblemKind problem, io::Metadata* notes = nullptr);

}  // namespace eco
