#pragma once
// The numbers of a model: its config and one array per tensor of the contract (tensors.h), each on
// a 64-byte boundary. Training fills one from its parameters, io/weights.h reads and writes files,
// the engine packs it for its kernels.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/model/config.h"
#include "core/model/tensors.h"

namespace eco {

class Weights {
 public:
  explicit Weights(const ModelConfig& config);  // all zero

  [[nodiscard]] const ModelConfig& config() const { return config_; }
  [[nodiscard]] const std::vector<TensorSpec>& specs() const { return specs_; }

  [[nodiscard]] bool has(std::string_view name) const { return by_name_.contains(name); }
  // Throws eco::Error (usage) for a name that the config does not have.
  [[nodiscard]] std::span<float> tensor(std::string_view name);
  [[nodiscard]] std::span<const float> tensor(std::string_view name) const;

  [[nodiscard]] std::size_t parameters() const;  // numbers in all tensors

  // How these weights are best decoded where nobody says otherwise: settings by key
  // (infer/decode_keys.h). Mostly empty.
  using Settings = std::map<std::string, std::string>;
  [[nodiscard]] const Settings& decode() const { return decode_; }
  void set_decode(Settings settings) { decode_ = std::move(settings); }

 private:
  [[nodiscard]] std::size_t index(std::string_view name) const;

  ModelConfig config_;
  std::vector<TensorSpec> specs_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::vector<AlignedBuffer<float>> data_;
  Settings decode_;
};

// A fresh model as `Init` describes it; every tensor has its own random stream.
[[nodiscard]] Weights random_weights(const ModelConfig& config, std::uint64_t seed);

}  // namespace eco
