#pragma once
// The output files of a verb, looked at before any work: a result that took hours must not be lost
// to a missing folder.

#include <span>
#include <string>

#include "eco/verb.h"

namespace eco::cli {

struct NamedFile {
  std::string option;  // as the user knows it: "--out"
  std::string path;    // empty: not given
};

// Throws eco::Error: usage if two outputs, or an output and an input, are one file, or if more than
// one thing would go to stdout; resource if an output could not be created.
void check_outputs(std::span<const NamedFile> inputs, std::span<const NamedFile> outputs,
                   const Session& session);

}  // namespace eco::cli
