#pragma once
// eco-train reproduce: a study from its table to its report, resumable.

#include <cstddef>
#include <string>
#include <vector>

namespace eco::train {

struct ReproduceOptions {
  std::string out;
  std::string tables;  // a file; empty: the paper's, as compiled in
  std::string only;
  std::vector<std::string> overrides;  // key=value, for all rows
  double minutes = 12;
  std::size_t nodes = 50, seeds = 3;
  std::size_t threads = 0;  // rows side by side, of one thread each; 0: one a core
  bool quiet = false, dry_run = false;
};

// False: a signal ended it; the same command goes on. The report is written either way. Throws
// eco::Error if the folder belongs to another study, and (resource) in the end if rows failed.
bool reproduce(const ReproduceOptions& options);

}  // namespace eco::train
