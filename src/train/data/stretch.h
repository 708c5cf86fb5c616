#pragma once
// What LEHD learns from: stretches of expert solutions. A solution that is written down from a
// random node in a random direction, or with its routes in random order and directions
// (random_order.h), is given up to a random node; the rest is the stretch. To the policy it is an
// instance of its own: where it starts (with what the vehicle has left there), what is open, and
// where it ends, the first node or the depot.

#include <cstddef>

#include "core/base/rng.h"
#include "train/data/batch.h"

namespace eco::train {

// Makes stretches of the solutions of a batch, all as long as each other: of at least two open
// nodes, of any length as likely. `steps` of the choices along each are learned from, drawn at
// random, the same ones of all; 0: all of them.
void cut_stretches(PointerBatch& batch, std::size_t steps, Rng& rng);

}  // namespace eco::train
