#pragma once
// The options with which verbs choose and limit an expert.

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "core/expert/expert.h"
#include "eco/verb.h"

namespace eco::cli {

struct ExpertChoice {
  std::string name = "auto";
  ExpertOptions options;

  // Throws eco::Error (usage) if the options contradict each other.
  void check() const;
};

// --expert, --iterations and --solver-path, which are given back. The limit in seconds is the
// verb's own affair.
std::vector<CLI::Option*> add_expert_options(CLI::App& app, ExpertChoice& choice);

}  // namespace eco::cli
