#include "core/model/merge_features.h"

namespace eco {

namespace {

std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return (hash ^ 0xffU) * 0x100000001b3ULL;  // so that "ab" "c" is not "a" "bc"
}

std::uint64_t mix(std::uint64_t hash, std::span<const Feature> features) {
  for (const Feature& feature : features) {
    hash = mix(mix(hash, feature.name), std::to_string(feature.count));
  }
  return mix(hash, "");
}

}  // namespace

std::span<const Feature> token_features(bool depot) {
  const std::span all(kTokenFeatures);
  return depot ? all : all.first(static_cast<std::size_t>(kFirstDepotToken));
}

std::span<const Feature> edge_features(bool depot) {
  const std::span all(kEdgeFeatures);
  return depot ? all : all.first(static_cast<std::size_t>(kFirstDepotEdge));
}

std::string feature_fingerprint(bool depot) {
  constexpr std::uint64_t kOffset = 0xcbf29ce484222325ULL;
  const std::uint64_t hash = mix(mix(kOffset, token_features(depot)), edge_features(depot));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = kDigits[(hash >> (60 - 4 * i)) & 15U];
  return text;
}

}  // namespace eco
