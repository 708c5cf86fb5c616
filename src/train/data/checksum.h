#pragma once
// FNV-1a, 64 bits: tells a torn or damaged file from a whole one. Not a defence against malice.

#include <cstdint>
#include <string_view>

namespace eco::train {

inline constexpr std::uint64_t kChecksumStart = 0xcbf29ce484222325U;

[[nodiscard]] inline std::uint64_t checksum(std::string_view bytes,
                                            std::uint64_t hash = kChecksumStart) {
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace eco::train
