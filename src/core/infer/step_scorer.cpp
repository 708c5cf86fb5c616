#include "core/infer/step_scorer.h"

#include <algorithm>

#include "core/kernels/glimpse.h"
#include "core/kernels/norm.h"
#include "core/kernels/score.h"

namespace eco {

StepScorer::StepScorer(const PackedModel& model, Decoder& decoder, std::size_t rows,
                       std::size_t nodes, const Deadline& deadline)
    : model_(model),
      decoder_(decoder),
      features_(model.config.dynamic_features()),
      places_(rows),
      z_(rows * model.config.dim),
      query_(rows * model.config.dim),
      dynamic_(rows * features_),
      scratch_(model.config.glimpse() ? glimpse_scratch(nodes, model.config.heads) : 0),
      logits_(model.config.detours() ? 2 * nodes : nodes),
      deadline_(deadline) {
  if (model.config.heavy()) heavy_.emplace(model, nodes);
}

void StepScorer::set_row(std::size_t r, const Place& place, bool first_step) {
  places_[r] = place;
  if (model_.config.heavy()) return;
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
  if (model_.config.decoder != DecoderKind::recurrent) return;
  const std::size_t dim = model_.config.dim;
  if (features_ > 0) {
    gemm(slots.size(), dynamic_.data(), features_, model_.dynamic, z_.data(), dim, Epilogue::add);
  }
  decoder_.step(slots, z_.data());
  gemm(slots.size(), z_.data(), dim, model_.query, query_.data(), dim);
}

std::span<const float> StepScorer::logits(std::size_t r, std::span<const std::uint32_t> choices) {
  return heavy_ ? heavy_logits(r, choices) : pointer_logits(r, choices);
}

std::span<const float> StepScorer::pointer_logits(std::size_t r,
                                                  std::span<const std::uint32_t> feasible) {
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

std::span<const float> StepScorer::heavy_logits(std::size_t r,
                                                std::span<const std::uint32_t> choices) {
  const std::span<float> result(logits_.data(), choices.size());
  if (choices.size() == 1) {  // nothing to be asked
    result[0] = 0;
    return result;
  }
  const Place& place = places_[r];
  const HeavyDecoder::Stretch stretch{place.encoded.h, place.last, place.destination,
                                      features_ > 0 ? dynamic_[r * features_] : 0};
  if (!model_.config.detours()) return heavy_->score(stretch, choices, deadline_);
  // Every open customer can be reached by way of the depot: these choices stand at the end.
  const auto nodes = static_cast<std::uint32_t>(place.encoded.order->size());
  const auto detours = std::lower_bound(choices.begin(), choices.end(), nodes);
  const auto directs = static_cast<std::size_t>(detours - choices.begin());
  open_.clear();
  for (const std::uint32_t choice : choices.subspan(directs)) open_.push_back(choice - nodes);
  const std::span<const float> scores = heavy_->score(stretch, open_, deadline_);
  if (scores.empty()) return {};
  for (std::size_t i = 0, open = 0; i < directs; ++i) {
    while (open_[open] != choices[i]) ++open;
    result[i] = scores[2 * open];
  }
  for (std::size_t i = directs; i < choices.size(); ++i) result[i] = scores[2 * (i - directs) + 1];
  return result;
}

}  // namespace eco
