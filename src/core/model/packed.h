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
  AlignedBuffer<float> norm;
  PackedLinear up, down;
};

// Merging only: the link between the ends of a fragment, and attention over the candidates.
struct PackedNeighbourhood {
  AlignedBuffer<float> link_norm, norm;
  PackedLinear link;
  PackedLinear qkv;                // the queries divided by sqrt(head width)
  PackedLinear bias;               // edge features -> one number a head
  std::vector<PackedLinear> edge;  // of each head: edge features -> head width
  PackedLinear out;
};

struct PackedLayer {
  AlignedBuffer<float> norm;
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
  AlignedBuffer<float> node_bias;         // [dim]
  std::vector<PackedEdgeScorer> scorers;  // one a pass
};

}  // namespace eco
