#include "train/loop/state_file.h"

#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.h"
#include "io/atomic_file.h"
#include "train/data/checksum.h"

namespace eco::train {

namespace {

constexpr std::string_view kMagic = "ECOSTATE";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kFixed = 16;  // magic, version, header length

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
T value_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::input, message);
}

}  // namespace

const std::string& TrainState::field(const std::string& name) const {
  const auto found = fields.find(name);
  if (found == fields.end()) refuse("the training state has no " + eco::quoted(name));
  return found->second;
}

std::uint64_t TrainState::number(const std::string& name) const {
  const std::string& text = field(name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) refuse("the training state has " + name + " = " + eco::quoted(text));
  return value;
}

double TrainState::real(const std::string& name) const {
  const std::string& text = field(name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) refuse("the training state has " + name + " = " + eco::quoted(text));
  return value;
}

const std::vector<float>& TrainState::array(const std::string& name, std::size_t size) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) refuse("the training state has no array " + eco::quoted(name));
  if (found->second.size() != size) {
    refuse("the training state is of another model: " + name + " has " +
           std::to_string(found->second.size()) + " numbers, expected " + std::to_string(size));
  }
  return found->second;
}

void write_state(const std::string& path, const TrainState& state) {
  nlohmann::json header;
  header["fields"] = state.fields;
  for (const auto& [name, values] : state.arrays) header["arrays"][name] = values.size();
  const std::string text = header.dump();

  io::AtomicFile file(path);
  std::uint64_t sum = kChecksumStart;
  const auto put = [&](std::string_view bytes) {
    sum = checksum(bytes, sum);
    file.write(bytes);
  };
  put(kMagic);
  put(bytes_of(kVersion));
  put(bytes_of(static_cast<std::uint32_t>(text.size())));
  put(text);
  for (const auto& [name, values] : state.arrays) {
    put({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  }
  file.write(bytes_of(sum));
  file.commit();
}

TrainState read_state(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path + ": cannot open");
  const std::string content{std::istreambuf_iterator<char>(stream), {}};
  std::string_view bytes = content;
  if (bytes.size() < kFixed + sizeof(std::uint64_t) || !bytes.starts_with(kMagic)) {
    refuse(path + ": not a training state of eco-train, or cut off at the start");
  }
  if (const auto version = value_at<std::uint32_t>(bytes, kMagic.size()); version != kVersion) {
    refuse(path + ": training state of version " + std::to_string(version) + ", expected " +
           std::to_string(kVersion));
  }
  const std::size_t body = bytes.size() - sizeof(std::uint64_t);
  if (checksum(bytes.substr(0, body)) != value_at<std::uint64_t>(bytes, body)) {
    refuse(path +
           ": truncated or damaged (the checksum does not fit); delete it to resume from "
           "the checkpoint before it");
  }
  // From here on the bytes are what write_state wrote.
  const auto header_size = value_at<std::uint32_t>(bytes, kMagic.size() + sizeof kVersion);
  const auto header = nlohmann::json::parse(bytes.substr(kFixed, header_size));
  TrainState state;
  state.fields = header.at("fields").get<std::map<std::string, std::string>>();
  std::size_t at = kFixed + header_size;
  for (const auto& [name, count] : header.at("arrays").items()) {
    std::vector<float> values(count.get<std::size_t>());
    std::memcpy(values.data(), bytes.data() + at, values.size() * sizeof(float));
    at += values.size() * sizeof(float);
    state.arrays.emplace(name, std::move(values));
  }
  return state;
}

}  // namespace eco::train
