#pragma once
// What the merging network reads: one description of every input, from which follow the widths, the
// places of the columns, the table in docs/model.md and a fingerprint that a weights file carries.
// Columns are written by name (TokenFeature::load, EdgeFeature::saving), so the order of the code
// that fills them does not matter; the order of these lists does, and is part of the fingerprint.
//
// Lengths are divided by the scale of the token: its mean distance to the 8 nearest open nodes of
// other fragments. `slog` is the signed logarithm sign(x) log(1 + |x|).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace eco {

struct Feature {
  std::string_view name;
  std::size_t count;  // columns
  std::string_view meaning;
};

inline constexpr std::size_t kScaleNeighbours = 8;

// Of a token. The last ones only where there is a depot.
enum class TokenFeature : std::uint8_t {
  single,
  end,
  nearest,
  scale,
  other,
  previous,
  next,
  tokens,
  sides,
  depot,
  is_depot,
  demand,
  load,
  room,
  far_end_home,
  open_demand,
  spare,
  kCount
};
inline constexpr std::array<Feature, static_cast<std::size_t>(TokenFeature::kCount)> kTokenFeatures{
    {
        {"single", 1, "no edge yet"},
        {"end", 1, "one edge: end of a fragment"},
        {"nearest", 3 * kScaleNeighbours,
         "offset and distance of the 8 nearest of other fragments"},
        {"scale", 1, "log of the scale over the mean scale"},
        {"other", 3, "other end of the fragment: direction times log(1 + d), and log(1 + d)"},
        {"previous", 2, "slog offset of the token before in Morton order"},
        {"next", 2, "slog offset of the token after"},
        {"tokens", 1, "log of the number of tokens, divided by 5"},
        {"sides", 4, "exp(-distance) to the left, right, lower, upper side of the box"},
        {"depot", 3, "the depot: direction times log(1 + d), and log(1 + d)"},
        {"is_depot", 1, "the token is the depot"},
        {"demand", 1, "own demand, in capacities"},
        {"load", 1, "load of the fragment, in capacities"},
        {"room", 1, "what is left of the capacity"},
        {"far_end_home", 1, "the other end of the fragment is at the depot"},
        {"open_demand", 1, "log(1 + what the open fragments carry, in capacities), divided by 3"},
        {"spare", 1, "how far that is below the next whole number of capacities"},
    }};
inline constexpr TokenFeature kFirstDepotToken = TokenFeature::depot;

// Of a candidate j of token i, as seen from i.
enum class EdgeFeature : std::uint8_t {
  offset,
  distance,
  log_distance,
  rank,
  rank_back,
  single,
  self_single,
  excess_back,
  excess,
  far_end,
  to_far_end,
  far_to,
  far_to_far,
  density,
  is_depot,
  saving,
  depot_distance,
  load,
  load_both,
  room,
  far_end_home,
  self_far_end_home,
  both_home,
  kCount
};
inline constexpr std::array<Feature, static_cast<std::size_t>(EdgeFeature::kCount)> kEdgeFeatures{{
    {"offset", 2, "direction to j times log(1 + d)"},
    {"distance", 1, "d, at most 10"},
    {"log_distance", 1, "log(d + 0.05)"},
    {"rank", 1, "place of j among the candidates of i, in units of their number"},
    {"rank_back", 1, "place of i among the candidates of j; 1 if it is none"},
    {"single", 1, "j has no edge yet"},
    {"self_single", 1, "i has no edge yet"},
    {"excess_back", 1, "slog(d - distance of j to its nearest candidate other than i)"},
    {"excess", 1, "slog(d - distance of i to its nearest candidate other than j)"},
    {"far_end", 2, "far end of j's fragment from j: direction times log(1 + d)"},
    {"to_far_end", 1, "log(1 + distance from i to the far end of j's fragment)"},
    {"far_to", 1, "log(1 + distance from the far end of i's fragment to j)"},
    {"far_to_far", 1, "log(1 + distance between the two far ends)"},
    {"density", 1, "log of j's scale over i's"},
    {"is_depot", 1, "j is the depot"},
    {"saving", 1, "slog(d_i0 + d_j0 - d_ij)"},
    {"depot_distance", 1, "slog(d_j0 - d_i0)"},
    {"load", 1, "load of j's fragment, in capacities"},
    {"load_both", 1, "load of both fragments together"},
    {"room", 1, "what both leave of the capacity"},
    {"far_end_home", 1, "the far end of j's fragment is at the depot"},
    {"self_far_end_home", 1, "the far end of i's is"},
    {"both_home", 1, "both are: the link would finish a route"},
}};
inline constexpr EdgeFeature kFirstDepotEdge = EdgeFeature::is_depot;

// First column of a feature; the width of all before it.
[[nodiscard]] constexpr std::size_t column(TokenFeature feature) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(feature); ++i)
    sum += kTokenFeatures[i].count;
  return sum;
}
[[nodiscard]] constexpr std::size_t column(EdgeFeature feature) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(feature); ++i) sum += kEdgeFeatures[i].count;
  return sum;
}

[[nodiscard]] constexpr std::size_t token_feature_width(bool depot) {
  return column(depot ? TokenFeature::kCount : kFirstDepotToken);
}
[[nodiscard]] constexpr std::size_t edge_feature_width(bool depot) {
  return column(depot ? EdgeFeature::kCount : kFirstDepotEdge);
}

// The features in use, with or without a depot.
[[nodiscard]] std::span<const Feature> token_features(bool depot);
[[nodiscard]] std::span<const Feature> edge_features(bool depot);

// 16 hexadecimal digits of the names and counts in order.
[[nodiscard]] std::string feature_fingerprint(bool depot);

}  // namespace eco
