#pragma once
// Where the bytes of an input come from: a file, standard input or memory, decompressed on the way
// when they start like a gzip stream. Reading is sequential and holds one small buffer.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace eco::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes into `out`; 0 only at the end. Throws eco::Error: input for a damaged gzip
  // stream, resource for a failing device.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

// `-` is standard input. Throws eco::Error (input) if the file cannot be opened.
[[nodiscard]] std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// The caller keeps `bytes` alive. `name` stands for the file in messages.
[[nodiscard]] std::unique_ptr<ByteSource> bytes_in(std::string_view bytes, const std::string& name);

}  // namespace eco::io
