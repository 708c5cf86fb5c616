#pragma once
// Items in ascending order, by a sort that can be given up at any time: runs are sorted one by one
// and merged while they are visited.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/deadline.h"

namespace eco {

// Calls visit(item) from the least to the greatest, which `less` must put into one order only;
// false if the deadline came first. Reorders `items`.
template <class Item, class Less, class Visit>
bool visit_in_order(std::vector<Item>& items, Less less, const Deadline& deadline, Visit visit) {
  constexpr std::size_t kShortestRun = std::size_t{1} << 15U, kMostRuns = 32;
  constexpr std::size_t kVisitsBetweenClockReads = 1024;
  const std::size_t length = std::max(kShortestRun, items.size() / kMostRuns + 1);
  std::vector<std::span<Item>> runs;  // what is left of each; none is empty
  for (std::size_t begin = 0; begin < items.size(); begin += length) {
    if (deadline.reached()) return false;
    const auto run = std::span(items).subspan(begin, std::min(length, items.size() - begin));
    std::sort(run.begin(), run.end(), less);
    runs.push_back(run);
  }
  const auto later = [&](const std::span<Item>& a, const std::span<Item>& b) {
    return less(b.front(), a.front());
  };
  std::make_heap(runs.begin(), runs.end(), later);
  for (std::size_t visited = 0; !runs.empty(); ++visited) {
    if (visited % kVisitsBetweenClockReads == 0 && deadline.reached()) return false;
    std::pop_heap(runs.begin(), runs.end(), later);
    std::span<Item>& run = runs.back();
    visit(run.front());
    run = run.subspan(1);
    if (run.empty()) {
      runs.pop_back();
    } else {
      std::push_heap(runs.begin(), runs.end(), later);
    }
  }
  return true;
}

}  // namespace eco
