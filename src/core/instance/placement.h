#pragma once
// Where the generators put nodes: each function appends `count` points to `points`.

#include <cstddef>
#include <vector>

#include "core/base/rng.h"
#include "core/instance/metric.h"

namespace eco {

inline constexpr double kGridSide = 1000;  // the X set's square: integers 0..1000

void place_uniform(Rng& rng, std::size_t count, std::vector<Point>& points);
// Density proportional to the sum over seeds of exp(-distance / 0.04), inside the unit square.
void place_clustered(Rng& rng, std::size_t count, std::size_t clusters, std::vector<Point>& points);
void place_mixture(Rng& rng, std::size_t count, std::size_t clusters, std::vector<Point>& points);
// Copies of a few lattices of holes on a common grid, all over the unit square or in a few zones.
void place_board(Rng& rng, std::size_t count, std::size_t patterns, std::vector<Point>& points);
// One board, squeezed and copied in rows and columns with gaps up to three times its size, and
// single holes between the copies.
void place_panel(Rng& rng, std::size_t count, std::size_t patterns, std::vector<Point>& points);

// On the grid. Cells are distinct from all earlier points as long as a free one is found in a few
// tries, which fails only where the grid is nearly full.
class GridPlacer {
 public:
  explicit GridPlacer(std::vector<Point>& points);
  void take(Point cell);  // append as it is
  void place_uniform(Rng& rng, std::size_t count);
  // The seeds are the first points placed, as in the X set; decay length 40.
  void place_clustered(Rng& rng, std::size_t count, std::size_t clusters);

 private:
  template <class Draw>
  void place(std::size_t count, Draw draw);

  std::vector<Point>& points_;
  std::vector<bool> taken_;
};

}  // namespace eco
