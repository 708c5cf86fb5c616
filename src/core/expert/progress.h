#pragma once
// What a search tells of itself now and then.

#include <functional>

namespace eco {

struct SearchProgress {
  double share = 0;  // of the budget that is gone, 0 to 1
  // Of the best solution so far; the insides of forced paths are not counted.
  double cost = 0;
};

// Called by one thread at a time. What it throws ends the search and comes out of it.
using TellProgress = std::function<void(const SearchProgress&)>;

}  // namespace eco
