#pragma once
// The options that say which policy builds solutions and how: shared by solve, eval and bench.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/infer/engine.h"
#include "solver/engine_pool.h"

namespace eco::cli {

struct DecodeChoice {
  std::string weights;  // file; empty or "default": those inside the binary
  DecodeOptions options;

  // Throws eco::Error (usage) for settings that do not go together.
  void check() const;

  [[nodiscard]] bool embedded() const;
  [[nodiscard]] std::string weights_name() const;  // for results
  // Throws eco::Error if there are none or they cannot be read.
  [[nodiscard]] Weights open(ProblemKind problem) const;
  // The same for the engines of a pool; those inside are only opened when they are needed.
  void fill(EnginePool& pool, ProblemKind problem) const;
};

// All of them are given back.
std::vector<CLI::Option*> add_decode_options(CLI::App& app, DecodeChoice& choice);

}  // namespace eco::cli
