#pragma once
// How `eco solve` can make a solution. A method is an entry of the table in methods.cpp.

#include <span>
#include <string>
#include <string_view>

#include "core/base/deadline.h"
#include "eco/decode_options.h"
#include "eco/expert_options.h"
#include "eco/verb.h"

namespace eco::cli {

struct SolveRequest {
  const Instance& instance;
  Deadline deadline;  // the time limit and Ctrl-C; a method returns its best when it is reached
  const ExpertChoice& expert;
  const DecodeChoice& decode;
  const Session& session;  // seed, threads, Ctrl-C alone
};

struct MethodResult {
  Solution solution;
  std::string detail;  // which expert, which weights: shown with the name of the method
};

struct Method {
  std::string_view name;
  std::string_view summary;
  MethodResult (*run)(const SolveRequest& request);
};

[[nodiscard]] std::span<const Method> all_methods();

// The policy of a weights file; its own file because it brings the engine in.
MethodResult by_policy(const SolveRequest& request);

}  // namespace eco::cli
