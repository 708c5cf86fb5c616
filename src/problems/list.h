#pragma once
// The problems. A problem is a line here and a folder beside this file; CONTRIBUTING ("Adding
// things") says what goes into the folder. A layer that needs something of every problem states it
// as a struct, its contract, and asks for the table:
//
//   ECO_PROBLEM_TABLE(ProblemSearch, search)   // eco::tsp::search, eco::cvrp::search, ...
//   problem_search[index_of(kind)]->make_local_search(...)
//
// A problem that lacks its part of a contract does not link, and the message names what is missing.

#include <array>
#include <cstddef>
#include <cstdint>

#define ECO_PROBLEMS(DO, ...) \
  DO(tsp, __VA_ARGS__)        \
  DO(cvrp, __VA_ARGS__)       \
  DO(path, __VA_ARGS__)

#define ECO_PROBLEM_NAME(name, ...) name,
#define ECO_PROBLEM_KIND(name, ...) ProblemKind::name,
#define ECO_PROBLEM_PART(name, Contract, part) \
  namespace name {                             \
  extern const Contract part;                  \
  }
#define ECO_PROBLEM_ADDRESS(name, Contract, part) &name::part,

// To be used in namespace eco.
#define ECO_PROBLEM_TABLE(Contract, part)                                        \
  ECO_PROBLEMS(ECO_PROBLEM_PART, Contract, part)                                 \
  inline constexpr std::array<const Contract*, kProblems.size()> problem_##part{ \
      ECO_PROBLEMS(ECO_PROBLEM_ADDRESS, Contract, part)};

namespace eco {

enum class ProblemKind : std::uint8_t { ECO_PROBLEMS(ECO_PROBLEM_NAME) };

inline constexpr std::array kProblems{ECO_PROBLEMS(ECO_PROBLEM_KIND)};

[[nodiscard]] constexpr std::size_t index_of(ProblemKind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace eco
