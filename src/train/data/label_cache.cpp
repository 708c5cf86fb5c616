#include "train/data/label_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/problem/problem.h"
#include "train/data/checksum.h"

namespace eco::train {

namespace {

constexpr std::uint32_t kRecordMagic = 0x4c4f4345;  // "ECOL"
constexpr std::size_t kRecordHeader = 16;

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Reads values off the front; `ok` turns false for good when they run out.
struct Cursor {
  std::string_view bytes;
  bool ok = true;

  template <class T>
  T get() {
    T value{};
    if (bytes.size() < sizeof value) {
      ok = false;
      return value;
    }
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
  }
  // A count of things that take at least `each` bytes, so that a wrong one cannot ask for memory.
  std::size_t count(std::size_t each) {
    const auto value = get<std::uint32_t>();
    if (value > bytes.size() / each) ok = false;
    return ok ? value : 0;
  }
};

std::string payload_of(std::uint64_t index, const Instance& instance) {
  std::string out;
  put(out, index);
  put(out, instance.capacity);
  put(out, static_cast<std::uint32_t>(instance.points.size()));
  for (const Point& point : instance.points) {
    put(out, point.x);
    put(out, point.y);
  }
  put(out, static_cast<std::uint32_t>(instance.demands.size()));
  for (const std::int64_t demand : instance.demands) put(out, demand);
  const auto& sequence = instance.reference.value().sequence;
  put(out, static_cast<std::uint32_t>(sequence.size()));
  for (const NodeId node : sequence) put(out, static_cast<std::uint32_t>(node.index()));
  return out;
}

std::optional<CachedLabel> label_from(std::string_view payload, ProblemKind kind) {
  Cursor cursor{payload};
  CachedLabel label;
  Instance& instance = label.instance;
  instance.kind = kind;
  label.index = cursor.get<std::uint64_t>();
  instance.capacity = cursor.get<std::int64_t>();
  instance.points.resize(cursor.count(sizeof(Point)));
  for (Point& point : instance.points) {
    point.x = cursor.get<double>();
    point.y = cursor.get<double>();
  }
  instance.demands.resize(cursor.count(sizeof(std::int64_t)));
  for (std::int64_t& demand : instance.demands) demand = cursor.get<std::int64_t>();
  Solution solution;
  solution.sequence.resize(cursor.count(sizeof(std::uint32_t)));
  for (NodeId& node : solution.sequence) {
    node = NodeId(cursor.get<std::uint32_t>());
    if (node.index() >= instance.points.size()) return std::nullopt;
  }
  if (!cursor.ok || !cursor.bytes.empty() || solution.sequence.empty()) return std::nullopt;
  instance.reference_cost = cost(instance, solution);
  instance.reference = std::move(solution);
  label.customers = instance.customers();
  return label;
}

}  // namespace

LabelCache::LabelCache(std::string path, const std::string& description, ProblemKind kind)
    : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw Error(ErrorKind::resource, path_ + ": cannot open: " + std::strerror(errno));
  }
  ::flock(file_, LOCK_EX);
  load("eco-labels 1 " + description + "\n", kind);
  ::flock(file_, LOCK_UN);
}

LabelCache::~LabelCache() {
  if (file_ >= 0) ::close(file_);
}

void LabelCache::load(const std::string& header, ProblemKind kind) {
  std::ifstream stream(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (bytes.size() < header.size() && header.starts_with(bytes)) {  // new, or torn at birth
    if (::ftruncate(file_, 0) != 0 ||
        ::write(file_, header.data(), header.size()) != static_cast<ssize_t>(header.size())) {
      throw Error(ErrorKind::resource, path_ + ": cannot write: " + std::strerror(errno));
    }
    return;
  }
  if (!bytes.starts_with(header)) {
    const auto line = bytes.substr(0, std::min<std::size_t>(bytes.find('\n'), 120));
    throw Error(ErrorKind::input, path_ + ": labels of another kind: found " +
                                      eco::quoted(line, 120) + ", expected " +
                                      eco::quoted(header.substr(0, header.size() - 1), 120));
  }
  std::size_t good = header.size();
  while (bytes.size() - good >= kRecordHeader) {
    Cursor head{std::string_view(bytes).substr(good, kRecordHeader)};
    const auto magic = head.get<std::uint32_t>();
    const auto length = head.get<std::uint32_t>();
    const auto sum = head.get<std::uint64_t>();
    if (magic != kRecordMagic || bytes.size() - good - kRecordHeader < length) break;
    const auto payload = std::string_view(bytes).substr(good + kRecordHeader, length);
    if (checksum(payload) != sum) break;
    auto label = label_from(payload, kind);
    if (!label) break;
    loaded_.push_back(std::move(*label));
    good += kRecordHeader + length;
  }
  if (good < bytes.size() && ::ftruncate(file_, static_cast<off_t>(good)) != 0) {
    throw Error(ErrorKind::resource, path_ + ": cannot cut off a torn record");
  }
}

void LabelCache::append(std::uint64_t index, const Instance& instance) {
  const std::string payload = payload_of(index, instance);
  std::string record;
  put(record, kRecordMagic);
  put(record, static_cast<std::uint32_t>(payload.size()));
  put(record, checksum(payload));
  record += payload;
  ::flock(file_, LOCK_EX);
  const ssize_t written = ::write(file_, record.data(), record.size());
  const int reason = errno;
  ::flock(file_, LOCK_UN);
  if (written != static_cast<ssize_t>(record.size())) {
    throw Error(ErrorKind::resource, path_ + ": cannot write: " + std::strerror(reason));
  }
}

}  // namespace eco::train
