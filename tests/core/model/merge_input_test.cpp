// The inputs of the merging network, every column, against a slow rendering of the table in
// merge_features.h that shares nothing with the code that makes them.

#include "core/model/merge_input.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>

#include "core/base/rng.h"
#include "core/geometry/symmetry.h"
#include "core/instance/generate.h"
#include "paths.h"

namespace eco {
namespace {

constexpr std::size_t kNearest = 5;

Instance merge_instance(ProblemKind kind, std::size_t nodes, std::uint64_t index) {
  GeneratorOptions options;
  options.kind = kind;
  options.nodes = nodes;
  return generate(options, index);
}

double between(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}
double signed_log(double x) {
  return std::copysign(std::log(1 + std::abs(x)), x);
}

// The open nodes of a state as a person would list them.
class SlowView {
 public:
  explicit SlowView(const Fragments& state) : state_(state), in_(state.instance()) {
    for (std::size_t i = in_.has_depot() ? 1 : 0; i < in_.size(); ++i) {
      if (state.open(NodeId(i))) open_.emplace_back(i);
    }
    for (const NodeId node : open_) {
      const auto near = others(node, false);
      double sum = 0;
      const std::size_t count = std::min<std::size_t>(8, near.size());
      for (std::size_t i = 0; i < count; ++i) sum += between(at(node), at(near[i]));
      scale_[node] = count > 0 ? sum / static_cast<double>(count) : 0;
      mean_ += scale_[node] / static_cast<double>(open_.size());
    }
    if (in_.has_depot()) scale_[kDepot] = mean_;
  }

  [[nodiscard]] Point at(NodeId node) const { return in_.points[node.index()]; }
  [[nodiscard]] double scale(NodeId node) const { return scale_.at(node); }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] std::size_t open() const { return open_.size(); }

  // Open nodes of other fragments, nearest first; `legal`: only those that may be linked.
  [[nodiscard]] std::vector<NodeId> others(NodeId node, bool legal) const {
    std::vector<NodeId> result;
    for (const NodeId other : open_) {
      if (other == node || state_.other(node) == other) continue;
      if (!legal || state_.can_link(node, other)) result.push_back(other);
    }
    std::stable_sort(result.begin(), result.end(), [&](NodeId a, NodeId b) {
      return between(at(node), at(a)) < between(at(node), at(b));
    });
    return result;
  }
  [[nodiscard]] std::vector<NodeId> candidates(NodeId node) const {
    auto result = others(node, true);
    result.resize(std::min(result.size(), kNearest));
    return result;
  }

 private:
  const Fragments& state_;
  const Instance& in_;
  std::vector<NodeId> open_;
  std::map<NodeId, double> scale_;
  double mean_ = 0;
};

using Columns = std::map<std::string, std::vector<double>>;

void put_pull(Columns& columns, const std::string& name, const Point& from, const Point& to,
              double scale, bool with_length) {
  const double d = between(from, to) / scale, log = std::log(1 + d);
  const double angle = std::atan2(to.y - from.y, to.x - from.x);
  columns[name] = {d > 0 ? log * std::cos(angle) : 0, d > 0 ? log * std::sin(angle) : 0};
  if (with_length) columns[name].push_back(log);
}

Columns token_columns(const Fragments& state, const SlowView& view, const MergeInput& input,
                      std::size_t row) {
  const Instance& in = state.instance();
  const NodeId node = input.node[row];
  const bool depot = in.has_depot() && node == kDepot;
  const Point here = view.at(node);
  const double scale = view.scale(node);
  Columns c;
  c["single"] = {!depot && state.degree(node) == 0 ? 1.0 : 0.0};
  c["end"] = {!depot && state.degree(node) == 1 ? 1.0 : 0.0};
  c["nearest"].assign(24, 0.0);
  if (!depot) {
    const auto near = view.others(node, false);
    for (std::size_t i = 0; i < std::min<std::size_t>(8, near.size()); ++i) {
      c["nearest"][3 * i] = (view.at(near[i]).x - here.x) / scale;
      c["nearest"][3 * i + 1] = (view.at(near[i]).y - here.y) / scale;
      c["nearest"][3 * i + 2] = between(view.at(near[i]), here) / scale;
    }
  }
  c["scale"] = {std::log(scale / view.mean())};
  put_pull(c, "other", here, depot ? here : view.at(state.other(node)), scale, true);
  const auto step = [&](std::size_t to) {
    const Point there = view.at(input.node[to]);
    return std::vector<double>{signed_log((there.x - here.x) / scale),
                               signed_log((there.y - here.y) / scale)};
  };
  const std::size_t last = input.tokens() - 1;
  c["previous"] = row > 0 ? step(row - 1) : std::vector<double>{0, 0};
  c["next"] = row < last ? step(row + 1) : std::vector<double>{0, 0};
  c["tokens"] = {std::log(static_cast<double>(input.tokens())) / 5};
  Point low = in.points[0], high = in.points[0];
  for (const Point& p : in.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  c["sides"] = {std::exp((low.x - here.x) / scale), std::exp((here.x - high.x) / scale),
                std::exp((low.y - here.y) / scale), std::exp((here.y - high.y) / scale)};
  if (!in.has_depot()) return c;
  const auto q = static_cast<double>(in.capacity);
  put_pull(c, "depot", here, view.at(kDepot), scale, true);
  c["is_depot"] = {depot ? 1.0 : 0.0};
  const double load = depot ? 0 : static_cast<double>(state.load(node)) / q;
  c["demand"] = {static_cast<double>(in.demands[node.index()]) / q};
  c["load"] = {load};
  c["room"] = {depot ? 0 : 1 - load};
  c["far_end_home"] = {!depot && state.far_end_home(node) ? 1.0 : 0.0};
  double open_demand = 0;
  for (std::size_t i = 1; i < in.size(); ++i) {
    const NodeId end(i);
    // Each open fragment once: at its lower open end.
    if (!state.open(end)) continue;
    const NodeId far = state.other(end);
    if (far == end || !state.open(far) || end < far) {
      open_demand += static_cast<double>(state.load(end)) / q;
    }
  }
  c["open_demand"] = {std::log(1 + open_demand) / 3};
  c["spare"] = {std::ceil(open_demand - 1e-9) - open_demand};
  return c;
}

Columns edge_columns(const Fragments& state, const SlowView& view, NodeId i, NodeId j) {
  const Instance& in = state.instance();
  const bool depot = in.has_depot() && j == kDepot;
  const double scale = view.scale(i), d = between(view.at(i), view.at(j)) / scale;
  const auto mine = view.candidates(i);
  const auto theirs = depot ? std::vector<NodeId>{} : view.candidates(j);
  const auto place = [](const std::vector<NodeId>& list, NodeId node) {
    return static_cast<double>(std::find(list.begin(), list.end(), node) - list.begin());
  };
  // Distance of `from` to the first of its list that is not `except`; 0 if there is none.
  const auto best = [&](const std::vector<NodeId>& list, NodeId from, NodeId except) {
    for (const NodeId node : list) {
      if (node != except) return between(view.at(from), view.at(node));
    }
    return 0.0;
  };
  Columns c;
  put_pull(c, "offset", view.at(i), view.at(j), scale, false);
  c["distance"] = {std::min(d, 10.0)};
  c["log_distance"] = {std::log(d + 0.05)};
  c["rank"] = {depot ? -1.0 / kNearest : place(mine, j) / kNearest};
  const bool mutual = std::find(theirs.begin(), theirs.end(), i) != theirs.end();
  c["rank_back"] = {depot ? 0 : mutual ? place(theirs, i) / kNearest : 1};
  c["single"] = {!depot && state.degree(j) == 0 ? 1.0 : 0.0};
  c["self_single"] = {state.degree(i) == 0 ? 1.0 : 0.0};
  c["excess_back"] = {signed_log(d - (depot ? 0 : best(theirs, j, i) / scale))};
  c["excess"] = {signed_log(d - best(mine, i, j) / scale)};
  const Point far_i = view.at(state.other(i));
  const Point far_j = depot ? view.at(j) : view.at(state.other(j));
  put_pull(c, "far_end", view.at(j), far_j, scale, false);
  c["to_far_end"] = {std::log(1 + between(view.at(i), far_j) / scale)};
  c["far_to"] = {std::log(1 + between(far_i, view.at(j)) / scale)};
  c["far_to_far"] = {std::log(1 + between(far_i, far_j) / scale)};
  c["density"] = {std::log(view.scale(j) / scale)};
  if (!in.has_depot()) return c;
  const auto q = static_cast<double>(in.capacity);
  const double home_i = between(view.at(i), view.at(kDepot)) / scale;
  const double home_j = between(view.at(j), view.at(kDepot)) / scale;
  const double load_i = static_cast<double>(state.load(i)) / q;
  const double load_j = depot ? 0 : static_cast<double>(state.load(j)) / q;
  const bool far_home_j = !depot && state.far_end_home(j);
  c["is_depot"] = {depot ? 1.0 : 0.0};
  c["saving"] = {signed_log(home_i + home_j - d)};
  c["depot_distance"] = {signed_log(home_j - home_i)};
  c["load"] = {load_j};
  c["load_both"] = {load_i + load_j};
  c["room"] = {1 - load_i - load_j};
  c["far_end_home"] = {far_home_j ? 1.0 : 0.0};
  c["self_far_end_home"] = {state.far_end_home(i) ? 1.0 : 0.0};
  c["both_home"] = {far_home_j && state.far_end_home(i) ? 1.0 : 0.0};
  return c;
}

void expect_row(std::span<const Feature> features, const Columns& expected, const float* row) {
  ASSERT_EQ(features.size(), expected.size());
  for (const Feature& feature : features) {
    const auto found = expected.find(std::string(feature.name));
    ASSERT_NE(found, expected.end()) << feature.name;
    ASSERT_EQ(found->second.size(), feature.count) << feature.name;
    for (const double value : found->second) {
      EXPECT_NEAR(*row++, std::clamp(value, -10.0, 10.0), 2e-5) << feature.name;
    }
  }
}

TEST(MergeInput, HasEveryFeatureAsTheTableSays) {
  Rng rng(3);
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const bool depot = kind == ProblemKind::cvrp;
    for (std::size_t index = 0; index < 12; ++index) {
      const Instance instance = merge_instance(kind, 14 + 3 * index, index);
      Fragments state(instance);
      const auto size = static_cast<std::uint32_t>(instance.size());
      for (std::size_t tries = 3 * index; tries > 0; --tries) {
        const NodeId a(rng.below(size)), b(rng.below(size));
        if (state.can_link(a, b)) state.link(a, b);
        if (depot && a != kDepot && state.open(a) && rng.below(4) == 0) state.send_home(a);
      }
      MergeInput input;
      MergeInputBuilder builder;
      input.clear(depot, kNearest);
      builder.append(state, View(instance), {}, input);
      const SlowView view(state);
      ASSERT_EQ(input.tokens(), view.open() + (depot ? 1 : 0));
      for (std::size_t row = 0; row < input.tokens(); ++row) {
        const NodeId node = input.node[row];
        expect_row(token_features(depot), token_columns(state, view, input, row),
                   &input.features[row * token_feature_width(depot)]);
        if (depot && row == 0) {
          EXPECT_EQ(input.count[row], 0);
          continue;
        }
        auto expected = view.candidates(node);
        if (depot) expected.insert(expected.begin(), kDepot);
        ASSERT_EQ(input.count[row], expected.size());
        for (std::size_t a = 0; a < expected.size(); ++a) {
          const std::size_t place = row * input.width + a;
          EXPECT_EQ(input.node[input.candidates[place]], expected[a]);
          expect_row(edge_features(depot), edge_columns(state, view, node, expected[a]),
                     &input.edge_features[place * edge_feature_width(depot)]);
        }
      }
    }
  }
}

TEST(MergeInput, LinksAnEdgeToItselfSeenFromTheOtherEnd) {
  const Instance instance = merge_instance(ProblemKind::cvrp, 60, 2);
  const Fragments state(instance);
  MergeInput input;
  MergeInputBuilder builder;
  input.clear(true, kNearest);
  builder.append(state, View(instance), {}, input);
  builder.append(state, View(instance), {}, input);  // rows of the second count on
  ASSERT_EQ(input.states(), 2U);
  for (std::size_t row = 0; row < input.tokens(); ++row) {
    for (std::size_t a = 1; a < input.count[row]; ++a) {
      const std::size_t there = input.candidates[row * input.width + a];
      const auto* list = &input.candidates[there * input.width];
      const auto* found = std::find(list + 1, list + input.count[there], row);
      const std::uint32_t back = input.back[row * input.width + a];
      if (found == list + input.count[there]) {
        EXPECT_EQ(back, MergeInput::kNone);
      } else {
        EXPECT_EQ(back, static_cast<std::size_t>(found - input.candidates.data()));
      }
    }
  }
}

TEST(MergeInput, AViewShowsWhatATurnedInstanceWould) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    const Instance instance = merge_instance(kind, 50, 3);
    MergeInputBuilder builder;
    for (unsigned symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      Instance turned = instance;
      apply_symmetry(turned.points, symmetry);
      MergeInput viewed, real;
      viewed.clear(instance.has_depot(), kNearest);
      real.clear(instance.has_depot(), kNearest);
      builder.append(Fragments(instance), View(instance, symmetry), {}, viewed);
      builder.append(Fragments(turned), View(turned), {}, real);
      EXPECT_EQ(viewed.node, real.node);
      EXPECT_EQ(viewed.candidates, real.candidates);
      EXPECT_EQ(viewed.features, real.features);
      EXPECT_EQ(viewed.edge_features, real.edge_features);
    }
  }
}

// The two tables of docs/model.md are the two lists, row by row.
TEST(MergeFeatures, AreTheTablesOfTheDocumentation) {
  std::ifstream file(source_path("docs/model.md"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| `")) rows.push_back(line);
  }
  std::vector<std::string> expected;
  for (const auto& features : {token_features(true), edge_features(true)}) {
    for (const Feature& feature : features) {
      expected.push_back("| `" + std::string(feature.name) + "` | " +
                         std::to_string(feature.count) + " | " + std::string(feature.meaning) +
                         " |");
    }
  }
  const auto found = std::search(rows.begin(), rows.end(), expected.begin(), expected.end());
  EXPECT_NE(found, rows.end());
}

// Weights are made for these columns in this order: whoever changes the table makes the weights
// that ship useless, and has to make new ones.
TEST(MergeFeatures, HaveTheFingerprintOfTheWeightsThatShip) {
  EXPECT_EQ(token_feature_width(false), 39U);
  EXPECT_EQ(token_feature_width(true), 49U);
  EXPECT_EQ(edge_feature_width(false), 16U);
  EXPECT_EQ(edge_feature_width(true), 25U);
  EXPECT_EQ(feature_fingerprint(false), "09d8cd2a1a9843a8");
  EXPECT_EQ(feature_fingerprint(true), "4bcc73b4b0f04f30");
}

}  // namespace
}  // namespace eco
