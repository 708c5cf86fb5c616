#pragma once
// Two index spaces that must never be mixed: a node as the user numbered it, and a place in the
// canonical (spatially sorted) sequence that the network reads.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace eco {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value_(static_cast<std::uint32_t>(index)) {}
  [[nodiscard]] constexpr std::size_t index() const { return value_; }
  // The check takes the 0 of a rewritten a < b for a pointer.
  friend constexpr auto operator<=>(Id, Id) = default;  // NOLINT(modernize-use-nullptr)

 private:
  std::uint32_t value_ = 0;
};

using NodeId = Id<struct NodeTag>;        // 0-based, input order; CVRP: 0 is the depot
using Position = Id<struct PositionTag>;  // 0-based, canonical order

// Instances above this are refused at the door, so that 32-bit indices are always enough.
inline constexpr std::size_t kMaxNodes = 100'000'000;

}  // namespace eco

template <class Tag>
struct std::hash<eco::Id<Tag>> {
  std::size_t operator()(eco::Id<Tag> id) const noexcept { return id.index(); }
};
