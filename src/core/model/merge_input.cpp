#include "core/model/merge_input.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/kd_tree.h"
#include "core/geometry/symmetry.h"

namespace eco {

namespace {

constexpr std::uint32_t kNone = MergeInput::kNone;
constexpr double kLargestInput = 10;      // no input is larger
constexpr double kSmallestScale = 1e-7;   // of the box, where points coincide
constexpr std::size_t kSearchFactor = 8;  // how far legal candidates are looked for

double distance(const Point& a, const Point& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// Inputs are floats, and of floats a logarithm takes half the time.
double log_of(double x) {
  return std::log(static_cast<float>(x));
}
// Of 0 and more. std::log1p, which is exact near 0 too, takes three times as long.
double log_of_one_plus(double x) {
  return log_of(1 + x);
}
double slog(double x) {
  return x >= 0 ? log_of_one_plus(x) : -log_of_one_plus(-x);
}

// A row of features, written by name.
template <class Name>
class FeatureRow {
 public:
  explicit FeatureRow(float* row) : row_(row) {}
  void put(Name feature, double value, std::size_t offset = 0) {
    row_[column(feature) + offset] =
        static_cast<float>(std::clamp(value, -kLargestInput, kLargestInput));
  }
  // Direction of (dx, dy) times log(1 + d); returns log(1 + d).
  double put_direction(Name feature, double dx, double dy) {
    const double d = std::sqrt(dx * dx + dy * dy), log = log_of_one_plus(d);
    const double factor = d > 0 ? log / d : 0;
    put(feature, dx * factor, 0);
    put(feature, dy * factor, 1);
    return log;
  }

 private:
  float* row_;
};

double in_capacities(const Fragments& state, std::int64_t load) {
  return static_cast<double>(load) / static_cast<double>(state.instance().capacity);
}

}  // namespace

void MergeInput::clear(bool has_depot, std::size_t nearest) {
  depot = has_depot;
  width = nearest + fixed();
  first.assign(1, 0);
  node.clear();
  features.clear();
  hilbert.clear();
  other.clear();
  count.clear();
  candidates.clear();
  back.clear();
  edge_features.clear();
}

View::View(const Instance& instance, unsigned symmetry) : instance_(&instance) {
  if (symmetry != 0) {
    turned_ = instance.points;
    apply_symmetry(turned_, symmetry);
  }
  box_ = bounding_box(points());
}

void MergeInputBuilder::append(const Fragments& state, const View& view,
                               std::span<const NodeId> nodes, MergeInput& input) {
  all_ = view.points();
  const Box& box = view.box();
  base_ = input.tokens();
  smallest_scale_ = box.side() > 0 ? kSmallestScale * box.side() : 1;
  order_tokens(state, nodes, input);
  find_candidates(state, input);
  link_back(input);
  const std::size_t tokens = input.tokens();
  input.features.resize(tokens * token_feature_width(input.depot), 0.0F);
  input.edge_features.resize(tokens * input.width * edge_feature_width(input.depot), 0.0F);
  for (std::size_t token = 0; token < length_; ++token) {
    describe_token(state, box, token, input);
    describe_edges(state, token, input);
  }
  for (std::size_t token = 0; token < length_; ++token) {
    token_of_[input.node[base_ + token].index()] = kNone;  // clean for the next state
  }
}

void MergeInputBuilder::order_tokens(const Fragments& state, std::span<const NodeId> nodes,
                                     MergeInput& input) {
  if (nodes.empty()) {
    open_.clear();
    for (std::size_t i = input.fixed(); i < state.nodes(); ++i) {
      if (state.open(NodeId(i))) open_.emplace_back(i);
    }
    nodes = open_;
  }
  unordered_.clear();
  for (const NodeId node : nodes) unordered_.push_back(all_[node.index()]);
  order_.resize(nodes.size());
  order_points(unordered_, Ordering::morton, buffers_, order_);

  length_ = nodes.size() + input.fixed();
  if (token_of_.size() < state.nodes()) token_of_.resize(state.nodes(), kNone);
  points_.clear();
  const auto add = [&](NodeId node) {
    token_of_[node.index()] = static_cast<std::uint32_t>(points_.size());
    points_.push_back(all_[node.index()]);
    input.node.push_back(node);
  };
  if (input.depot) add(kDepot);
  for (const std::uint32_t i : order_) add(nodes[i]);
  input.first.push_back(static_cast<std::uint32_t>(base_ + length_));

  order_.resize(length_);
  order_points(points_, Ordering::hilbert, buffers_, order_);
  const auto base = static_cast<std::uint32_t>(base_);
  input.hilbert.insert(input.hilbert.end(), order_.begin(), order_.end());
  for (std::size_t token = 0; token < length_; ++token) {
    const NodeId node = input.node[base_ + token];
    const std::uint32_t far = state.open(node) ? token_of_[state.other(node).index()] : kNone;
    input.other.push_back(base + (far == kNone ? static_cast<std::uint32_t>(token) : far));
  }
}

void MergeInputBuilder::find_candidates(const Fragments& state, MergeInput& input) {
  const std::size_t fixed = input.fixed(), k = input.width, wanted = k - fixed;
  KdTree tree(std::span<const Point>(points_).subspan(fixed));
  input.candidates.resize((base_ + length_) * k, kNone);
  input.count.resize(base_ + length_, 0);
  near_.assign(length_ * kScaleNeighbours, kNone);
  scale_.assign(length_, 0.0);
  const auto base = static_cast<std::uint32_t>(base_);
  // One more than needed for the own fragment's other end, and some that may not fit.
  const std::size_t first_try = std::max(wanted, kScaleNeighbours) + 1 + (input.depot ? wanted : 0);
  double sum_of_scales = 0;
  for (std::size_t token = fixed; token < length_; ++token) {
    const NodeId node = input.node[base_ + token];
    std::uint32_t* list = &input.candidates[(base_ + token) * k];
    std::size_t count = 0, near = 0;
    double sum = 0;
    if (input.depot) list[count++] = base;
    std::size_t seen = 0;
    for (std::size_t ask = first_try;; ask *= 2) {
      const auto found =
          tree.nearest(points_[token], ask, static_cast<std::uint32_t>(token - fixed));
      for (; seen < found.size() && (count < k || near < kScaleNeighbours); ++seen) {
        const std::uint32_t candidate = found[seen].index + static_cast<std::uint32_t>(fixed);
        const NodeId there = input.node[base_ + candidate];
        if (state.other(node) == there) continue;
        if (near < kScaleNeighbours) {
          near_[token * kScaleNeighbours + near++] = candidate;
          sum += std::sqrt(found[seen].squared_distance);
        }
        if (count < k && state.can_link(node, there)) list[count++] = base + candidate;
      }
      if (count == k || found.size() < ask || ask >= kSearchFactor * first_try) break;
    }
    input.count[base_ + token] = static_cast<std::uint8_t>(count);
    scale_[token] = std::max(near > 0 ? sum / static_cast<double>(near) : 0.0, smallest_scale_);
    sum_of_scales += scale_[token];
  }
  const std::size_t scaled = length_ - fixed;
  mean_scale_ = scaled > 0 ? sum_of_scales / static_cast<double>(scaled) : 1;
  if (input.depot) scale_[0] = mean_scale_;
}

void MergeInputBuilder::link_back(MergeInput& input) {
  const std::size_t fixed = input.fixed(), k = input.width;
  input.back.resize((base_ + length_) * k, kNone);
  nearest_.assign(length_, 0.0);
  second_.assign(length_, 0.0);
  for (std::size_t token = fixed; token < length_; ++token) {
    const std::size_t row = base_ + token;
    for (std::size_t a = fixed; a < input.count[row]; ++a) {
      const std::size_t there = input.candidates[row * k + a];
      if (a < fixed + 2) {
        (a == fixed ? nearest_ : second_)[token] = distance(points_[token], points_[there - base_]);
      }
      for (std::size_t b = fixed; b < input.count[there]; ++b) {
        if (input.candidates[there * k + b] != row) continue;
        input.back[row * k + a] = static_cast<std::uint32_t>(there * k + b);
        break;
      }
    }
  }
}

void MergeInputBuilder::describe_token(const Fragments& state, const Box& box, std::size_t token,
                                       MergeInput& input) {
  const std::size_t row = base_ + token;
  const NodeId node = input.node[row];
  const Point here = points_[token];
  const double unit = 1 / scale_[token];
  const bool depot = input.depot && token == 0;
  FeatureRow<TokenFeature> out(&input.features[row * token_feature_width(input.depot)]);

  out.put(TokenFeature::single, !depot && state.degree(node) == 0 ? 1 : 0);
  out.put(TokenFeature::end, !depot && state.degree(node) == 1 ? 1 : 0);
  for (std::size_t i = 0; i < kScaleNeighbours; ++i) {
    const std::uint32_t near = near_[token * kScaleNeighbours + i];
    if (near == kNone) break;
    const double dx = (points_[near].x - here.x) * unit, dy = (points_[near].y - here.y) * unit;
    out.put(TokenFeature::nearest, dx, 3 * i);
    out.put(TokenFeature::nearest, dy, 3 * i + 1);
    out.put(TokenFeature::nearest, std::sqrt(dx * dx + dy * dy), 3 * i + 2);
  }
  out.put(TokenFeature::scale, log_of(scale_[token] / mean_scale_));
  const Point far = depot ? here : all_[state.other(node).index()];
  const double far_log =
      out.put_direction(TokenFeature::other, (far.x - here.x) * unit, (far.y - here.y) * unit);
  out.put(TokenFeature::other, far_log, 2);
  const auto put_step = [&](TokenFeature feature, const Point& there) {
    out.put(feature, slog((there.x - here.x) * unit), 0);
    out.put(feature, slog((there.y - here.y) * unit), 1);
  };
  if (token > 0) put_step(TokenFeature::previous, points_[token - 1]);
  if (token + 1 < length_) put_step(TokenFeature::next, points_[token + 1]);
  out.put(TokenFeature::tokens, std::log(static_cast<double>(length_)) / 5);
  out.put(TokenFeature::sides, std::exp(-(here.x - box.low.x) * unit), 0);
  out.put(TokenFeature::sides, std::exp(-(box.high.x - here.x) * unit), 1);
  out.put(TokenFeature::sides, std::exp(-(here.y - box.low.y) * unit), 2);
  out.put(TokenFeature::sides, std::exp(-(box.high.y - here.y) * unit), 3);
  if (!input.depot) return;

  const double depot_log = out.put_direction(TokenFeature::depot, (points_[0].x - here.x) * unit,
                                             (points_[0].y - here.y) * unit);
  out.put(TokenFeature::depot, depot_log, 2);
  out.put(TokenFeature::is_depot, depot ? 1 : 0);
  if (!depot) {
    const double load = in_capacities(state, state.load(node));
    out.put(TokenFeature::demand, in_capacities(state, state.instance().demands[node.index()]));
    out.put(TokenFeature::load, load);
    out.put(TokenFeature::room, 1 - load);
    out.put(TokenFeature::far_end_home, state.far_end_home(node) ? 1 : 0);
  }
  const double open = in_capacities(state, state.open_load());
  out.put(TokenFeature::open_demand, log_of_one_plus(open) / 3);
  const std::int64_t capacity = state.instance().capacity;
  out.put(TokenFeature::spare,
          in_capacities(state, (capacity - state.open_load() % capacity) % capacity));
}

void MergeInputBuilder::describe_edges(const Fragments& state, std::size_t token,
                                       MergeInput& input) {
  const std::size_t row = base_ + token, k = input.width, fixed = input.fixed();
  const std::size_t columns = edge_feature_width(input.depot);
  const auto nearest = static_cast<double>(k - fixed);
  const NodeId node = input.node[row];
  const Point here = points_[token];
  const double unit = 1 / scale_[token];
  if (input.count[row] == 0) return;
  const Point far_here = all_[state.other(node).index()];

  for (std::size_t a = 0; a < input.count[row]; ++a) {
    const std::size_t there_row = input.candidates[row * k + a], there_token = there_row - base_;
    const bool depot = a < fixed;
    const NodeId other = input.node[there_row];
    const Point there = points_[there_token];
    const Point far_there = depot ? there : all_[state.other(other).index()];
    FeatureRow<EdgeFeature> out(&input.edge_features[(row * k + a) * columns]);

    const double length = distance(here, there), d = length * unit;
    out.put_direction(EdgeFeature::offset, (there.x - here.x) * unit, (there.y - here.y) * unit);
    out.put(EdgeFeature::distance, d);
    out.put(EdgeFeature::log_distance, log_of(d + 0.05));
    out.put(EdgeFeature::rank,
            static_cast<double>(a) / nearest - static_cast<double>(fixed) / nearest);
    const std::uint32_t back = input.back[row * k + a];
    const double rank_back =
        back == kNone ? nearest : static_cast<double>(back % k) - static_cast<double>(fixed);
    out.put(EdgeFeature::rank_back, depot ? 0 : rank_back / nearest);
    out.put(EdgeFeature::single, !depot && state.degree(other) == 0 ? 1 : 0);
    out.put(EdgeFeature::self_single, state.degree(node) == 0 ? 1 : 0);
    const auto next_best = [&](std::size_t of, bool is_first) {
      return is_first ? second_[of] : nearest_[of];
    };
    const double back_best = depot ? 0 : next_best(there_token, back != kNone && back % k == fixed);
    out.put(EdgeFeature::excess_back, slog((length - back_best) * unit));
    out.put(EdgeFeature::excess, slog((length - next_best(token, a == fixed)) * unit));
    out.put_direction(EdgeFeature::far_end, (far_there.x - there.x) * unit,
                      (far_there.y - there.y) * unit);
    out.put(EdgeFeature::to_far_end, log_of_one_plus(distance(here, far_there) * unit));
    out.put(EdgeFeature::far_to, log_of_one_plus(distance(far_here, there) * unit));
    out.put(EdgeFeature::far_to_far, log_of_one_plus(distance(far_here, far_there) * unit));
    out.put(EdgeFeature::density, log_of(scale_[there_token] * unit));
    if (!input.depot) continue;

    const double home = distance(here, points_[0]), home_there = distance(there, points_[0]);
    const double load = in_capacities(state, state.load(node));
    const double load_there = depot ? 0 : in_capacities(state, state.load(other));
    const bool far_home = state.far_end_home(node),
               far_home_there = !depot && state.far_end_home(other);
    out.put(EdgeFeature::is_depot, depot ? 1 : 0);
    out.put(EdgeFeature::saving, slog((home + home_there - length) * unit));
    out.put(EdgeFeature::depot_distance, slog((home_there - home) * unit));
    out.put(EdgeFeature::load, load_there);
    out.put(EdgeFeature::load_both, load + load_there);
    out.put(EdgeFeature::room, 1 - load - load_there);
    out.put(EdgeFeature::far_end_home, far_home_there ? 1 : 0);
    out.put(EdgeFeature::self_far_end_home, far_home ? 1 : 0);
    out.put(EdgeFeature::both_home, far_home && far_home_there ? 1 : 0);
  }
}

}  // namespace eco
