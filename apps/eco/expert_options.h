#pragma once
// The options with which verbs choose and limit an expert.

#include <string>

#include <CLI/App.hpp>

#include "core/expert/expert.h"
#include "eco/verb.h"

namespace eco::cli {

struct ExpertChoice {
  std::string name = "auto";
  ExpertOptions options;
};

// --expert, --iterations and --solver-path. The limit in seconds is the verb's own affair.
void add_expert_options(CLI::App& app, ExpertChoice& choice);

}  // namespace eco::cli
