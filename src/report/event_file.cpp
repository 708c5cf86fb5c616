// Event files of TensorBoard: records (length, its checksum, data, its checksum) of the protocol
// buffer Event, of which only times, steps and plain numbers are needed:
//   Event { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; }
//   Summary { repeated Value { string tag = 1; float simple_value = 2; } value = 1; }

#include <array>
#include <bit>
#include <cmath>

#include "report/metrics.h"

namespace eco {

namespace {

std::array<std::uint32_t, 256> crc_table() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // Castagnoli's, bits reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 1U) != 0 ? (value >> 1U) ^ kPolynomial : value >> 1U;
    }
    table[byte] = value;
  }
  return table;
}

template <class Unsigned>
std::string little_endian(Unsigned value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>((value & 0x7fU) | 0x80U);
  return bytes + static_cast<char>(value);
}

// Wire types of protocol buffers.
constexpr unsigned kVarint = 0, kEightBytes = 1, kLengthFirst = 2, kFourBytes = 5;

std::string key(unsigned field, unsigned wire) {
  return varint((field << 3U) | wire);
}
std::string bytes_field(unsigned field, const std::string& bytes) {
  return key(field, kLengthFirst) + varint(bytes.size()) + bytes;
}
std::string time_field(double seconds) {
  return key(1, kEightBytes) + little_endian(std::bit_cast<std::uint64_t>(seconds));
}

std::string record(const std::string& data) {
  // Checksums of data that may hold checksums itself are rotated and shifted.
  const auto masked = [](const std::string& bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return little_endian(std::rotr(crc, 15) + 0xa282ead8U);
  };
  const std::string length = little_endian(static_cast<std::uint64_t>(data.size()));
  return length + masked(length) + data + masked(data);
}

}  // namespace

std::uint32_t crc32c(const std::string& bytes) {
  static const std::array<std::uint32_t, 256> table = crc_table();
  std::uint32_t crc = 0xffffffffU;
  for (const char c : bytes) {
    crc = (crc >> 8U) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xffU];
  }
  return ~crc;
}

std::string event_file(const RunMetrics& run) {
  const double start = run.lines.empty() ? 0 : run.lines.front().written;
  std::string out = record(time_field(start) + bytes_field(3, "brain.Event:2"));
  for (const MetricsLine& line : run.lines) {
    std::string summary;
    for (const auto& [name, value] : line.values) {
      const auto number = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      summary += bytes_field(
          1, bytes_field(1, line.stage + "/" + name) + key(2, kFourBytes) + little_endian(number));
    }
    out += record(time_field(line.written) + key(2, kVarint) +
                  varint(static_cast<std::uint64_t>(std::max(0.0, line.step))) +
                  bytes_field(5, summary));
  }
  return out;
}

}  // namespace eco
