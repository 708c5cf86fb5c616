#pragma once
// The nearest known word to a misspelt one.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eco::cli {

// The known word with the fewest edits (insert, delete, replace, swap neighbours), if it is close
// enough to be what was meant.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> known);

// ". Did you mean 'X'?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace eco::cli
