#pragma once
// Logits of the next step of rollouts that step together: a recurrent decoder makes the queries of
// all rows at once; a glimpse and the heavy decoder take one after the other, from what is open.
// Used by Engine only.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/infer/partial_solution.h"
#include "core/model/decoder.h"
#include "core/model/heavy_decoder.h"

namespace eco {

class StepScorer {
 public:
  // At most `rows` rollouts of at most `nodes` nodes at a time. What it refers to must outlive it.
  StepScorer(const PackedModel& model, Decoder& decoder, std::size_t rows, std::size_t nodes,
             const Deadline& deadline);

  // What row r stands at before its step.
  template <class State>
  void set(std::size_t r, const PartialSolution<State>& row) {
    row.state().describe(dynamic_.data() + r * features_);
    set_row(r,
            {row.encoded(), row.begun(), row.first(), row.position(),
             model_.config.heavy() ? row.destination() : 0},
            row.state().steps() == 0);
  }
  // When all rows are set: row r is slots[r] of the decoder.
  void step(std::span<const std::uint32_t> slots);
  // Of these choices, which must not be empty: what PartialSolution::propose gave. Empty if the
  // deadline came first. Valid until the next call.
  [[nodiscard]] std::span<const float> logits(std::size_t r,
                                              std::span<const std::uint32_t> choices);

 private:
  struct Place {
    PointerEncoding::View encoded;
    bool begun = false;  // something has been visited
    std::uint32_t first = 0, last = 0, destination = 0;
  };
  void set_row(std::size_t r, const Place& place, bool first_step);
  void glimpse_query(std::size_t r, std::span<const std::uint32_t> feasible);
  [[nodiscard]] std::span<const float> pointer_logits(std::size_t r,
                                                      std::span<const std::uint32_t> feasible);
  [[nodiscard]] std::span<const float> heavy_logits(std::size_t r,
                                                    std::span<const std::uint32_t> choices);

  const PackedModel& model_;
  Decoder& decoder_;
  std::size_t features_;
  std::vector<Place> places_;
  AlignedBuffer<float> z_, query_;
  std::vector<float> dynamic_, scratch_, logits_;
  std::optional<HeavyDecoder> heavy_;
  std::vector<std::uint32_t> open_;
  const Deadline& deadline_;
};

}  // namespace eco
