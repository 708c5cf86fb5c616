// The decoders of AM and POMO: a query for every step, a glimpse at what is open then, and clipped
// logits (docs/model.md, section 2).

#include "train/nn/glimpse_head.h"

#include <cmath>
#include <limits>

#include "core/model/packed.h"
#include "train/nn/stack.h"
#include "train/ops/ops.h"

namespace eco::train {

namespace {

using at::Tensor;

// rows [instances, nodes, dim] of the nodes at [solutions, steps] -> [solutions, steps, dim]
Tensor rows_at(const Tensor& rows, const Tensor& nodes, const Tensor& instance) {
  const Tensor index = nodes + instance.unsqueeze(1) * rows.size(1);
  return rows.reshape({-1, rows.size(2)})
      .index_select(0, index.reshape(-1))
      .view({nodes.size(0), nodes.size(1), rows.size(2)});
}

// The query of every step: where it starts from, where the tour began, what is left, the graph.
Tensor step_context(const Policy& p, const Tensor& nodes, const PointerBatch& batch) {
  const std::int64_t solutions = batch.solutions(), steps = batch.steps(), dim = nodes.size(2);
  const Tensor last = project(nodes, p["context.last.weight"]);
  const Tensor before = batch.path.narrow(1, 0, steps - 1);
  Tensor context;
  if (p.config().depot()) {
    const Tensor from = at::cat({at::zeros({solutions, 1}, at::kLong), before}, 1);
    const Tensor room = batch.dynamic.narrow(2, 0, 1).to(nodes.scalar_type());
    context = rows_at(last, from, batch.instance) + room * p["context.room"];
  } else {
    const Tensor first = project(nodes, p["context.first.weight"]);
    const Tensor begun = rows_at(first, batch.path.narrow(1, 0, 1), batch.instance);
    // POMO is told where to start: its first step is no choice.
    const Tensor start = p.config().decoder == DecoderKind::am
                             ? p["start"].expand({solutions, 1, dim})
                             : at::zeros({solutions, 1, dim}, nodes.options());
    context = at::cat({start, rows_at(last, before, batch.instance) + begun}, 1);
  }
  if (p.config().decoder != DecoderKind::am) return context;
  const Tensor graph = project(nodes.mean(1), p["context.graph.weight"]);
  return context + graph.index_select(0, batch.instance).unsqueeze(1);
}

}  // namespace

Tensor glimpse_log_probabilities(const Policy& p, const PointerBatch& batch,
                                 const PointerMask& mask) {
  const Tensor input =
      project(batch.features.to(p.flat().scalar_type()), p["input.weight"]) + p["input.bias"];
  const Tensor nodes = encode(p, input);  // [instances, nodes, dim]
  const auto heads = static_cast<std::int64_t>(p.config().heads);
  const std::int64_t dim = nodes.size(2), count = nodes.size(1), width = dim / heads;
  const std::int64_t solutions = batch.solutions(), steps = batch.steps();

  // A step that does not count may have nothing to choose from; it looks at everything instead.
  const Tensor closed =
      feasible_nodes(mask, count).logical_or((mask.counted == 0).unsqueeze(2)).logical_not();
  const double least = -std::numeric_limits<double>::infinity();

  const auto by_head = [&](const Tensor& rows) {  // [solutions, heads, rows, width]
    return rows.view({solutions, rows.size(1), heads, width}).transpose(1, 2);
  };
  const auto of_nodes = [&](const std::string& name) {
    return by_head(project(nodes, p[name]).index_select(0, batch.instance));
  };
  const Tensor query = by_head(step_context(p, nodes, batch));
  const Tensor scores = at::matmul(query, of_nodes("glimpse.key.weight").transpose(2, 3)) /
                        std::sqrt(static_cast<double>(width));
  const Tensor seen = at::matmul(at::softmax(scores.masked_fill(closed.unsqueeze(1), least), 3),
                                 of_nodes("glimpse.value.weight"));
  Tensor pointer =
      project(seen.transpose(1, 2).reshape({solutions, steps, dim}), p["glimpse.out.weight"]);
  Tensor keys = nodes;
  if (p.config().decoder == DecoderKind::am) {
    keys = project(nodes, p["key.weight"]);
  } else {
    pointer = pointer + p["glimpse.out.bias"];
  }
  const Tensor logits =
      at::tanh(at::matmul(pointer, keys.index_select(0, batch.instance).transpose(1, 2)) /
               std::sqrt(static_cast<double>(dim))) *
      double{kLogitBound};
  const Tensor chosen = at::log_softmax(logits.masked_fill(closed, least), 2)
                            .gather(2, batch.path.unsqueeze(2))
                            .squeeze(2);
  return at::where(mask.counted != 0, chosen, at::zeros_like(chosen));
}

}  // namespace eco::train
