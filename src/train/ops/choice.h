#pragma once
// Which form of the hot operations runs (ops.h). Apart from them, since they need LibTorch's
// headers and a config does not.

#include <cstdint>

namespace eco::train {

enum class Ops : std::uint8_t { fused, plain };

}  // namespace eco::train
