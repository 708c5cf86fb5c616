#include "core/ordering/ordering.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

#include "core/geometry/box.h"

namespace eco {

namespace {

using Entry = OrderBuffers::Entry;

constexpr std::array kOrderings{Ordering::raw, Ordering::x, Ordering::morton, Ordering::hilbert};
constexpr std::array<std::string_view, kOrderings.size()> kOrderingNames{"raw", "x", "morton",
                                                                         "hilbert"};

// Maps the bounding box into 32 bits a side. Works on halves, so that a box wider than the largest
// double does not overflow, and divides, so that a tiny one does not either.
class Quantiser {
 public:
  explicit Quantiser(std::span<const Point> points) {
    const Box box = bounding_box(points);
    const Point low = box.low, high = box.high;
    low_ = {low.x / 2, low.y / 2};
    side_ = std::max(high.x / 2 - low_.x, high.y / 2 - low_.y);
    if (side_ == 0) side_ = 1;
  }
  [[nodiscard]] std::uint32_t x(const Point& p) const { return cell(p.x / 2 - low_.x); }
  [[nodiscard]] std::uint32_t y(const Point& p) const { return cell(p.y / 2 - low_.y); }

 private:
  [[nodiscard]] std::uint32_t cell(double offset) const {
    return static_cast<std::uint32_t>(offset / side_ * 4294967295.0);  // offset <= side_
  }
  Point low_;
  double side_ = 1;
};

// Integers that compare as the doubles do; both zeros give one integer.
std::uint64_t sortable(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

void make_keys(std::span<const Point> points, Ordering ordering, std::vector<Entry>& entries) {
  const auto fill = [&](auto key) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      entries[i] = {key(points[i]), static_cast<std::uint32_t>(i)};
    }
  };
  const Quantiser cells(points);
  switch (ordering) {
    case Ordering::raw:
      break;  // has no keys
    case Ordering::x:
      return fill([](const Point& p) { return sortable(p.x); });
    case Ordering::morton:
      return fill([&](const Point& p) { return morton_key(cells.x(p), cells.y(p)); });
    case Ordering::hilbert:
      return fill([&](const Point& p) { return hilbert_key(cells.x(p), cells.y(p)); });
  }
}

// Least significant digit first, 11 bits a pass; passes in which all keys agree are skipped.
void radix_sort(std::vector<Entry>& entries, std::vector<Entry>& other) {
  constexpr unsigned kBits = 11, kPasses = 6, kBuckets = 1U << kBits;
  std::array<std::array<std::uint32_t, kBuckets>, kPasses> counts{};
  const auto digit = [](std::uint64_t key, unsigned pass) {
    return (key >> (pass * kBits)) & (kBuckets - 1);
  };
  for (const Entry& entry : entries) {
    for (unsigned pass = 0; pass < kPasses; ++pass) ++counts[pass][digit(entry.key, pass)];
  }
  other.resize(entries.size());
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    auto& starts = counts[pass];
    if (starts[digit(entries[0].key, pass)] == entries.size()) continue;
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), 0U);
    for (const Entry& entry : entries) other[starts[digit(entry.key, pass)]++] = entry;
    entries.swap(other);
  }
}

// Different points may share a cell of the grid, or x: their order is that of their coordinates.
void break_ties(std::span<const Point> points, std::span<Entry> entries) {
  const auto before = [&](const Entry& a, const Entry& b) {
    const Point &p = points[a.index], &q = points[b.index];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    return a.index < b.index;
  };
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    end = begin + 1;
    while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
    if (end - begin > 1) std::sort(&entries[begin], &entries[begin] + (end - begin), before);
  }
}

}  // namespace

std::string_view to_string(Ordering ordering) {
  return kOrderingNames[static_cast<std::size_t>(ordering)];
}

std::optional<Ordering> ordering_from(std::string_view name) {
  for (const Ordering ordering : kOrderings) {
    if (to_string(ordering) == name) return ordering;
  }
  return std::nullopt;
}

std::span<const Ordering> all_orderings() {
  return kOrderings;
}

void order_points(std::span<const Point> points, Ordering ordering, OrderBuffers& buffers,
                  std::span<std::uint32_t> order) {
  assert(order.size() == points.size());
  if (ordering == Ordering::raw || points.size() < 2) {
    std::iota(order.begin(), order.end(), 0U);
    return;
  }
  auto& entries = buffers.entries;
  entries.resize(points.size());
  make_keys(points, ordering, entries);
  constexpr std::size_t kRadixPays = 1500;  // below it the histograms cost more than comparisons
  if (points.size() < kRadixPays) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.key < b.key; });
  } else {
    radix_sort(entries, buffers.other);
  }
  break_ties(points, entries);
  std::transform(entries.begin(), entries.end(), order.begin(),
                 [](const Entry& entry) { return entry.index; });
}

std::vector<std::uint32_t> order_points(std::span<const Point> points, Ordering ordering) {
  std::vector<std::uint32_t> order(points.size());
  OrderBuffers buffers;
  order_points(points, ordering, buffers, order);
  return order;
}

std::vector<NodeId> canonical_order(const Instance& instance, Ordering ordering) {
  const std::size_t first = instance.has_depot() ? 1 : 0;
  std::vector<NodeId> order;
  order.reserve(instance.size());
  if (first == 1) order.push_back(kDepot);
  if (!instance.has_points()) {  // a bare matrix: nothing to sort by, the file's order stays
    for (std::size_t i = first; i < instance.size(); ++i) order.emplace_back(i);
    return order;
  }
  const auto customers = std::span(instance.points).subspan(first);
  for (const std::uint32_t i : order_points(customers, ordering)) order.emplace_back(i + first);
  return order;
}

}  // namespace eco
