#pragma once
// How a fresh network is filled (core/model/tensors.h, Init).

#include <cstdint>
#include <span>

#include "core/base/rng.h"
#include "core/model/config.h"
#include "core/model/tensors.h"

namespace eco::train {

void initialise(const ModelConfig& config, const TensorSpec& spec, Rng& rng,
                std::span<float> values);

}  // namespace eco::train
