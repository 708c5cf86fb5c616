#include "core/instance/placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

namespace eco {

namespace {

constexpr double kDecay = 0.04;  // as a share of the side
constexpr std::size_t kGridCells = static_cast<std::size_t>(kGridSide) + 1;

bool inside(const Point& p, double side) {
  return p.x >= 0 && p.x <= side && p.y >= 0 && p.y <= side;
}

Point uniform_point(Rng& rng) {
  const double x = rng.uniform();
  return {x, rng.uniform()};
}

Point uniform_cell(Rng& rng) {
  const auto x = static_cast<double>(rng.below(kGridCells));
  return {x, static_cast<double>(rng.below(kGridCells))};
}

// A point around one of the seeds, density exp(-r / decay) in the plane (so r follows a Gamma
// distribution of shape 2), drawn again if it falls outside.
Point around_a_seed(Rng& rng, const std::vector<Point>& seeds, double side) {
  while (true) {
    const Point& seed = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
    const double product = (1 - rng.uniform()) * (1 - rng.uniform());
    const double radius = -kDecay * side * std::log(product);
    const double angle = 2 * std::numbers::pi * rng.uniform();
    const Point p{seed.x + radius * std::cos(angle), seed.y + radius * std::sin(angle)};
    if (inside(p, side)) return p;
  }
}

struct Gaussian {
  Point centre;
  double long_axis, short_axis;  // standard deviations
  double cosine, sine;           // direction of the long axis
  double weight_up_to;           // cumulative share
};

std::vector<Gaussian> random_gaussians(Rng& rng, std::size_t count) {
  std::vector<Gaussian> gaussians(count);
  double total = 0;
  for (Gaussian& g : gaussians) {
    g.centre = {rng.uniform(0.1, 0.9), 0};
    g.centre.y = rng.uniform(0.1, 0.9);
    g.long_axis = rng.uniform(0.03, 0.15);
    g.short_axis = g.long_axis * rng.uniform(0.25, 1.0);
    const double angle = std::numbers::pi * rng.uniform();
    g.cosine = std::cos(angle);
    g.sine = std::sin(angle);
    g.weight_up_to = total += rng.uniform(0.2, 1.0);
  }
  for (Gaussian& g : gaussians) g.weight_up_to /= total;
  return gaussians;
}

}  // namespace

void place_uniform(Rng& rng, std::size_t count, std::vector<Point>& points) {
  for (std::size_t i = 0; i < count; ++i) points.push_back(uniform_point(rng));
}

void place_clustered(Rng& rng, std::size_t count, std::size_t clusters,
                     std::vector<Point>& points) {
  std::vector<Point> seeds;
  place_uniform(rng, clusters, seeds);
  for (std::size_t i = 0; i < count; ++i) points.push_back(around_a_seed(rng, seeds, 1.0));
}

void place_mixture(Rng& rng, std::size_t count, std::size_t clusters, std::vector<Point>& points) {
  const auto gaussians = random_gaussians(rng, clusters);
  for (std::size_t placed = 0; placed < count;) {
    const double share = rng.uniform();
    std::size_t k = 0;
    while (k + 1 < gaussians.size() && share >= gaussians[k].weight_up_to) ++k;
    const Gaussian& g = gaussians[k];
    const double along = g.long_axis * rng.normal();
    const double across = g.short_axis * rng.normal();
    const Point p{g.centre.x + along * g.cosine - across * g.sine,
                  g.centre.y + along * g.sine + across * g.cosine};
    if (!inside(p, 1.0)) continue;
    points.push_back(p);
    ++placed;
  }
}

void place_board(Rng& rng, std::size_t count, std::size_t patterns, std::vector<Point>& points) {
  // A pattern: columns by rows of holes, so many cells of the board's grid apart.
  struct Pattern {
    std::uint32_t columns, rows, step_x, step_y;
  };
  const auto few = [&] { return 1 + rng.below(rng.below(2) == 0 ? 3 : 14); };
  std::vector<Pattern> shapes(patterns);
  for (Pattern& shape : shapes) {
    shape.columns = few();
    shape.rows = few();
    shape.step_x = 1 + rng.below(3);
    shape.step_y = 1 + rng.below(3);
  }
  // The grid is fine enough for gaps wider than the patterns.
  const auto side =
      static_cast<std::uint32_t>(std::sqrt(static_cast<double>(count)) * rng.uniform(4.0, 12.0)) +
      40;
  const bool in_zones = rng.below(2) == 0;
  std::vector<Point> zones;
  place_uniform(rng, 2 + rng.below(5), zones);
  std::unordered_set<std::uint64_t> taken;
  const std::size_t wanted = points.size() + count;
  while (points.size() < wanted) {
    const Pattern& shape = shapes[rng.below(static_cast<std::uint32_t>(patterns))];
    const Point origin = in_zones ? around_a_seed(rng, zones, 1.0) : uniform_point(rng);
    const auto x = static_cast<std::uint32_t>(origin.x * side);
    const auto y = static_cast<std::uint32_t>(origin.y * side);
    for (std::uint32_t hole = 0; hole < shape.columns * shape.rows; ++hole) {
      const std::uint32_t column = x + hole % shape.columns * shape.step_x;
      const std::uint32_t row = y + hole / shape.columns * shape.step_y;
      if (column > side || row > side || points.size() == wanted) continue;
      if (!taken.insert(std::uint64_t{row} << 32U | column).second) continue;
      points.push_back({static_cast<double>(column) / side, static_cast<double>(row) / side});
    }
  }
}

void place_panel(Rng& rng, std::size_t count, std::size_t patterns, std::vector<Point>& points) {
  const std::uint32_t columns = 1 + rng.below(3);
  const std::uint32_t rows = columns == 1 ? 2 + rng.below(2) : 1 + rng.below(2);
  const double single = rng.below(3) == 0 ? 0 : rng.uniform(0, 0.15);
  const auto copied = static_cast<std::size_t>((1 - single) * static_cast<double>(count));
  const std::size_t holes = copied / (columns * rows);

  // Holes in lattices, and some that lie in no order.
  std::vector<Point> board;
  const double disorder = rng.below(2) == 0 ? 0 : rng.uniform(0, 0.5);
  const auto free = static_cast<std::size_t>(disorder * static_cast<double>(holes));
  place_board(rng, holes - free, patterns, board);
  place_mixture(rng, free, 1 + rng.below(3), board);
  const Point size = rng.below(2) == 0 ? Point{1, std::exp(rng.uniform(std::log(0.1), 0))}
                                       : Point{std::exp(rng.uniform(std::log(0.1), 0)), 1};
  const Point step{size.x * rng.uniform(1.1, 4), size.y * rng.uniform(1.1, 4)};
  const Point panel{size.x + step.x * (columns - 1), size.y + step.y * (rows - 1)};

  const double unit = 1 / std::max(panel.x, panel.y);
  for (std::uint32_t copy = 0; copy < columns * rows; ++copy) {
    const std::uint32_t column = copy % columns, row = copy / columns;
    const Point origin{step.x * column, step.y * row};
    for (const Point& hole : board) {
      points.push_back({(origin.x + hole.x * size.x) * unit, (origin.y + hole.y * size.y) * unit});
    }
  }
  for (std::size_t i = holes * columns * rows; i < count; ++i) {
    const Point hole = uniform_point(rng);
    points.push_back({hole.x * panel.x * unit, hole.y * panel.y * unit});
  }
}

GridPlacer::GridPlacer(std::vector<Point>& points)
    : points_(points), taken_(kGridCells * kGridCells, false) {}

void GridPlacer::take(Point cell) {
  taken_[static_cast<std::size_t>(cell.y) * kGridCells + static_cast<std::size_t>(cell.x)] = true;
  points_.push_back(cell);
}

template <class Draw>
void GridPlacer::place(std::size_t count, Draw draw) {
  constexpr int kTries = 64;
  for (std::size_t i = 0; i < count; ++i) {
    Point cell = draw();
    for (int tries = 1; tries < kTries; ++tries) {
      const auto column = static_cast<std::size_t>(cell.x);
      if (!taken_[static_cast<std::size_t>(cell.y) * kGridCells + column]) break;
      cell = draw();
    }
    take(cell);
  }
}

void GridPlacer::place_uniform(Rng& rng, std::size_t count) {
  place(count, [&] { return uniform_cell(rng); });
}

void GridPlacer::place_clustered(Rng& rng, std::size_t count, std::size_t clusters) {
  clusters = std::min(clusters, count);
  if (clusters == 0) return;
  place(clusters, [&] { return uniform_cell(rng); });
  const std::vector<Point> seeds(points_.end() - static_cast<std::ptrdiff_t>(clusters),
                                 points_.end());
  place(count - clusters, [&] {
    const Point p = around_a_seed(rng, seeds, kGridSide);
    return Point{std::round(p.x), std::round(p.y)};
  });
}

}  // namespace eco
