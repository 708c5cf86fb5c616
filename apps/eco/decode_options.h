#pragma once
// The options that say which policy builds solutions and how: shared by solve, eval and bench.

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "core/infer/engine.h"

namespace eco::cli {

struct DecodeChoice {
  std::string weights;  // file
  std::string method = "greedy";
  std::string reencode;  // empty: as the weights say; "off" or a share
  DecodeOptions options;

  // The options of the engine, with what the texts say; throws eco::Error (usage).
  [[nodiscard]] DecodeOptions resolve() const;
};

void add_decode_options(CLI::App& app, DecodeChoice& choice);

// "greedy", "sample:32": as the user would write it.
[[nodiscard]] std::string decode_text(const DecodeOptions& options);

// The weights that the choice names, ready to use.
[[nodiscard]] std::shared_ptr<const Weights> open_weights(const DecodeChoice& choice);

}  // namespace eco::cli
