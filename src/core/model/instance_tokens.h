#pragma once
// What the encoder of the sequential constructor reads: the nodes of an instance in canonical
// order, in the unit square (docs/model.md, section 2). Training and the engine both take their
// inputs from here.

#include <cstdint>
#include <span>
#include <vector>

#include "core/instance/instance.h"
#include "core/model/config.h"

namespace eco {

struct InstanceTokens {
  std::vector<NodeId> order;    // [nodes] position -> node; CVRP: the depot first
  std::vector<float> features;  // [nodes, token features]
};

[[nodiscard]] InstanceTokens instance_tokens(const ModelConfig& config, const Instance& instance);

}  // namespace eco
