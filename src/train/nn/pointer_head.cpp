// The scorer of the recurrent decoder (docs/model.md, section 2).

#include "train/nn/glimpse_head.h"
#include "train/nn/heavy_head.h"
#include "train/nn/policy.h"
#include "train/nn/stack.h"
#include "train/ops/ops.h"

namespace eco::train {

using at::Tensor;

Tensor Policy::log_probabilities(const PointerBatch& batch) const {
  const Policy& p = *this;
  PointerMask mask{batch.instance, batch.path, batch.counted, batch.order,
                   batch.served,   {},         batch.rank,    batch.fits};
  if (batch.dynamic.defined()) mask.at_depot = batch.dynamic.select(2, 1);
  if (config_.glimpse()) return glimpse_log_probabilities(p, batch, mask);
  if (config_.heavy()) return heavy_log_probabilities(p, batch, mask);
  const Tensor input =
      project(batch.features.to(flat_.scalar_type()), p["input.weight"]) + p["input.bias"];
  const Tensor nodes = encode(p, input);  // [instances, nodes, dim]
  const std::int64_t dim = nodes.size(2), count = nodes.size(1);

  // z_t = h_prev + g + dynamic d_t, the learned start in the place of h_prev at the first step.
  const std::int64_t solutions = batch.solutions(), steps = batch.steps();
  const Tensor previous = batch.path.narrow(1, 0, steps - 1) + batch.instance.unsqueeze(1) * count;
  const Tensor arrived = nodes.reshape({-1, dim}).index_select(0, previous.reshape(-1));
  Tensor z =
      at::cat({p["start"].expand({solutions, 1, dim}), arrived.view({solutions, steps - 1, dim})},
              1) +
      nodes.mean(1).index_select(0, batch.instance).unsqueeze(1);
  if (batch.dynamic.defined()) {
    z = z + project(batch.dynamic.to(flat_.scalar_type()), p["dynamic.weight"]);
  }
  const Tensor states = decode(p, z);  // [solutions, steps, dim]

  return pointer_log_probs(project(states, p["query.weight"]), project(nodes, p["key.weight"]),
                           at::matmul(nodes, p["node_bias.weight"]), mask);
}

}  // namespace eco::train
