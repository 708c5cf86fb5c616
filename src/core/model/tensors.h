#pragma once
// The one contract of tensor names and shapes. Training registers its parameters from this list, a
// weights file must hold exactly these, and the engine looks them up by the same names.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/config.h"

namespace eco {

// How a fresh model fills the tensor, and whether weight decay applies.
enum class Init : std::uint8_t {
  linear,    // uniform within 1/sqrt(fan_in)
  residual,  // as linear, divided by sqrt(number of residual branches of the stack)
  zeros,
  ones,
  a_log,      // log(1..state) in every row
  dt_bias,    // inverse softplus of a log-uniform draw in [1e-3, 1e-1], at least 1e-4
  log_dt,     // log of such a draw
  dt_weight,  // uniform within dt_rank^-0.5
  normal,     // deviation 0.5
  token,      // deviation 0.02
};

struct TensorSpec {
  std::string name;
  std::vector<std::size_t> shape;
  Init init = Init::linear;
  bool decay = true;       // weight decay applies (matrices only, never a_log, norms, biases)
  bool statistic = false;  // measured while training (batch norm), never learned

  [[nodiscard]] std::size_t elements() const;
};

[[nodiscard]] std::vector<TensorSpec> tensor_specs(const ModelConfig& config);

// Version of the contract, stored in every weights file as `eco.format`.
inline constexpr int kWeightsFormat = 1;

}  // namespace eco
