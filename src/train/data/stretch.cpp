#include "train/data/stretch.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace eco::train {

void cut_stretches(PointerBatch& batch, std::size_t steps, Rng& rng) {
  const auto nodes = static_cast<std::size_t>(batch.order.size(1));
  // Without a depot the first node is no choice, and the last one leaves none.
  const std::size_t first = batch.dynamic.defined() ? 0 : 1;
  if (nodes < first + 2) return;
  const std::size_t given = first + rng.below(static_cast<std::uint32_t>(nodes - first - 1));
  batch.given = static_cast<std::int64_t>(given);
  std::vector<std::size_t> choices(nodes - first - given);
  std::iota(choices.begin(), choices.end(), given);
  rng.shuffle(std::span<std::size_t>(choices));
  if (steps > 0) choices.resize(std::min(steps, choices.size()));

  // By how many nodes are served before the step.
  const at::Tensor learned = at::zeros({static_cast<std::int64_t>(nodes) + 1}, at::kFloat);
  for (const std::size_t i : choices) learned.data_ptr<float>()[i] = 1;
  const at::Tensor served = batch.served.to(at::kLong);
  batch.counted.mul_(learned.index_select(0, served.reshape(-1)).view(served.sizes()));
}

}  // namespace eco::train
