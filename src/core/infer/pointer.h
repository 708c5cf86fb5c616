#pragma once
// Rollouts with the sequential constructor: an instance is encoded once, its rollouts share keys,
// and all rollouts of a group step together. Used by Engine only.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/deadline.h"
#include "core/infer/decode.h"
#include "core/model/decoder.h"
#include "core/model/encoder.h"

namespace eco {

// What the pointer needs of some encoded instances, tokens one after the other. Buffers are kept
// from one encoding to the next.
class PointerEncoding {
 public:
  // When the deadline comes first the rest is left undone; decoding then takes no step either.
  void encode(const PackedModel& model, Encoder& encoder,
              std::span<const Instance* const> instances, const Deadline& deadline = {});

  struct View {
    const Instance* instance;
    const std::vector<NodeId>* order;  // position -> node
    const float* h;                    // [nodes, dim]
    const float* keys;                 // [nodes, dim]
    const float* bias;                 // [nodes]
    const float* mean;                 // [dim]
    const float* context;              // [nodes, PackedGlimpse::width()]; of a glimpse, like:
    const float* graph;                // [dim], 0 where there is no graph context
  };
  [[nodiscard]] View view(std::size_t i) const;

 private:
  std::size_t dim_ = 0;
  std::vector<const Instance*> instances_;
  std::vector<std::vector<NodeId>> orders_;
  std::vector<std::size_t> first_;  // row of the first token
  std::size_t width_ = 0;           // PackedGlimpse::width(); 0: no glimpse
  AlignedBuffer<float> h_, keys_, bias_, mean_, context_, graph_;
};

// One rollout to be made.
struct PointerTask {
  PointerEncoding::View encoded;
  std::optional<std::size_t> start;  // position of the first node; none: as the policy likes
  std::uint64_t stream = 0;          // of random numbers
  Rollout* rollout = nullptr;
  const std::vector<NodeId>* guide = nullptr;  // steps to be followed instead of choosing:
  std::size_t given = 0;                       // so many, and then the policy goes on, or all
  std::vector<StepScore>* scores = nullptr;    // of them, with what the policy thought of each
};

// All of one problem.
void decode_pointer(const PackedModel& model, Decoder& decoder, std::span<const PointerTask> tasks,
                    const DecodeOptions& options, const Deadline& deadline);

}  // namespace eco
