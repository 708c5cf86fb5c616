#include "core/model/encoder.h"

#include <algorithm>

#include "core/kernels/attention.h"
#include "core/kernels/norm.h"
#include "core/kernels/simd.h"
#include "core/kernels/ssm.h"

namespace eco {

namespace {

constexpr std::size_t kQueriesBetweenClockReads = 16;

}  // namespace

Encoder::Encoder(const PackedModel& model) : model_(model) {
  const ModelConfig& c = model.config;
  const auto buffer = [](std::size_t width) { return AlignedBuffer<float>(kChunk * width); };
  normed_ = buffer(c.dim);
  out_ = buffer(c.dim);
  wide_ = buffer(c.ffn_ratio * c.dim);
  if (c.backbone == Backbone::mamba) {
    inner_ = AlignedBuffer<float>((kChunk + kConv - 1) * c.inner());
    gate_ = buffer(c.inner());
    mixed_ = buffer(c.inner());
    dt_ = buffer(c.inner());
    bc_ = buffer(c.dt_rank() + 2 * kState);
    state_ = AlignedBuffer<float>(c.inner() * kState);
  }
  places_.reserve(kChunk);
}

bool Encoder::encode(std::span<const float> features, std::span<const TokenSequence> sequences,
                     float* h, float* mean, const Deadline& deadline) {
  const std::size_t dim = model_.config.dim;
  const std::size_t tokens = sequences.back().first + sequences.back().length;
  if (!embed(features, tokens, h, deadline)) return false;
  if (!layers(model_.encoder, sequences, h, deadline)) return false;
  if (model_.config.norm == Norm::rms) {
    rms_norm_rows(tokens, dim, h, model_.encoder.norm.data(), h);
  }
  for (const TokenSequence& sequence : sequences) {
    std::vector<double> sum(dim, 0.0);
    for (std::size_t i = 0; i < sequence.length; ++i) {
      for (std::size_t d = 0; d < dim; ++d) sum[d] += h[(sequence.first + i) * dim + d];
    }
    for (std::size_t d = 0; d < dim; ++d) {
      *mean++ = static_cast<float>(sum[d] / static_cast<double>(sequence.length));
    }
  }
  return true;
}

bool Encoder::layers(const PackedStack& stack, std::span<const TokenSequence> sequences, float* h,
                     const Deadline& deadline) {
  const std::size_t tokens = sequences.back().first + sequences.back().length;
  for (const PackedLayer& layer : stack.layers) {
    if (!mix(layer, sequences, 0, h, deadline)) return false;
    normalise(layer.norm, layer.norm_shift, sequences, h);
    if (!layer.ffn) continue;
    for (std::size_t first = 0; first < tokens; first += kChunk) {
      if (deadline.reached()) return false;
      feed_forward(*layer.ffn, first, std::min(kChunk, tokens - first), h);
    }
    normalise(layer.ffn->norm, layer.ffn->norm_shift, sequences, h);
  }
  return true;
}

bool Encoder::mix(const PackedLayer& layer, std::span<const TokenSequence> sequences,
                  std::size_t direction, float* h, const Deadline& deadline) {
  if (layer.mixer) return scan_layer(layer, sequences, direction, h, deadline);
  for (const TokenSequence& sequence : sequences) {
    if (!attention_layer(layer, sequence, h, deadline)) return false;
  }
  return true;
}

bool Encoder::embed(std::span<const float> features, std::size_t tokens, float* h,
                    const Deadline& deadline) {
  const std::size_t dim = model_.config.dim, width = model_.config.token_features();
  for (std::size_t first = 0; first < tokens; first += kChunk) {
    if (deadline.reached()) return false;
    const std::size_t rows = std::min(kChunk, tokens - first);
    const float* from = features.data() + first * width;
    gemm(rows, from, width, model_.input, h + first * dim, dim);
    if (model_.input_hidden.outputs() > 0) {
      gemm(rows, from, width, model_.input_hidden, wide_.data(), dim, Epilogue::relu);
      gemm(rows, wide_.data(), dim, model_.input_out, h + first * dim, dim, Epilogue::add);
    }
  }
  return true;
}

bool Encoder::scan_layer(const PackedLayer& layer, std::span<const TokenSequence> sequences,
                         std::size_t direction, float* h, const Deadline& deadline) {
  places_.clear();
  const auto flush = [&] {
    mix_chunk(layer, places_, h);
    places_.clear();
  };
  for (const TokenSequence& sequence : sequences) {
    for (std::size_t i = 0; i < sequence.length; ++i) {
      const std::size_t place = direction % 2 == 1 ? sequence.length - 1 - i : i;
      const std::size_t token = direction >= 2 ? sequence.hilbert[place] : place;
      places_.push_back({sequence.first + token, i});
      if (places_.size() < kChunk) continue;
      flush();
      if (deadline.reached()) return false;
    }
  }
  if (!places_.empty()) flush();
  return true;
}

void Encoder::mix_chunk(const PackedLayer& layer, std::span<const Place> places, float* h) {
  const PackedMixer& mixer = *layer.mixer;
  const std::size_t dim = model_.config.dim, inner = model_.config.inner(), rows = places.size();
  const std::size_t rank = model_.config.dt_rank(), bc_stride = rank + 2 * kState;
  float* u = inner_.data() + (kConv - 1) * inner;  // before it: the last rows of the chunk before

  for (std::size_t r = 0; r < rows; ++r) {
    rms_norm(dim, h + places[r].row * dim, layer.norm.data(), normed_.data() + r * dim);
  }
  gemm(rows, normed_.data(), dim, mixer.in_u, u, inner);
  gemm(rows, normed_.data(), dim, mixer.in_z, gate_.data(), inner, Epilogue::silu);

  // Runs of tokens of one sequence.
  const auto each_run = [&](auto body) {
    for (std::size_t begin = 0; begin < rows;) {
      std::size_t end = begin + 1;
      while (end < rows && places[end].index != 0) ++end;
      body(begin, end - begin);
      begin = end;
    }
  };
  each_run([&](std::size_t at, std::size_t length) {
    causal_conv_silu(length, inner, u + at * inner, std::min(kConv - 1, places[at].index),
                     mixer.conv.data(), mixer.conv_bias.data(), mixed_.data() + at * inner);
  });
  gemm(rows, mixed_.data(), inner, mixer.x, bc_.data(), bc_stride);
  gemm(rows, bc_.data(), bc_stride, mixer.dt, dt_.data(), inner, Epilogue::softplus);
  each_run([&](std::size_t at, std::size_t length) {
    if (places[at].index == 0) std::fill_n(state_.data(), state_.size(), 0.0F);
    float* v = mixed_.data() + at * inner;
    const ScanInput in{v,
                       dt_.data() + at * inner,
                       bc_.data() + at * bc_stride + rank,
                       bc_stride,
                       gate_.data() + at * inner,
                       mixer.a_log2.data(),
                       mixer.skip.data()};
    selective_scan(length, inner, in, state_.data(), v);
  });
  gemm(rows, mixed_.data(), inner, mixer.out, out_.data(), dim);
  for (std::size_t r = 0; r < rows; ++r) {
    add_to(dim, out_.data() + r * dim, h + places[r].row * dim);
  }
  std::copy_n(inner_.data() + rows * inner, (kConv - 1) * inner, inner_.data());
}

bool Encoder::attention_layer(const PackedLayer& layer, const TokenSequence& sequence, float* h,
                              const Deadline& deadline) {
  const std::size_t dim = model_.config.dim, length = sequence.length;
  const PackedAttention& attention = *layer.attention;
  float* x = h + sequence.first * dim;
  qkv_.resize(length * 3 * dim);
  keys_.assign(simd::padded(length) * dim, 0.0F);
  attention_scratch_.resize(attend_scratch(length));
  const AttendedTokens tokens{length, dim, keys_.data(), qkv_.data() + 2 * dim, 3 * dim};
  for (std::size_t first = 0; first < length; first += kChunk) {
    const std::size_t rows = std::min(kChunk, length - first);
    const float* input = before_block(layer.norm, rows, x + first * dim);
    gemm(rows, input, dim, attention.qkv, qkv_.data() + first * 3 * dim, 3 * dim);
  }
  for (std::size_t i = 0; i < length; ++i) {
    store_key(i, dim, qkv_.data() + i * 3 * dim + dim, keys_.data());
  }
  for (std::size_t first = 0; first < length; first += kChunk) {
    const std::size_t rows = std::min(kChunk, length - first);
    for (std::size_t r = 0; r < rows; r += kQueriesBetweenClockReads) {
      if (deadline.reached()) return false;
      attend(std::min(kQueriesBetweenClockReads, rows - r), tokens, model_.config.heads,
             qkv_.data() + (first + r) * 3 * dim, 3 * dim, attention_scratch_.data(),
             normed_.data() + r * dim, dim);
    }
    gemm(rows, normed_.data(), dim, attention.out, x + first * dim, dim, Epilogue::add);
  }
  return true;
}

void Encoder::feed_forward(const PackedFfn& ffn, std::size_t first, std::size_t rows, float* h) {
  const std::size_t dim = model_.config.dim, width = ffn.up.outputs();
  float* x = h + first * dim;
  const Epilogue activation = model_.config.norm == Norm::rms ? Epilogue::silu : Epilogue::relu;
  gemm(rows, before_block(ffn.norm, rows, x), dim, ffn.up, wide_.data(), width, activation);
  gemm(rows, wide_.data(), width, ffn.down, x, dim, Epilogue::add);
}

const float* Encoder::before_block(const AlignedBuffer<float>& norm, std::size_t rows,
                                   const float* x) {
  const std::size_t dim = model_.config.dim;
  if (model_.config.norm != Norm::rms) return x;
  rms_norm_rows(rows, dim, x, norm.data(), normed_.data());
  return normed_.data();
}

void Encoder::normalise(const AlignedBuffer<float>& norm, const AlignedBuffer<float>& shift,
                        std::span<const TokenSequence> sequences, float* h) const {
  if (model_.config.norm == Norm::rms || model_.config.norm == Norm::none) return;
  const std::size_t dim = model_.config.dim;
  for (const TokenSequence& sequence : sequences) {
    float* x = h + sequence.first * dim;
    if (model_.config.norm == Norm::batch) {
      scale_shift(sequence.length, dim, norm.data(), shift.data(), x);
    } else {
      column_norm(sequence.length, dim, norm.data(), shift.data(), x);
    }
  }
}

}  // namespace eco
