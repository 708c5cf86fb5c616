#include "train/data/merge_batch.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace eco::train {

namespace {

at::Tensor longs(std::size_t rows, std::size_t columns = 0) {
  const auto count = static_cast<std::int64_t>(rows);
  if (columns == 0) return at::empty({count}, at::kLong);
  return at::empty({count, static_cast<std::int64_t>(columns)}, at::kLong);
}

at::Tensor floats(std::span<const float> values, std::vector<std::int64_t> shape) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
  return tensor;
}

// Every entry as a long; kNone becomes `none`.
at::Tensor indices(std::span<const std::uint32_t> values, std::size_t columns, std::int64_t none) {
  at::Tensor tensor = longs(values.size() / std::max<std::size_t>(columns, 1), columns);
  std::transform(values.begin(), values.end(), tensor.data_ptr<std::int64_t>(),
                 [none](std::uint32_t value) {
                   return value == MergeInput::kNone ? none : static_cast<std::int64_t>(value);
                 });
  return tensor;
}

}  // namespace

MergeBatch make_merge_batch(const MergeInput& input, std::span<const float> target) {
  const std::size_t tokens = input.tokens(), k = input.width;
  const auto rows = static_cast<std::int64_t>(tokens), columns = static_cast<std::int64_t>(k);
  MergeBatch batch;
  batch.sequences.first.assign(input.first.begin(), input.first.end());
  batch.features =
      floats(input.features, {rows, static_cast<std::int64_t>(token_feature_width(input.depot))});
  batch.backward = longs(tokens);
  batch.hilbert = longs(tokens);
  batch.hilbert_back = longs(tokens);
  auto* backward = batch.backward.data_ptr<std::int64_t>();
  auto* hilbert = batch.hilbert.data_ptr<std::int64_t>();
  auto* hilbert_back = batch.hilbert_back.data_ptr<std::int64_t>();
  for (std::size_t state = 0; state < input.states(); ++state) {
    const std::size_t first = input.first[state], end = input.first[state + 1];
    for (std::size_t row = first; row < end; ++row) {
      const std::size_t mirrored = first + end - 1 - row;
      backward[row] = static_cast<std::int64_t>(mirrored);
      hilbert[row] = static_cast<std::int64_t>(first + input.hilbert[row]);
      hilbert_back[row] = static_cast<std::int64_t>(first + input.hilbert[mirrored]);
    }
  }
  batch.other = indices(input.other, 0, 0);
  batch.candidates = indices(input.candidates, k, 0);
  batch.back = indices(input.back, k, -1);
  batch.count = at::empty({rows}, at::kInt);
  std::copy(input.count.begin(), input.count.end(), batch.count.data_ptr<int>());
  batch.edge_features =
      floats(input.edge_features,
             {rows, columns, static_cast<std::int64_t>(edge_feature_width(input.depot))});
  batch.target = floats(target, {rows, columns});
  for (const float value : target) batch.weight += value;
  return batch;
}

Partners::Partners(const Instance& instance, const Solution& solution) : both_(instance.size()) {
  const auto& sequence = solution.sequence;
  const std::size_t size = sequence.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (instance.has_depot() && sequence[i] == kDepot) continue;
    both_[sequence[i].index()] = {sequence[(i + size - 1) % size], sequence[(i + 1) % size]};
  }
}

void append_target(const Fragments& state, const Partners& partners, double weight,
                   const MergeInput& input, std::vector<float>& target) {
  const std::size_t k = input.width, first = input.first[input.states() - 1];
  assert(target.size() == first * k);
  target.resize(input.tokens() * k, 0.0F);
  for (std::size_t row = first + input.fixed(); row < input.tokens(); ++row) {
    const NodeId node = input.node[row];
    std::array<NodeId, 2> left{partners.of(node)[0], partners.of(node)[1]};
    const std::size_t count = 2 - state.degree(node);
    // The partner that is made already goes to the end, which is not looked at.
    if (count == 1 && left[0] == state.edges(node)[0]) std::swap(left[0], left[1]);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t slot = 0; slot < input.count[row]; ++slot) {
        if (input.node[input.candidates[row * k + slot]] != left[i]) continue;
        target[row * k + slot] += static_cast<float>(weight / static_cast<double>(count));
      }
    }
  }
}

}  // namespace eco::train
