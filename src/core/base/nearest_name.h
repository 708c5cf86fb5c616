#pragma once
// "Did you mean ...": the known name closest to a misspelt one.

#include <span>
#include <string>
#include <string_view>

namespace eco {

// "; did you mean 'known'?" or nothing if no known name is close enough.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       std::span<const std::string_view> known);

}  // namespace eco
