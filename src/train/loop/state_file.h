#pragma once
// The training state on disk: named text fields and named float arrays in one checksummed file that
// appears whole or not at all. The weights inside make the state file alone enough to resume.
//
//   "ECOSTATE" version u32, header bytes u32, header (JSON), floats, checksum u64 of all before it

#include <map>
#include <string>
#include <vector>

namespace eco::train {

struct TrainState {
  std::map<std::string, std::string> fields;
  std::map<std::string, std::vector<float>> arrays;

  // Throw eco::Error (input) naming what is missing.
  [[nodiscard]] const std::string& field(const std::string& name) const;
  [[nodiscard]] std::uint64_t number(const std::string& name) const;
  [[nodiscard]] double real(const std::string& name) const;
  [[nodiscard]] const std::vector<float>& array(const std::string& name, std::size_t size) const;
};

// Throws eco::Error (resource) if the disk is full, leaving what was there before.
void write_state(const std::string& path, const TrainState& state);

// Throws eco::Error (input) if the file is truncated, damaged, of another version or no state.
[[nodiscard]] TrainState read_state(const std::string& path);

}  // namespace eco::train
