#include "core/infer/decode_keys.h"

#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/number_text.h"

namespace eco {

namespace {

struct DecodeName {
  std::string_view name;
  Decode method;
  bool counted;  // takes :K
};
constexpr std::array kDecodeNames{
    DecodeName{"greedy", Decode::greedy, false},
    DecodeName{"sample", Decode::sample, true},
    DecodeName{"multistart", Decode::multistart, true},
    DecodeName{"augment", Decode::augment, true},
    DecodeName{"beam", Decode::beam, true},
    DecodeName{"reconstruct", Decode::reconstruct, true},
};
constexpr std::array<std::string_view, 3> kEffortNames{"fast", "balanced", "thorough"};

template <class Number>
bool parse_whole(std::string_view text, Number& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

bool set_method(std::string_view text, DecodeOptions& options) {
  const std::size_t colon = text.find(':');
  for (const DecodeName& entry : kDecodeNames) {
    if (entry.name != text.substr(0, colon)) continue;
    std::size_t samples = 1;
    if (entry.counted != (colon != std::string_view::npos)) return false;
    if (entry.counted && !parse_whole(text.substr(colon + 1), samples)) return false;
    if (samples == 0 || (entry.method == Decode::augment && samples != 8)) return false;
    options.method = entry.method;
    options.samples = samples;
    return true;
  }
  return false;
}

std::string show_method(const DecodeOptions& options) {
  for (const DecodeName& entry : kDecodeNames) {
    if (entry.method != options.method) continue;
    const std::string text(entry.name);
    return entry.counted ? text + ":" + std::to_string(options.samples.value_or(1)) : text;
  }
  return "";
}

bool set_effort(std::string_view text, DecodeOptions& options) {
  for (std::size_t i = 0; i < kEffortNames.size(); ++i) {
    if (kEffortNames[i] != text) continue;
    options.effort = static_cast<Effort>(i);
    return true;
  }
  return false;
}

std::string show_effort(const DecodeOptions& options) {
  return options.effort ? std::string(kEffortNames[static_cast<std::size_t>(*options.effort)]) : "";
}

bool set_temperature(std::string_view text, DecodeOptions& options) {
  double value = 0;
  if (!parse_whole(text, value) || !(value > 0 && value <= 1e6)) return false;
  options.temperature = value;
  return true;
}

std::string show_temperature(const DecodeOptions& options) {
  std::string text;
  if (options.temperature) append_number(text, *options.temperature);
  return text;
}

template <std::optional<std::size_t> DecodeOptions::*member>
bool set_count(std::string_view text, DecodeOptions& options) {
  std::size_t value = 0;
  if (!parse_whole(text, value) || value == 0 || value > kMaxNodes) return false;
  options.*member = value;
  return true;
}

template <std::optional<std::size_t> DecodeOptions::*member>
std::string show_count(const DecodeOptions& options) {
  return options.*member ? std::to_string(*(options.*member)) : "";
}

constexpr std::string_view kCount = "a whole number from 1 to 100000000";

constexpr std::array kDecodeKeys{
    DecodeKey{"decode", "greedy|sample:K|multistart:K|augment:8|beam:B|reconstruct:K",
              "greedy, sample:K, multistart:K, augment:8, beam:B or reconstruct:K",
              "How solutions are built from the policy [greedy]", set_method, show_method},
    DecodeKey{"temperature", "X", "a number above 0 up to 1e6", "Of sampling [1]", set_temperature,
              show_temperature},
    DecodeKey{"top_k", "N", kCount,
              "Preset paper: sample among the k most probable actions only [all]",
              set_count<&DecodeOptions::top_k>, show_count<&DecodeOptions::top_k>},
    DecodeKey{"candidates", "N", kCount, "Preset paper: score only the k nearest open nodes [all]",
              set_count<&DecodeOptions::candidates>, show_count<&DecodeOptions::candidates>},
    DecodeKey{"effort", "fast|balanced|thorough", "fast, balanced or thorough",
              "Preset best: how much is decided from one encoding; thorough encodes most often "
              "[balanced]",
              set_effort, show_effort},
};

const DecodeKey& decode_key(std::string_view name) {
  std::vector<std::string_view> names;
  for (const DecodeKey& key : kDecodeKeys) {
    if (key.name == name) return key;
    names.push_back(key.name);
  }
  throw Error(ErrorKind::usage,
              "no setting " + quoted(name) + " of decoding" + did_you_mean(name, names));
}

}  // namespace

std::span<const DecodeKey> decode_keys() {
  return kDecodeKeys;
}

void set_decode_key(std::string_view key, std::string_view text, DecodeOptions& options) {
  const DecodeKey& found = decode_key(key);
  if (!found.set(text, options)) {
    throw Error(ErrorKind::usage,
                std::string(key) + " " + quoted(text) + ": expected " + std::string(found.takes));
  }
}

void fill_in(const DecodeFields& fields, DecodeOptions& options) {
  for (const auto& [key, text] : fields) {
    if (decode_key(key).show(options).empty()) set_decode_key(key, text, options);
  }
}

std::string decode_text(const DecodeOptions& options) {
  return show_method(options);
}

}  // namespace eco
