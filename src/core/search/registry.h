#pragma once
// Operators by name: from the names a user gave to the operators of his problem.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/search/operator.h"

namespace eco {

template <class State>
using Operators = std::vector<std::unique_ptr<SearchOperator<State>>>;

// The named operators in the order given; all of the registry if `names` is empty. Throws
// eco::Error (usage) listing what exists.
template <class State>
[[nodiscard]] Operators<State> make_operators(std::span<const OperatorEntry<State>> registry,
                                              std::span<const std::string> names) {
  Operators<State> operators;
  if (names.empty()) {
    for (const auto& entry : registry) operators.push_back(entry.make());
    return operators;
  }
  for (const std::string& name : names) {
    const OperatorEntry<State>* found = nullptr;
    std::string known;
    for (const auto& entry : registry) {
      if (entry.name == name) found = &entry;
      known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    if (found == nullptr) {
      throw Error(ErrorKind::usage,
                  "no local-search operator " + quoted(name) + "; there are: " + known);
    }
    operators.push_back(found->make());
  }
  return operators;
}

}  // namespace eco
