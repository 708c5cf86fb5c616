#include "core/model/decoder.h"

#include <algorithm>

#include "core/kernels/attention.h"
#include "core/kernels/norm.h"
#include "core/kernels/simd.h"
#include "core/kernels/ssm.h"

namespace eco {

Decoder::Decoder(const PackedModel& model) : model_(model) {}

void Decoder::prepare(std::size_t slots, std::size_t steps) {
  const ModelConfig& c = model_.config;
  const bool recurrent = c.backbone == Backbone::mamba;
  if (slots > slots_ || (!recurrent && steps > steps_)) {
    slots_ = std::max(slots, slots_);
    steps_ = std::max(steps, steps_);
    // Mamba: 3 past inputs and the SSM state. Transformer: blocked keys, then values.
    layer_state_ =
        recurrent ? c.inner() * (kConv - 1 + kState) : c.dim * (simd::padded(steps_) + steps_);
    states_ = AlignedBuffer<float>(slots_ * model_.decoder.layers.size() * layer_state_);
    normed_ = AlignedBuffer<float>(slots_ * c.dim);
    inner_ = AlignedBuffer<float>(slots_ * (recurrent ? c.inner() : 3 * c.dim));
    gate_ = AlignedBuffer<float>(recurrent ? slots_ * c.inner() : 0);
    wide_ = AlignedBuffer<float>(c.ffn ? slots_ * c.ffn_ratio * c.dim : 0);
    scores_ = AlignedBuffer<float>(recurrent ? 0 : attend_scratch(steps_));
  }
  time_.resize(slots_);
  for (std::size_t slot = 0; slot < slots; ++slot) reset(slot);
}

void Decoder::reset(std::size_t slot) {
  time_[slot] = 0;
  if (model_.config.backbone == Backbone::mamba) {
    std::fill_n(state(slot, 0), model_.decoder.layers.size() * layer_state_, 0.0F);
  }
}

void Decoder::copy(std::size_t from, std::size_t to) {
  time_[to] = time_[from];
  std::copy_n(state(from, 0), model_.decoder.layers.size() * layer_state_, state(to, 0));
}

void Decoder::step(std::span<const std::uint32_t> slots, float* z) {
  const std::size_t dim = model_.config.dim;
  for (std::size_t l = 0; l < model_.decoder.layers.size(); ++l) {
    const PackedLayer& layer = model_.decoder.layers[l];
    rms_norm_rows(slots.size(), dim, z, layer.norm.data(), normed_.data());
    if (layer.mixer) {
      mix(layer, l, slots, z);
    } else {
      attention(layer, l, slots, z);
    }
    if (layer.ffn) feed_forward(*layer.ffn, slots.size(), z);
  }
  rms_norm_rows(slots.size(), dim, z, model_.decoder.norm.data(), z);
  for (const std::uint32_t slot : slots) ++time_[slot];
}

void Decoder::mix(const PackedLayer& layer, std::size_t index, std::span<const std::uint32_t> slots,
                  float* z) {
  const PackedMixer& m = *layer.mixer;
  const std::size_t dim = model_.config.dim, inner = model_.config.inner(), rows = slots.size();
  gemm(rows, normed_.data(), dim, m.in_u, inner_.data(), inner);
  gemm(rows, normed_.data(), dim, m.in_z, gate_.data(), inner, Epilogue::silu);
  for (std::size_t r = 0; r < rows; ++r) {
    float* u = inner_.data() + r * inner;
    float* history = state(slots[r], index);
    conv_step_silu(inner, time_[slots[r]], u, history, m.conv.data(), m.conv_bias.data(), u);
    lti_step(inner, u, gate_.data() + r * inner, m.a.data(), m.cb.data(), m.skip.data(),
             history + (kConv - 1) * inner, u);
  }
  gemm(rows, inner_.data(), inner, m.out, z, dim, Epilogue::add);
}

void Decoder::attention(const PackedLayer& layer, std::size_t index,
                        std::span<const std::uint32_t> slots, float* z) {
  const std::size_t dim = model_.config.dim, rows = slots.size();
  gemm(rows, normed_.data(), dim, layer.attention->qkv, inner_.data(), 3 * dim);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* qkv = inner_.data() + r * 3 * dim;
    float* keys = state(slots[r], index);
    float* values = keys + simd::padded(steps_) * dim;
    const std::size_t now = time_[slots[r]];
    store_key(now, dim, qkv + dim, keys);
    std::copy_n(qkv + 2 * dim, dim, values + now * dim);
    attend(1, {now + 1, dim, keys, values, dim}, model_.config.heads, qkv, dim, scores_.data(),
           normed_.data() + r * dim, dim);
  }
  gemm(rows, normed_.data(), dim, layer.attention->out, z, dim, Epilogue::add);
}

void Decoder::feed_forward(const PackedFfn& ffn, std::size_t rows, float* z) {
  const std::size_t dim = model_.config.dim, width = ffn.up.outputs();
  rms_norm_rows(rows, dim, z, ffn.norm.data(), normed_.data());
  gemm(rows, normed_.data(), dim, ffn.up, wide_.data(), width, Epilogue::silu);
  gemm(rows, wide_.data(), width, ffn.down, z, dim, Epilogue::add);
}

}  // namespace eco
