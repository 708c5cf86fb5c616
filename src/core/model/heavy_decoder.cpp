#include "core/model/heavy_decoder.h"

#include <algorithm>

namespace eco {

HeavyDecoder::HeavyDecoder(const PackedModel& model, std::size_t nodes)
    : model_(model),
      layers_(model),
      tokens_((nodes + 2) * model.config.dim),
      scores_(nodes * model.heavy.score.outputs()) {}

std::span<const float> HeavyDecoder::score(const Stretch& stretch,
                                           std::span<const std::uint32_t> open,
                                           const Deadline& deadline) {
  const PackedHeavy& heavy = model_.heavy;
  const std::size_t dim = model_.config.dim, outputs = heavy.score.outputs();
  float* x = tokens_.data();
  const auto end = [&](std::size_t row, std::uint32_t node, const PackedLinear& map,
                       const AlignedBuffer<float>& room) {
    gemm(1, stretch.h + node * dim, dim, map, x + row * dim, dim);
    for (std::size_t d = 0; d < room.size(); ++d) x[row * dim + d] += stretch.room * room[d];
  };
  end(0, stretch.last, heavy.last, heavy.last_room);
  end(1, stretch.destination, heavy.destination, heavy.destination_room);
  for (std::size_t i = 0; i < open.size(); ++i) {
    std::copy_n(stretch.h + open[i] * dim, dim, x + (i + 2) * dim);
  }
  const TokenSequence all{0, open.size() + 2, {}};
  if (!layers_.layers(heavy.stack, {&all, 1}, x, deadline)) return {};
  gemm(open.size(), x + 2 * dim, dim, heavy.score, scores_.data(), outputs);
  return {scores_.data(), open.size() * outputs};
}

}  // namespace eco
