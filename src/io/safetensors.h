#pragma once
// The safetensors container: an 8-byte little-endian header length, a JSON header with a dtype, a
// shape and a byte range for every tensor and a table of strings, then the data. F32 and F16 are
// read and written. A reader trusts nothing: every length, shape and range is checked against the
// bytes that are there before it is used.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace eco::io {

enum class StoredAs : std::uint8_t { f32, f16 };

class SafetensorsFile {
 public:
  struct Tensor {
    std::vector<std::size_t> shape;
    std::span<const std::byte> bytes;  // little-endian numbers, not necessarily aligned
    StoredAs type = StoredAs::f32;

    [[nodiscard]] std::size_t elements() const;
    void copy_to(std::span<float> to) const;  // widened; to.size() == elements()
  };

  // Maps the file; throws eco::Error (input) that names the file and what is wrong with it.
  [[nodiscard]] static SafetensorsFile open(const std::string& path);
  // From memory, which must outlive the result. `name` stands in error messages.
  [[nodiscard]] static SafetensorsFile parse(std::span<const std::byte> bytes,
                                             const std::string& name);

  [[nodiscard]] const std::map<std::string, Tensor>& tensors() const { return tensors_; }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return metadata_; }

 private:
  std::shared_ptr<const void> mapping_;  // keeps the bytes of an opened file
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

struct NamedTensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::span<const float> values;
};

// Bytes of a file with the tensors in the given order and metadata sorted by key: the same input
// gives the same bytes. Every tensor starts on a 64-byte boundary of the file.
[[nodiscard]] std::string safetensors_bytes(std::span<const NamedTensor> tensors,
                                            const std::map<std::string, std::string>& metadata,
                                            StoredAs type = StoredAs::f32);

}  // namespace eco::io
