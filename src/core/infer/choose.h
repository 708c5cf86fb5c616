#pragma once
// From logits to a choice.

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/infer/decode.h"

namespace eco {

struct Choice {
  std::size_t index = 0;
  double log_probability = 0;  // under softmax(logits), whatever temperature and top_k were
};

// Log-probability of one of the logits.
[[nodiscard]] double log_probability(std::span<const float> logits, std::size_t index);

// Greedy: the first of the highest logits. Sample: one draw of `rng`.
class Chooser {
 public:
  explicit Chooser(const DecodeOptions& options) : options_(options) {}
  [[nodiscard]] Choice operator()(std::span<const float> logits, Rng& rng);

 private:
  [[nodiscard]] std::size_t draw(std::span<const float> logits, Rng& rng);

  DecodeOptions options_;
  std::vector<float> weights_, sorted_;
};

}  // namespace eco
