#include "io/weights.h"

#include <cmath>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/infer/decode_keys.h"
#include "core/model/merge_features.h"
#include "io/atomic_file.h"
#include "io/half.h"

namespace eco::io {

namespace {

constexpr const char* kFormatKey = "eco.format";
constexpr const char* kFeaturesKey = "eco.features";
constexpr std::string_view kDecodePrefix = "decode.";

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (const std::size_t extent : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + "]";
}

// Of the inputs that the network reads; empty where they are plain coordinates.
std::string fingerprint(const ModelConfig& config) {
  return config.constructor == ConstructorKind::merging ? feature_fingerprint(config.depot()) : "";
}

bool is_reserved(const std::string& key) {
  return key.find('.') == std::string::npos || key == kFormatKey || key == kFeaturesKey ||
         key.starts_with(kDecodePrefix);
}

// The settings of decoding that the file asks for; wrong ones are refused here, not when used.
Weights::Settings read_decode(const SafetensorsFile& file, const Location& where) {
  Weights::Settings settings;
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with(kDecodePrefix)) settings.emplace(key.substr(kDecodePrefix.size()), value);
  }
  try {
    DecodeOptions all_open;
    fill_in(settings, all_open);
  } catch (const Error& error) {
    throw input_error(where, error.what());
  }
  return settings;
}

ModelConfig read_config(const SafetensorsFile& file, const Location& where, Metadata* notes) {
  const auto format = file.metadata().find(kFormatKey);
  if (format == file.metadata().end()) {
    throw input_error(where, "has no " + std::string(kFormatKey) +
                                 " in its metadata: not a weights file of this program");
  }
  if (format->second != std::to_string(kWeightsFormat)) {
    throw input_error(where, "weights format " + eco::quoted(format->second),
                      "format " + std::to_string(kWeightsFormat));
  }
  std::map<std::string, std::string> fields;
  for (const auto& [key, value] : file.metadata()) {
    if (key.find('.') == std::string::npos) {
      fields.emplace(key, value);
    } else if (notes != nullptr && !is_reserved(key)) {
      notes->emplace(key, value);
    }
  }
  try {
    return config_from_fields(fields);
  } catch (const Error& error) {
    throw input_error(where, error.what());
  }
}

// Weights read numbers by their place: those made for other inputs would run and give nonsense.
void check_features(const SafetensorsFile& file, const ModelConfig& config, const Location& where) {
  const std::string expected = fingerprint(config);
  const auto found = file.metadata().find(kFeaturesKey);
  const std::string made_for = found == file.metadata().end() ? "" : found->second;
  if (made_for == expected) return;
  throw input_error(where, "made for other input features, fingerprint " + eco::quoted(made_for),
                    eco::quoted(expected));
}

// The file must hold exactly the tensors of the config. Checked before anything is allocated, so
// that a small file can never ask for a large model.
void check_tensors(const SafetensorsFile& file, const ModelConfig& config, const Location& where) {
  std::set<std::string> known;
  for (const TensorSpec& spec : tensor_specs(config)) {
    known.insert(spec.name);
    const auto found = file.tensors().find(spec.name);
    if (found == file.tensors().end()) {
      throw input_error(where, "lacks the tensor " + eco::quoted(spec.name));
    }
    if (found->second.shape != spec.shape) {
      throw input_error(
          where,
          "tensor " + eco::quoted(spec.name) + " of shape " + shape_text(found->second.shape),
          shape_text(spec.shape));
    }
  }
  for (const auto& [key, tensor] : file.tensors()) {
    if (!known.contains(key)) {
      throw input_error(where, "holds an unknown tensor " + eco::quoted(key));
    }
  }
}

Weights build(const SafetensorsFile& file, const std::string& name, Metadata* notes) {
  const Location where{name, 0};
  const ModelConfig config = read_config(file, where, notes);
  check_features(file, config, where);
  check_tensors(file, config, where);
  Weights weights(config);
  weights.set_decode(read_decode(file, where));
  for (const TensorSpec& spec : weights.specs()) {
    const std::span<float> values = weights.tensor(spec.name);
    file.tensors().at(spec.name).copy_to(values);
    const bool variance = spec.statistic && spec.name.ends_with(".variance");
    for (const float value : values) {
      if (variance && value < 0) {
        throw input_error(where, "tensor " + eco::quoted(spec.name) + " holds " +
                                     std::to_string(value) + ", expected 0 or more");
      }
      if (!std::isfinite(value)) {
        throw input_error(where, "tensor " + eco::quoted(spec.name) + " holds " +
                                     std::to_string(value) + ", expected finite numbers");
      }
    }
  }
  return weights;
}

void check_range(const std::string& name, std::span<const float> values) {
  for (const float value : values) {
    if (std::isfinite(value) && !std::isfinite(half_to_float(float_to_half(value)))) {
      throw Error(ErrorKind::input, "tensor " + eco::quoted(name) + " holds " +
                                        std::to_string(value) + ", beyond the range of F16");
    }
  }
}

}  // namespace

Weights load_weights(const std::string& path, Metadata* notes) {
  return build(SafetensorsFile::open(path), path, notes);
}

Weights parse_weights(std::span<const std::byte> bytes, const std::string& name, Metadata* notes) {
  return build(SafetensorsFile::parse(bytes, name), name, notes);
}

std::string weights_bytes(const Weights& weights, const Metadata& notes, StoredAs type) {
  Metadata metadata = to_fields(weights.config());
  metadata.emplace(kFormatKey, std::to_string(kWeightsFormat));
  if (const std::string features = fingerprint(weights.config()); !features.empty()) {
    metadata.emplace(kFeaturesKey, features);
  }
  for (const auto& [key, value] : weights.decode()) {
    metadata.emplace(std::string(kDecodePrefix) + key, value);
  }
  for (const auto& [key, value] : notes) {
    if (key.starts_with(kDecodePrefix)) {
      DecodeOptions unused;
      set_decode_key(key.substr(kDecodePrefix.size()), value, unused);
      metadata[key] = value;
      continue;
    }
    if (is_reserved(key)) {
      throw Error(ErrorKind::usage, "metadata key " + eco::quoted(key) + " is reserved");
    }
    metadata.emplace(key, value);
  }
  std::vector<NamedTensor> tensors;
  for (const TensorSpec& spec : weights.specs()) {
    tensors.push_back({spec.name, spec.shape, weights.tensor(spec.name)});
    if (type == StoredAs::f16) check_range(spec.name, tensors.back().values);
  }
  return safetensors_bytes(tensors, metadata, type);
}

void save_weights(const std::string& path, const Weights& weights, const Metadata& notes,
                  StoredAs type) {
  AtomicFile file(path);
  file.write(weights_bytes(weights, notes, type));
  file.commit();
}

}  // namespace eco::io
