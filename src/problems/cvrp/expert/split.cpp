#include "problems/cvrp/expert/split.h"

#include <algorithm>
#include <limits>

#include "core/problem/capacity.h"

namespace eco {

CustomerRoutes split(const Instance& instance, const DistanceTable& distance,
                     std::span<const std::uint32_t> giant_tour, double penalty) {
  const std::size_t customers = giant_tour.size();
  const double heaviest =
      1.5 * static_cast<double>(instance.capacity);  // loads beyond are never worth their penalty
  std::vector<double> shortest(customers + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> cut(customers + 1, 0);  // where the last route before this place begins
  shortest[0] = 0;
  for (std::size_t begin = 0; begin < customers; ++begin) {
    std::int64_t load = 0;
    double length = 0;
    for (std::size_t end = begin + 1; end <= customers; ++end) {
      const std::uint32_t customer = giant_tour[end - 1];
      const std::uint32_t before = end == begin + 1 ? 0 : giant_tour[end - 2];
      load += instance.demands[customer];
      if (static_cast<double>(load) > heaviest && end > begin + 1) break;
      length += distance(before, customer);
      const double total = shortest[begin] + length + distance(customer, 0) +
                           penalty * static_cast<double>(excess(load, instance.capacity));
      if (total < shortest[end]) {
        shortest[end] = total;
        cut[end] = begin;
      }
    }
  }
  CustomerRoutes routes;
  for (std::size_t end = customers; end > 0; end = cut[end]) {
    routes.emplace_back(giant_tour.begin() + static_cast<std::ptrdiff_t>(cut[end]),
                        giant_tour.begin() + static_cast<std::ptrdiff_t>(end));
  }
  std::reverse(routes.begin(), routes.end());
  return routes;
}

}  // namespace eco
