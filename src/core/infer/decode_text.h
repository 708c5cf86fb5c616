#pragma once
// Decodings as users write them: "greedy", "sample:32", "multistart:8", "augment:8", "beam:4".

#include <optional>
#include <string>
#include <string_view>

#include "core/infer/decode.h"

namespace eco {

// Sets method and samples. Throws eco::Error (usage) with what was expected.
void set_decode(std::string_view text, DecodeOptions& options);

// fast, balanced or thorough; nothing for any other word.
[[nodiscard]] std::optional<Effort> effort_from(std::string_view text);

[[nodiscard]] std::string decode_text(const DecodeOptions& options);

}  // namespace eco
