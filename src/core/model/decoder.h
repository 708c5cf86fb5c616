#pragma once
// The recurrent decoder: one step for many rollouts at once. A rollout ("slot") has a state of
// fixed size (Mamba backbone) or a cache of past keys and values (Transformer); a step takes any
// subset of the slots, each at its own time. No allocation in a step.
//
// One Decoder serves one thread: it owns the states and the scratch.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/packed.h"

namespace eco {

class Decoder {
 public:
  explicit Decoder(const PackedModel& model);

  // Room for `slots` rollouts of at most `steps` steps, all at time 0.
  void prepare(std::size_t slots, std::size_t steps);
  void reset(std::size_t slot);  // back to time 0
  void copy(std::size_t from, std::size_t to);

  // z [slots.size(), dim]: inputs z_t of the named slots; becomes the outputs s_t.
  void step(std::span<const std::uint32_t> slots, float* z);

 private:
  void mix(const PackedLayer& layer, std::size_t index, std::span<const std::uint32_t> slots,
           float* z);
  void attention(const PackedLayer& layer, std::size_t index, std::span<const std::uint32_t> slots,
                 float* z);
  void feed_forward(const PackedFfn& ffn, std::size_t rows, float* z);
  // Where the state of a layer of a slot lies.
  [[nodiscard]] float* state(std::size_t slot, std::size_t layer) {
    return states_.data() + (slot * model_.decoder.layers.size() + layer) * layer_state_;
  }

  const PackedModel& model_;
  std::size_t slots_ = 0, steps_ = 0;
  std::size_t layer_state_ = 0;  // floats of state a layer
  AlignedBuffer<float> states_;
  std::vector<std::size_t> time_;  // steps made, by slot
  AlignedBuffer<float> normed_, inner_, gate_, wide_, scores_;
};

}  // namespace eco
