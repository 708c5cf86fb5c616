#include "core/search/construct/curve.h"

#include "core/ordering/ordering.h"
#include "core/search/construct/straighten.h"
#include "core/search/problem_search.h"

namespace eco {

Solution curve_solution(const Instance& instance) {
  Solution solution =
      search_of(instance.kind).in_order(instance, canonical_order(instance, Ordering::hilbert));
  straighten(instance, solution);
  return solution;
}

}  // namespace eco
