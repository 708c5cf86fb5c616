#pragma once
// The sequential constructor of docs/model.md written down once more, as plainly as possible:
// double precision, one vector at a time, no batching, nothing precomputed. The engine is compared
// with it.

#include <cstddef>
#include <string>
#include <vector>

#include "core/infer/decode.h"
#include "core/model/weights.h"

namespace eco::testing {

using Vector = std::vector<double>;

class ReferenceModel {
 public:
  explicit ReferenceModel(const Weights& weights) : w_(weights), c_(weights.config()) {}

  // The logits along a solution, in the order and with the choices of Engine::score_path.
  [[nodiscard]] std::vector<StepScore> score_path(const Instance& instance,
                                                  const Solution& solution) const;

  // Tokens in canonical order -> H.
  [[nodiscard]] std::vector<Vector> encode(const std::vector<Vector>& features) const;

 private:
  [[nodiscard]] Vector linear(const std::string& name, const Vector& x, bool bias) const;
  [[nodiscard]] Vector norm(const std::string& name, const Vector& x) const;
  [[nodiscard]] Vector vector(const std::string& name) const;
  void feed_forward(const std::string& layer, Vector& x) const;
  void scan(const std::string& layer, std::vector<Vector>& x) const;
  void attention(const std::string& layer, std::vector<Vector>& x, bool causal) const;
  // All inputs z_1..z_T -> all outputs s_1..s_T.
  [[nodiscard]] std::vector<Vector> decode(std::vector<Vector> z) const;
  void lti(const std::string& layer, std::vector<Vector>& x) const;

  const Weights& w_;
  const ModelConfig& c_;
};

// Weights in which nothing is left at zero or one, so that no term can be forgotten unnoticed.
[[nodiscard]] Weights shaken_weights(const ModelConfig& config, std::uint64_t seed);

}  // namespace eco::testing
