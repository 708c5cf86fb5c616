#include "io/safetensors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "io/half.h"

namespace eco::io {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 64;
// Far above any model's; keeps a crafted header from taking memory out of proportion.
constexpr std::uint64_t kMaxHeader = 100'000'000;

std::size_t bytes_each(StoredAs type) {
  return type == StoredAs::f16 ? sizeof(std::uint16_t) : sizeof(float);
}

class Parser {
 public:
  Parser(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  json header() {
    if (bytes_.size() < kLengthBytes) {
      fail("it has " + std::to_string(bytes_.size()) + " bytes, too few for a weights file");
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), kLengthBytes);
    const std::uint64_t room = bytes_.size() - kLengthBytes;
    if (length > room || length > kMaxHeader) {
      fail("its header claims " + std::to_string(length) + " bytes, the file has " +
           std::to_string(room) + " after the length: not safetensors, or truncated");
    }
    data_ = bytes_.subspan(kLengthBytes + static_cast<std::size_t>(length));
    const auto* text = reinterpret_cast<const char*>(bytes_.data() + kLengthBytes);
    json header = json::parse(text, text + length, nullptr, /*allow_exceptions=*/false);
    if (!header.is_object()) fail("its header is not a JSON object");
    return header;
  }

  SafetensorsFile::Tensor tensor(const std::string& key, const json& entry) {
    const std::string what = "tensor " + eco::quoted(key) + " ";
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets")) {
      fail(what + "lacks dtype, shape or data_offsets");
    }
    SafetensorsFile::Tensor tensor;
    if (entry["dtype"] == "F16") {
      tensor.type = StoredAs::f16;
    } else if (entry["dtype"] != "F32") {
      fail(what + "has dtype " + eco::quoted(entry["dtype"].dump()) + ", expected F32 or F16");
    }
    if (!entry["shape"].is_array()) fail(what + "has a shape that is not a list");
    std::uint64_t elements = 1;
    for (const json& extent : entry["shape"]) {
      tensor.shape.push_back(static_cast<std::size_t>(number(extent, what)));
      if (__builtin_mul_overflow(elements, tensor.shape.back(), &elements)) {
        fail(what + "has a shape beyond any memory");
      }
    }
    const json& offsets = entry["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2) fail(what + "has no pair of data_offsets");
    const std::uint64_t begin = number(offsets[0], what), end = number(offsets[1], what);
    if (begin > end || end > data_.size()) {
      fail(what + "lies at bytes " + std::to_string(begin) + " to " + std::to_string(end) + " of " +
           std::to_string(data_.size()) + ": truncated or damaged");
    }
    if (elements > data_.size() || elements * bytes_each(tensor.type) != end - begin) {
      fail(what + "has " + std::to_string(end - begin) + " bytes for " + std::to_string(elements) +
           " numbers");
    }
    ranges_.emplace_back(begin, end);
    tensor.bytes = data_.subspan(begin, end - begin);
    return tensor;
  }

  void check_overlap() {
    std::sort(ranges_.begin(), ranges_.end());
    for (std::size_t i = 1; i < ranges_.size(); ++i) {
      if (ranges_[i].first < ranges_[i - 1].second) fail("two of its tensors overlap");
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw input_error({name_, 0}, message);
  }

 private:
  std::uint64_t number(const json& value, const std::string& what) const {
    if (!value.is_number_unsigned()) fail(what + "has a size or offset that is no whole number");
    return value.get<std::uint64_t>();
  }

  std::span<const std::byte> bytes_, data_;
  std::string name_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

struct Mapping {
  void* data = MAP_FAILED;
  std::size_t size = 0;
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (data != MAP_FAILED) ::munmap(data, size);
  }
};

std::shared_ptr<const Mapping> map_file(const std::string& path) {
  const auto fail = [&](const std::string& what) -> Error {
    return input_error({path, 0}, what + ": " + std::strerror(errno));
  };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw fail("cannot open");
  struct stat status {};
  auto mapping = std::make_shared<Mapping>();
  const bool known = ::fstat(file, &status) == 0;
  if (known && S_ISREG(status.st_mode) && status.st_size > 0) {
    mapping->size = static_cast<std::size_t>(status.st_size);
    mapping->data = ::mmap(nullptr, mapping->size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  const int reason = errno;
  ::close(file);
  errno = reason;
  if (!known) throw fail("cannot be read");
  if (!S_ISREG(status.st_mode)) throw input_error({path, 0}, "is not a regular file");
  if (mapping->size > 0 && mapping->data == MAP_FAILED) throw fail("cannot be mapped");
  return mapping;
}

}  // namespace

std::size_t SafetensorsFile::Tensor::elements() const {
  return bytes.size() / bytes_each(type);
}

void SafetensorsFile::Tensor::copy_to(std::span<float> to) const {
  if (type == StoredAs::f32) {
    std::memcpy(to.data(), bytes.data(), bytes.size());
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + i * sizeof half, sizeof half);
    to[i] = half_to_float(half);
  }
}

SafetensorsFile SafetensorsFile::parse(std::span<const std::byte> bytes, const std::string& name) {
  Parser parser(bytes, name);
  SafetensorsFile file;
  const json header = parser.header();
  for (const auto& [key, entry] : header.items()) {
    if (key != "__metadata__") {
      file.tensors_.emplace(key, parser.tensor(key, entry));
      continue;
    }
    if (!entry.is_object()) parser.fail("its __metadata__ is not an object");
    for (const auto& [field, value] : entry.items()) {
      if (!value.is_string()) parser.fail("metadata " + eco::quoted(field) + " is not a string");
      file.metadata_.emplace(field, value.get<std::string>());
    }
  }
  parser.check_overlap();
  return file;
}

SafetensorsFile SafetensorsFile::open(const std::string& path) {
  const std::shared_ptr<const Mapping> mapping = map_file(path);
  SafetensorsFile file = parse(
      {static_cast<const std::byte*>(mapping->size > 0 ? mapping->data : nullptr), mapping->size},
      path);
  file.mapping_ = mapping;
  return file;
}

std::string safetensors_bytes(std::span<const NamedTensor> tensors,
                              const std::map<std::string, std::string>& metadata, StoredAs type) {
  nlohmann::ordered_json header;
  header["__metadata__"] = metadata;
  std::size_t offset = 0;
  std::vector<std::size_t> starts;
  for (const NamedTensor& tensor : tensors) {
    offset = (offset + kAlignment - 1) / kAlignment * kAlignment;
    starts.push_back(offset);
    const std::size_t end = offset + tensor.values.size() * bytes_each(type);
    header[tensor.name] = {{"dtype", type == StoredAs::f16 ? "F16" : "F32"},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  // Spaces after the JSON are part of the format: they bring the data to a boundary.
  text.resize(
      (kLengthBytes + text.size() + kAlignment - 1) / kAlignment * kAlignment - kLengthBytes, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(kLengthBytes + text.size() + offset, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  std::memcpy(bytes.data() + kLengthBytes, text.data(), text.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    char* to = bytes.data() + kLengthBytes + text.size() + starts[i];
    if (type == StoredAs::f32) {
      std::memcpy(to, tensors[i].values.data(), tensors[i].values.size_bytes());
      continue;
    }
    for (const float value : tensors[i].values) {
      const std::uint16_t half = float_to_half(value);
      std::memcpy(to, &half, sizeof half);
      to += sizeof half;
    }
  }
  return bytes;
}

}  // namespace eco::io
