#pragma once
// The settings of decoding as people write them: one table of keys for the command line (--top-k),
// the metadata of a weights file (decode.top_k) and the options of the library.

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/infer/decode.h"

namespace eco {

struct DecodeKey {
  std::string_view name;     // top_k
  std::string_view type;     // for the help: N, X or the words
  std::string_view takes;    // for messages: "a whole number from 1 on"
  std::string_view meaning;  // for the help
  // False: the text is not wholly such a value; nothing is then changed.
  bool (*set)(std::string_view text, DecodeOptions& options);
  std::string (*show)(const DecodeOptions& options);  // empty: left open
};

[[nodiscard]] std::span<const DecodeKey> decode_keys();

// Throws eco::Error (usage) with what was expected: an unknown key, or no value of it.
void set_decode_key(std::string_view key, std::string_view text, DecodeOptions& options);

using DecodeFields = std::map<std::string, std::string>;
// Sets what `options` leaves open.
void fill_in(const DecodeFields& fields, DecodeOptions& options);

// "greedy", "sample:32", ...
[[nodiscard]] std::string decode_text(const DecodeOptions& options);

}  // namespace eco
