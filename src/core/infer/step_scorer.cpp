#include "core/infer/step_scorer.h"

#include <algorithm>

#include "core/kernels/glimpse.h"
#include "core/kernels/norm.h"
#include "core/kernels/score.h"

namespace eco {

StepScorer::StepScorer(const PackedModel& model, Decoder& decoder, std::size_t rows,
                       std::size_t nodes)
    : model_(model),
      decoder_(decoder),
      features_(model.config.dynamic_features()),
      places_(rows),
      z_(rows * model.config.dim),
      query_(rows * model.config.dim),
      dynamic_(rows * features_),
      scratch_(model.config.glimpse() ? glimpse_scratch(nodes, model.config.heads) : 0),
      logits_(nodes) {}

void StepScorer::set_row(std::size_t r, const Place& place, bool first_step) {
  places_[r] = place;
  const std::size_t dim = model_.config.dim;
  float* z = z_.data() + r * dim;
  const PointerEncoding::View& encoded = place.encoded;
  if (!model_.config.glimpse()) {
    // z_t without the dynamic part: h_prev (or the learned start) + g.
    const float* previous = first_step ? model_.start.data() : encoded.h + place.last * dim;
    for (std::size_t d = 0; d < dim; ++d) z[d] = previous[d] + encoded.mean[d];
    return;
  }
  const PackedGlimpse& glimpse = model_.glimpse;
  std::copy_n(encoded.graph, dim, z);
  if (!place.begun) {
    // POMO has no start: its first node is given, and nothing asks for the logits of that step.
    if (glimpse.start.size() > 0) add_to(dim, glimpse.start.data(), z);
    return;
  }
  add_to(dim, encoded.context + place.last * glimpse.width(), z);
  if (glimpse.room.size() == 0) {
    add_to(dim, encoded.context + place.first * glimpse.width() + glimpse.first, z);
    return;
  }
  const float room = dynamic_[r * features_];
  for (std::size_t d = 0; d < dim; ++d) z[d] += room * glimpse.room[d];
}

void StepScorer::step(std::span<const std::uint32_t> slots) {
  if (model_.config.glimpse()) return;
  const std::size_t dim = model_.config.dim;
  if (features_ > 0) {
    gemm(slots.size(), dynamic_.data(), features_, model_.dynamic, z_.data(), dim, Epilogue::add);
  }
  decoder_.step(slots, z_.data());
  gemm(slots.size(), z_.data(), dim, model_.query, query_.data(), dim);
}

std::span<const float> StepScorer::logits(std::size_t r, std::span<const std::uint32_t> feasible) {
  const std::size_t dim = model_.config.dim;
  const PointerEncoding::View& encoded = places_[r].encoded;
  const std::span<float> result(logits_.data(), feasible.size());
  if (model_.config.glimpse()) glimpse_query(r, feasible);
  score_open(feasible, dim, query_.data() + r * dim, encoded.keys, encoded.bias, result.data());
  if (model_.config.glimpse()) clip_logits(kLogitBound, result);
  return result;
}

void StepScorer::glimpse_query(std::size_t r, std::span<const std::uint32_t> feasible) {
  const std::size_t dim = model_.config.dim, heads = model_.config.heads;
  const PackedGlimpse& columns = model_.glimpse;
  const float* context = places_[r].encoded.context;
  glimpse(feasible, heads, dim / heads, z_.data() + r * dim, context + columns.key,
          context + columns.value, columns.width(), scratch_.data(), query_.data() + r * dim);
}

}  // namespace eco
