#pragma once
// The encoder over the tokens of many sequences at once. Tokens of all sequences are the rows of
// the same GEMMs, taken in chunks that stay in cache; convolution and scan carry their state from
// chunk to chunk and start afresh where a sequence starts. Memory beyond the result does not grow
// with the number of tokens (Mamba).
//
// One Encoder serves one thread: it owns the scratch.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/model/packed.h"

namespace eco {

struct TokenSequence {
  std::size_t first = 0;   // row of its first token
  std::size_t length = 0;  // > 0
  // For mix() in Hilbert order: hilbert[k] is the k-th token, relative to `first`.
  std::span<const std::uint32_t> hilbert;
};

class Encoder {
 public:
  explicit Encoder(const PackedModel& model);

  // features [tokens, token_features]; sequences cover rows 0..tokens-1 in order.
  // h [tokens, dim]: the output H; mean [sequences, dim]: g of each. False if the deadline came
  // first; then neither means anything.
  bool encode(std::span<const float> features, std::span<const TokenSequence> sequences, float* h,
              float* mean, const Deadline& deadline = {});

  // Layers over h in place, without a norm at the end.
  bool layers(const PackedStack& stack, std::span<const TokenSequence> sequences, float* h,
              const Deadline& deadline);

  // The parts of it, for networks that put others in between. Each false if the deadline came
  // first; asked once a chunk.
  bool embed(std::span<const float> features, std::size_t tokens, float* h,
             const Deadline& deadline);
  // x += mixer(norm(x)), reading the tokens in their order (0), backwards (1), in Hilbert order (2)
  // or backwards in it (3); attention sees no order.
  bool mix(const PackedLayer& layer, std::span<const TokenSequence> sequences,
           std::size_t direction, float* h, const Deadline& deadline);

  static constexpr std::size_t kChunk = 96;

 private:
  // One place of a scan: which token, and how many tokens of its sequence came before.
  struct Place {
    std::size_t row, index;
  };

  bool scan_layer(const PackedLayer& layer, std::span<const TokenSequence> sequences,
                  std::size_t direction, float* h, const Deadline& deadline);
  bool attention_layer(const PackedLayer& layer, const TokenSequence& sequence, float* h,
                       const Deadline& deadline);
  void mix_chunk(const PackedLayer& layer, std::span<const Place> places, float* h);
  void feed_forward(const PackedFfn& ffn, std::size_t first, std::size_t rows, float* h);
  // rms: what a block reads of x [rows, dim]; the others leave it as it is.
  const float* before_block(const AlignedBuffer<float>& norm, std::size_t rows, const float* x);
  // batch and instance: after a block.
  void normalise(const AlignedBuffer<float>& norm, const AlignedBuffer<float>& shift,
                 std::span<const TokenSequence> sequences, float* h) const;

  const PackedModel& model_;
  std::vector<Place> places_;
  AlignedBuffer<float> normed_, inner_, gate_, mixed_, bc_, dt_, out_, wide_;
  AlignedBuffer<float> state_;                         // the scan's, blocked [inner, state]
  std::vector<float> qkv_, keys_, attention_scratch_;  // Transformer: linear in the sequence
};

}  // namespace eco
