#pragma once
// A file of labelled instances that grows: records are appended as labels are made and come back in
// the next run. Each record is checksummed; a record torn by a kill is cut off at the next opening.
// The first line says from what the labels were made, so that a cache of another seed, size law or
// problem is refused. Several runs may share one file.
//
//   "eco-labels 1 " description "\n", then records { magic u32, bytes u32, checksum u64, payload }

#include <cstdint>
#include <string>
#include <vector>

#include "core/instance/instance.h"

namespace eco::train {

struct CachedLabel {
  std::uint64_t index = 0;    // of the generator, within its size
  std::size_t customers = 0;  // the size
  Instance instance;          // with reference and reference_cost
};

class LabelCache {
 public:
  // Creates the file if there is none. Throws eco::Error if it is something else.
  LabelCache(std::string path, const std::string& description, ProblemKind kind);
  ~LabelCache();
  LabelCache(const LabelCache&) = delete;
  LabelCache& operator=(const LabelCache&) = delete;

  [[nodiscard]] std::vector<CachedLabel> take() { return std::move(loaded_); }
  void append(std::uint64_t index, const Instance& instance);

 private:
  void load(const std::string& header, ProblemKind kind);

  std::string path_;
  int file_ = -1;
  std::vector<CachedLabel> loaded_;
};

}  // namespace eco::train
