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

MergeBatch make_merge_batch(const MergeInput& input, std::span<const float> target,
                            std::span<const float> difference) {
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
  if (difference.empty()) return batch;
  batch.difference = floats(difference, {rows, columns});
  for (std::size_t state = 0; state < input.states(); ++state) {
    const auto of_state = difference.subspan(input.first[state] * k,
                                             (input.first[state + 1] - input.first[state]) * k);
    const bool differs =
        std::any_of(of_state.begin(), of_state.end(), [](float v) { return v != 0; });
    batch.pairs += differs ? 1 : 0;
  }
  return batch;
}

namespace {

// Adds to the rows of the newest state: value(count) at every candidate that the solution links a
// token to and the state does not yet, `count` being how many such partners the token has.
template <class Value>
void add_partners(const Fragments& state, const Partners& partners, const MergeInput& input,
                  std::vector<float>& table, Value value) {
  const std::size_t k = input.width, first = input.first[input.states() - 1];
  for (std::size_t row = first + input.fixed(); row < input.tokens(); ++row) {
    const NodeId node = input.node[row];
    std::array<NodeId, 2> left{partners.of(node)[0], partners.of(node)[1]};
    const std::size_t count = 2 - state.degree(node);
    // The partner that is made already goes to the end, which is not looked at.
    if (count == 1 && left[0] == state.edges(node)[0]) std::swap(left[0], left[1]);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t slot = 0; slot < input.count[row]; ++slot) {
        if (input.node[input.candidates[row * k + slot]] != left[i]) continue;
        table[row * k + slot] += static_cast<float>(value(static_cast<double>(count)));
      }
    }
  }
}

}  // namespace

void append_target(const Fragments& state, const Partners& partners, double weight,
                   const MergeInput& input, std::vector<float>& target) {
  assert(target.size() == input.first[input.states() - 1] * input.width);
  target.resize(input.tokens() * input.width, 0.0F);
  add_partners(state, partners, input, target, [&](double count) { return weight / count; });
}

void append_difference(const Fragments& state, const Partners& winner, const Partners* loser,
                       const MergeInput& input, std::vector<float>& difference) {
  assert(difference.size() == input.first[input.states() - 1] * input.width);
  difference.resize(input.tokens() * input.width, 0.0F);
  if (loser == nullptr) return;
  add_partners(state, winner, input, difference, [](double) { return 1.0; });
  add_partners(state, *loser, input, difference, [](double) { return -1.0; });
}

}  // namespace eco::train
