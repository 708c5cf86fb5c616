#pragma once
// Instances identified by what they hold: two files with the same instances and solutions are the
// same data whatever they are called, and one that was written anew under its old name is not.

#include <cstdint>
#include <string>

#include "core/instance/instance.h"
#include "train/data/checksum.h"

namespace eco::train {

// Coordinates, metric, demands, capacity, reference and its cost; names and comments do not count.
// Chains: give the result of the instance before.
[[nodiscard]] std::uint64_t content_of(const Instance& instance, std::uint64_t before);

// 16 hexadecimal digits.
[[nodiscard]] std::string content_text(std::uint64_t content);

}  // namespace eco::train
