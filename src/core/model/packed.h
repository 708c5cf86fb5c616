#pragma once
// Weights in the form that the kernels read: matrices packed, constants of the recurrences
// precomputed. Made once per Weights, shared by all threads, never changed.

#include <memory>
#include <optional>
#include <vector>

#include "core/kernels/gemm.h"
#include "core/model/weights.h"

namespace eco {

// The Mamba block of either stack; what only one of them has is empty in the other.
struct PackedMixer {
  PackedLinear in_u, in_z, out;
  AlignedBuffer<float> conv;       // blocked [inner, 4]
  AlignedBuffer<float> conv_bias;  // [inner]
  AlignedBuffer<float> skip;       // [inner]
  // Encoder (S6).
  PackedLinear x, dt;
  AlignedBuffer<float> a_log2;  // blocked [inner, state]: A / ln 2
  // Decoder (S4).
  AlignedBuffer<float> a, cb;  // blocked [inner, state]: exp(dt A); c (a - 1) / A
};

struct PackedAttention {
  PackedLinear qkv, out;
};

struct PackedFfn {
  AlignedBuffer<float> norm, norm_shift;  // see PackedLayer
  PackedLinear up, down;
};

// Merging only: the link between the ends of a fragment, and attention over the candidates.
struct PackedNeighbourhood {
  AlignedBuffer<float> link_norm, norm;
  PackedLinear link;
  PackedLinear qkv;                // the queries divided by sqrt(head width)
  std::vector<PackedLinear> edge;  // of each head: edge features -> head width
  PackedLinear out;
};

struct PackedLayer {
  // rms: the weight. instance: weight and bias. batch: what both and the statistics come to.
  AlignedBuffer<float> norm, norm_shift;
  std::optional<PackedNeighbourhood> neighbourhood;
  std::optional<PackedMixer> mixer;          // backbone mamba
  std::optional<PackedAttention> attention;  // backbone transformer
  std::optional<PackedFfn> ffn;
};

struct PackedStack {
  std::vector<PackedLayer> layers;
  AlignedBuffer<float> norm;
};

// Attention among the candidates of a token.
struct PackedScorerLayer {
  AlignedBuffer<float> norm;
  PackedLinear qkv, out;
};

// Merging only: logits of the candidates of a token.
struct PackedEdgeScorer {
  PackedLinear feature, self, node;
  std::vector<PackedScorerLayer> layers;
  AlignedBuffer<float> norm;
  PackedLinear hidden;
  AlignedBuffer<float> score;  // [width]
};

// Decoders am and pomo. What a step needs of a node is made once, by one product: its columns are
// context.last, context.first (no depot only), glimpse.key (divided by sqrt(head width)) and
// glimpse.value, dim numbers each. glimpse.out is part of PackedModel::key and node_bias, so that a
// step has no matrix product at all.
struct PackedGlimpse {
  PackedLinear node;
  PackedLinear graph;          // no outputs: no graph context
  AlignedBuffer<float> start;  // [dim]: in the place of first and last; am without depot
  AlignedBuffer<float> room;   // [dim]: times what is left of the capacity; depot only
  std::size_t first = 0, key = 0, value = 0;  // columns of `node`; last: 0
  [[nodiscard]] std::size_t width() const { return node.outputs(); }
};

// Decoder lehd: the layers that read what is open, and the maps around them.
struct PackedHeavy {
  PackedStack stack;
  PackedLinear last, destination;                    // of the two ends of the stretch
  AlignedBuffer<float> last_room, destination_room;  // [dim]: times what is left; depot only
  PackedLinear score;  // to the logits of a node: directly and, with a depot, by way of it
};

// Logits of a glimpse stay within this bound.
inline constexpr float kLogitBound = 10.0F;

struct PackedModel {
  explicit PackedModel(const Weights& weights);

  ModelConfig config;
  Weights::Settings decode;
  PackedLinear input, input_hidden, input_out;
  PackedStack encoder, decoder;
  AlignedBuffer<float> start;  // [dim]
  PackedLinear dynamic;        // no outputs where the config has no dynamic features
  PackedLinear query;          // divided by sqrt(dim)
  PackedLinear key;
  AlignedBuffer<float> node_bias;  // [dim]
  PackedGlimpse glimpse;
  PackedHeavy heavy;
  PackedLinear near_bias;  // merging: edge features -> one number for every head of every layer
  std::vector<PackedEdgeScorer> scorers;  // one a pass
};

}  // namespace eco
