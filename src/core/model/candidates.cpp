#include "core/model/candidates.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace eco {

namespace {

constexpr std::size_t kScaleCandidates = 8;  // the local scale is their mean distance
constexpr double kLimit = 10.0;

// Rotation whose first axis points from one point to another.
struct Frame {
  double cosine = 1, sine = 0;
  Frame(const Point& from, const Point& to) {
    const double length = euclidean(from, to);
    if (length > 0) {
      cosine = (to.x - from.x) / length;
      sine = (to.y - from.y) / length;
    }
  }
  [[nodiscard]] Point turn(double dx, double dy) const {
    return {dx * cosine + dy * sine, dy * cosine - dx * sine};
  }
};

}  // namespace

void CandidateWalk::start(const SubProblem& sub, std::size_t candidates) {
  sub_ = &sub;
  limit_ = candidates;
  if (open_ == nullptr) open_ = std::make_shared<Open>();
  open_->tree = sub.tree();
  open_->visited.assign(sub.size(), 0);
  taken_.clear();
  apart_ = false;
  current_ = sub.current();
  for (const std::size_t end : {sub.current(), sub.destination()}) {
    open_->visited[end] = 1;
    open_->tree.remove(static_cast<std::uint32_t>(end));
  }
  unvisited_ = sub.size() - 2;
  remaining_ = sub.remaining();
  open_demand_ = 0;
  for (std::size_t token = 0; token < sub.size(); ++token) open_demand_ += sub.demand(token);
  at_depot_ = sub.nodes()[sub.current()] == sub.nodes()[sub.destination()];
  via_allowed_ = sub.problem() == ProblemKind::cvrp && !at_depot_;
}

void CandidateWalk::step(std::size_t token, bool via_depot) {
  assert(!visited(token));
  taken_.push_back(static_cast<std::uint32_t>(token));
  if (!apart_) settle();
  --unvisited_;
  current_ = token;
  at_depot_ = false;
  if (sub_->problem() == ProblemKind::cvrp) {
    if (via_depot) remaining_ = sub_->capacity();
    remaining_ -= sub_->demand(token);
    open_demand_ -= sub_->demand(token);
    via_allowed_ = true;
  }
}

void CandidateWalk::settle() {
  for (const std::uint32_t token : taken_) {
    open_->visited[token] = 1;
    open_->tree.remove(token);
  }
  taken_.clear();
  apart_ = false;
}

bool CandidateWalk::visited(std::size_t token) const {
  return open_->visited[token] != 0 ||
         std::find(taken_.begin(), taken_.end(), token) != taken_.end();
}

std::span<const PointNeighbour> CandidateWalk::nearest(const Point& query, std::size_t k,
                                                       std::uint32_t except) {
  const auto found = open_->tree.nearest(query, k + taken_.size(), except);
  if (taken_.empty()) return found;
  found_.clear();
  for (const PointNeighbour& other : found) {
    if (found_.size() < k && !visited(other.index)) found_.push_back(other);
  }
  return found_;
}

double CandidateWalk::in_capacities(std::int64_t load) const {
  return static_cast<double>(load) / static_cast<double>(sub_->capacity());
}

double CandidateWalk::spare_room() const {
  const std::int64_t capacity = sub_->capacity(), left = open_demand_ + capacity - remaining_;
  return in_capacities((capacity - left % capacity) % capacity);
}

double CandidateWalk::lost_room() const {
  return std::max(0.0, in_capacities(remaining_) - spare_room());
}

void CandidateWalk::dynamic(std::span<float> out) const {
  out[0] = static_cast<float>(0.2 * std::log1p(static_cast<double>(unvisited_)));
  if (sub_->problem() == ProblemKind::cvrp) {
    out[1] = static_cast<float>(in_capacities(remaining_));
    out[2] = at_depot_ ? 1.0F : 0.0F;
  }
}

void CandidateWalk::propose() {
  const auto points = sub_->points();
  tokens_.clear();
  for (const PointNeighbour& found : nearest(points[current_], limit_)) {
    tokens_.push_back(found.index);
  }
  const std::size_t count = tokens_.size();
  const double root = std::sqrt(static_cast<double>(sub_->size()));
  distances_.resize(count);
  direct_.assign(count, 1);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = euclidean(points[current_], points[tokens_[i]]);
    distances_[i] = static_cast<float>(root * distance);
    if (i < kScaleCandidates) sum += distance;
  }
  // Coincident points have no scale of their own: the global one stands in.
  scale_ = sum / static_cast<double>(std::max<std::size_t>(1, std::min(count, kScaleCandidates)));
  scale_ = std::max(scale_, 1e-3 / root);
  if (sub_->problem() == ProblemKind::cvrp) {
    for (std::size_t i = 0; i < count; ++i)
      direct_[i] = sub_->demand(tokens_[i]) <= remaining_ ? 1 : 0;
  }
  rank_by_destination();
  features_.resize(count * candidate_feature_count(sub_->problem()));
  for (std::size_t i = 0; i < count; ++i) describe(i, root);
}

void CandidateWalk::rank_by_destination() {
  const auto points = sub_->points();
  const Point s = points[sub_->destination()];
  near_destination_.clear();
  for (const PointNeighbour& found : nearest(s, 2)) near_destination_.push_back(found.index);
  const std::size_t count = tokens_.size();
  to_destination_.resize(count);
  for (std::size_t i = 0; i < count; ++i) to_destination_[i] = euclidean(points[tokens_[i]], s);
  destination_rank_.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      const bool closer = to_destination_[j] < to_destination_[i] ||
                          (to_destination_[j] == to_destination_[i] && j < i);
      if (closer) ++destination_rank_[i];
    }
  }
}

std::array<std::uint32_t, 2> CandidateWalk::nearest_open(std::size_t token) {
  std::array<std::uint32_t, 2> two{SubProblem::kNone, SubProblem::kNone};
  std::size_t found = 0;
  // The list holds the nearest of all tokens in order, so its open ones are the nearest open ones.
  for (const std::uint32_t other : sub_->neighbours_of(token)) {
    if (found == 2 || other == SubProblem::kNone) break;
    if (!visited(other)) two[found++] = other;
  }
  if (found == 2) return two;
  found = 0;
  for (const PointNeighbour& other :
       nearest(sub_->points()[token], 2, static_cast<std::uint32_t>(token))) {
    two[found++] = other.index;
  }
  return two;
}

void CandidateWalk::describe(std::size_t i, double root) {
  const auto points = sub_->points();
  const std::size_t token = tokens_[i];
  const Point here = points[current_], there = points[token], s = points[sub_->destination()];
  const Frame frame(here, s);
  const double unit = 1.0 / scale_;
  const double distance = euclidean(here, there);
  const double home = euclidean(here, s);
  const std::size_t width = candidate_feature_count(sub_->problem());
  float* out = features_.data() + i * width;
  const auto put = [&out](double value) {
    *out++ = static_cast<float>(std::clamp(value, -kLimit, kLimit));
  };

  const Point offset = frame.turn(there.x - here.x, there.y - here.y);
  put(offset.x * unit);
  put(offset.y * unit);
  put(distance * unit);
  put(std::log(distance * unit + 0.05));
  put(static_cast<double>(i) / static_cast<double>(limit_));
  put(std::log1p(root * to_destination_[i]));
  put((to_destination_[i] - home) * unit);

  std::array<Point, 2> next_offset{};
  std::array<double, 2> next_distance{};
  const auto next = nearest_open(token);
  for (std::size_t k = 0; k < next.size() && next[k] != SubProblem::kNone; ++k) {
    const Point q = points[next[k]];
    next_offset[k] = frame.turn(q.x - there.x, q.y - there.y);
    next_distance[k] = euclidean(there, q);
  }
  for (const Point& p : next_offset) {
    put(p.x * unit);
    put(p.y * unit);
  }
  for (const double d : next_distance) put(d * unit);

  constexpr std::size_t kList = SubProblem::kNeighbours;
  std::size_t open = 0, rank_of_current = kList;
  const auto list = sub_->neighbours_of(token);
  for (std::size_t k = 0; k < kList && list[k] != SubProblem::kNone; ++k) {
    if (!visited(list[k])) ++open;
    if (list[k] == current_) rank_of_current = k;
  }
  put(static_cast<double>(open) / kList);
  put(static_cast<double>(rank_of_current) / kList);
  put(open == 0 ? 1 : 0);
  put(std::log(sub_->neighbour_scale()[token] * unit + 0.01));
  put(0.2 * std::log1p(static_cast<double>(unvisited_)));

  // The other end: what is nearest to the destination, and would be left to serve it.
  const bool is_nearest = !near_destination_.empty() && near_destination_[0] == token;
  const std::size_t other_end = is_nearest ? 1 : 0;
  const double end_gap = other_end < near_destination_.size()
                             ? euclidean(s, points[near_destination_[other_end]])
                             : 0.0;
  put(std::log1p(end_gap * unit));
  put(is_nearest ? 1 : 0);
  put(static_cast<double>(destination_rank_[i]) / static_cast<double>(limit_));
  put(std::log1p(to_destination_[i] * unit));
  put(std::log(root * scale_ + 0.01));
  put(std::log1p(home * unit));

  if (sub_->problem() == ProblemKind::cvrp) {
    const double demand = in_capacities(sub_->demand(token));
    const double remaining = in_capacities(remaining_);
    put(demand);
    put(remaining);
    put(remaining - demand);
    put(direct_[i]);
    put(demand <= 2 * remaining && remaining > 0 ? demand / remaining : (demand > 0 ? 2 : 0));
    put(std::log1p(std::max(0.0, home + to_destination_[i] - distance) * unit));
    put(std::log1p(in_capacities(open_demand_)) / 3.0);
    put(at_depot_ ? 1 : 0);
    put(spare_room());
    put(lost_room());
  }
  assert(out == features_.data() + (i + 1) * width);
}

}  // namespace eco
