// The heavy decoder of LEHD (docs/model.md, section 2). Every step serves one node, so all
// solutions of a batch have as many open nodes at it, and nothing is padded.

#include "train/nn/heavy_head.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "train/nn/stack.h"
#include "train/ops/ops.h"

namespace eco::train {

namespace {

using at::Tensor;

Tensor linear(const Policy& p, const std::string& name, const Tensor& x) {
  return project(x, p[name + ".weight"]) + p[name + ".bias"];
}

// Where each node of PointerBatch::order is served, [solutions, nodes].
struct Visits {
  Tensor step;  // long: the step that serves it
  // With a depot only:
  Tensor detour;     // bool: by way of the depot
  Tensor room;       // what is left before the way there, by way of the depot or not
  Tensor fits;       // as PointerBatch::fits, of that room
  Tensor from_home;  // bool: the way begins at the depot, so it is a detour whatever comes
};

Visits visits_of(const PointerBatch& batch) {
  Visits visits;
  const std::int64_t nodes = batch.order.size(1);
  const Tensor served = batch.served.to(at::kLong);
  const Tensor all = at::arange(nodes, at::kLong).expand({batch.solutions(), nodes});
  // The last step before which so many are served: a depot may stand before it.
  visits.step = at::searchsorted(served, all.contiguous(), false, /*right=*/true) - 1;
  if (!batch.dynamic.defined()) return visits;
  visits.from_home = visits.step == 0;
  const Tensor before = (visits.step - 1).clamp_min(0);
  const Tensor refilled = (batch.path.gather(1, before) == 0).logical_and(visits.step > 0);
  visits.detour = visits.from_home.logical_or(refilled);
  const Tensor departs = at::where(refilled, before, visits.step);
  visits.room = batch.dynamic.select(2, 0).gather(1, departs);
  visits.fits = batch.fits.gather(1, departs);
  return visits;
}

// What the encoder has made of the nodes that a step may read.
struct Encoded {
  Tensor rows;         // [rows, dim]
  Tensor destination;  // [solutions] row of each, like:
  Tensor start;        // the last node that is given
  Tensor open;         // [solutions, nodes]: in the order in which they are served; from `first` on
};

// first: the first node of the order that is chosen.
Encoded encode_open(const Policy& p, const PointerBatch& batch, std::int64_t first) {
  const std::int64_t solutions = batch.solutions(), nodes = batch.features.size(1);
  const bool depot = p.config().depot();
  const Tensor features = batch.features.to(p.flat().scalar_type());
  const Tensor home = depot ? at::zeros({solutions}, at::kLong) : batch.order.select(1, 0);
  const Tensor start = first > 0 ? batch.order.select(1, first - 1) : home;
  Tensor tokens = features;
  Encoded result;
  if (batch.given == 0) {  // whole instances, which solutions may share
    const Tensor base = batch.instance * nodes;
    result.destination = base + home;
    result.start = base + start;
    result.open = base.unsqueeze(1) + batch.order;
  } else {
    // The destination, where the stretch starts if that is another node, and what is open.
    const std::int64_t ends = first == (depot ? 0 : 1) ? 1 : 2;
    const std::int64_t open = batch.order.size(1) - first;
    Tensor seen = batch.order.narrow(1, first, open);
    if (ends == 2) seen = at::cat({start.unsqueeze(1), seen}, 1);
    seen = at::cat({home.unsqueeze(1), seen}, 1);
    const Tensor index = (batch.instance * nodes).unsqueeze(1) + seen;
    tokens = features.reshape({-1, features.size(2)})
                 .index_select(0, index.reshape(-1))
                 .view({solutions, ends + open, features.size(2)});
    const Tensor base = at::arange(solutions, at::kLong) * (ends + open);
    result.destination = base;
    result.start = base + (ends - 1);
    result.open = base.unsqueeze(1) + at::arange(batch.order.size(1), at::kLong) + (ends - first);
  }
  const Tensor h = encode(p, linear(p, "input", tokens));
  result.rows = h.reshape({-1, h.size(2)});
  return result;
}

class HeavySteps {
 public:
  HeavySteps(const Policy& p, const PointerBatch& batch, const PointerMask& mask)
      : p_(p),
        batch_(batch),
        mask_(mask),
        visits_(visits_of(batch)),
        first_(std::max<std::int64_t>(batch.given, p.config().depot() ? 0 : 1)),
        encoded_(encode_open(p, batch, first_)) {}

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] const Visits& visits() const { return visits_; }

  // [solutions]: log-probability of the choice that serves node i of the order.
  [[nodiscard]] Tensor choice(std::int64_t i) const {
    const std::int64_t open = batch_.order.size(1) - i;
    const Tensor last = i == first_ ? encoded_.start : encoded_.open.select(1, i - 1);
    const Tensor nodes = encoded_.open.narrow(1, i, open);
    const Tensor x =
        decode_open(p_, at::cat({end_of("last", last, i),
                                 end_of("destination", encoded_.destination, i), rows(nodes)},
                                1));
    const Tensor h = x.narrow(1, 2, open);
    if (!p_.config().depot()) {
      // The node that comes next stands first.
      const Tensor logits = project(h, p_["score.weight"]).squeeze(2);
      return at::log_softmax(logits, 1).select(1, 0);
    }
    const Tensor barred =
        at::stack({cannot_be_next(i, open), at::zeros({batch_.solutions(), open}, at::kBool)}, 2);
    const Tensor logits =
        linear(p_, "score", h).masked_fill(barred, -std::numeric_limits<double>::infinity());
    const Tensor chosen = visits_.detour.select(1, i).to(at::kLong).unsqueeze(1);
    return at::log_softmax(logits.reshape({batch_.solutions(), 2 * open}), 1)
        .gather(1, chosen)
        .squeeze(1);
  }

 private:
  [[nodiscard]] Tensor rows(const Tensor& index) const {  // [solutions, n] -> [solutions, n, dim]
    return encoded_.rows.index_select(0, index.reshape(-1))
        .view({index.size(0), index.size(1), encoded_.rows.size(1)});
  }

  [[nodiscard]] Tensor end_of(const std::string& name, const Tensor& row, std::int64_t i) const {
    const Tensor mapped = linear(p_, name, rows(row.unsqueeze(1)));
    if (!p_.config().depot()) return mapped;
    const Tensor room = visits_.room.select(1, i).to(mapped.scalar_type());
    return mapped + room.view({-1, 1, 1}) * p_[name + ".room"];
  }

  // Which of the open nodes [solutions, open] are not reached directly.
  [[nodiscard]] Tensor cannot_be_next(std::int64_t i, std::int64_t open) const {
    const std::int64_t nodes = batch_.features.size(1);
    const Tensor index = batch_.order.narrow(1, i, open) + (batch_.instance * nodes).unsqueeze(1);
    const Tensor rank = mask_.rank.reshape(-1).index_select(0, index.reshape(-1)).view({-1, open});
    return (rank >= visits_.fits.narrow(1, i, 1)).logical_or(visits_.from_home.narrow(1, i, 1));
  }

  const Policy& p_;
  const PointerBatch& batch_;
  const PointerMask& mask_;
  Visits visits_;
  std::int64_t first_;
  Encoded encoded_;
};

}  // namespace

Tensor heavy_log_probabilities(const Policy& p, const PointerBatch& batch,
                               const PointerMask& mask) {
  const HeavySteps steps(p, batch, mask);
  const Tensor& step = steps.visits().step;
  const Tensor counted = mask.counted.gather(1, step).to(p.flat().scalar_type());
  const Tensor any = counted.sum(0);
  std::vector<Tensor> values, places;
  for (std::int64_t i = steps.first(); i < step.size(1); ++i) {
    if (any[i].item<double>() == 0) continue;
    values.push_back(steps.choice(i) * counted.select(1, i));
    places.push_back(step.select(1, i));
  }
  const Tensor result = at::zeros(batch.path.sizes(), p.flat().options().requires_grad(false));
  // A loss is a function of the policy even where there is nothing to choose.
  if (values.empty()) return result + 0 * p["score.weight"].sum();
  return result.scatter(1, at::stack(places, 1), at::stack(values, 1));
}

}  // namespace eco::train
