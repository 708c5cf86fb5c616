#pragma once
// Places in the plane for nodes of which only the distances are known, for a policy that reads
// coordinates and for pictures. No plane holds a road matrix exactly, so how well it went is told.

#include <vector>

#include "core/instance/instance.h"

namespace eco {

struct Embedding {
  std::vector<Point> points;  // one a node, in the unit of the matrix
  // Mean over all pairs of |plane - matrix|, divided by the mean of the matrix: 0 is exact, 0.1
  // means that a distance is off by a tenth of a typical one. Ways there and back are averaged.
  double distortion = 0;
};

// Classical scaling, then majorisation of the stress (de Leeuw's SMACOF). A function of the matrix
// alone; time and memory are quadratic in the nodes. The instance has Metric::matrix.
[[nodiscard]] Embedding embed(const Instance& instance);

}  // namespace eco
