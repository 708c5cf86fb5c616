#pragma once
// Weights files: safetensors with exactly the tensors of the contract (core/model/tensors.h), the
// config in the metadata, the version of the contract under `eco.format` and settings of decoding,
// if any, under `decode.KEY`. Other metadata (where the weights come from, what they reached) is
// kept beside them, under any other key with a dot.

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "core/model/weights.h"
#include "io/safetensors.h"

namespace eco::io {

using Metadata = std::map<std::string, std::string>;

// Throws eco::Error (input): not a weights file, another version, tensors missing, unknown or of
// another shape, a number that is not finite. `notes` receives the other metadata.
[[nodiscard]] Weights load_weights(const std::string& path, Metadata* notes = nullptr);
// The same from memory, e.g. weights inside the binary; `name` stands in error messages.
[[nodiscard]] Weights parse_weights(std::span<const std::byte> bytes, const std::string& name,
                                    Metadata* notes = nullptr);

// Keys of `notes` must contain a dot, so that they can never be config fields; `decode.KEY` sets
// how the weights are decoded where nobody says otherwise. Stored as F16 they take half the room
// and lose what halves cannot hold; a weight beyond their range is an error (input).
void save_weights(const std::string& path, const Weights& weights, const Metadata& notes = {},
                  StoredAs type = StoredAs::f32);
[[nodiscard]] std::string weights_bytes(const Weights& weights, const Metadata& notes = {},
                                        StoredAs type = StoredAs::f32);

}  // namespace eco::io
