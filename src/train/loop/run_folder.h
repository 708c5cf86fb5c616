#pragma once
// Where one stage of a run lives: OUT/sft or OUT/improve.
//
//   config.conf          every key as it was used
//   metrics.jsonl        one object a line (docs/training.md)
//   step-000001000.state + .safetensors   the last few checkpoints
//   best.safetensors     the weights with the lowest validation gap
//   last.safetensors     the newest weights
//   lock                 held by the process that is at work in it (folder_lock.h)

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "train/loop/folder_lock.h"
#include "train/loop/state_file.h"

namespace eco::train {

class RunFolder {
 public:
  // Writes nothing yet, but throws eco::Error (usage) if the stage holds a run already that is not
  // to be resumed.
  RunFolder(const std::string& out, const std::string& stage, bool resume, std::size_t keep);

  // Creates the folder and keeps other processes out of it from here on. Throws eco::Error (usage)
  // if one is at work there.
  void open();

  [[nodiscard]] bool has_checkpoint() const;
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

  using WriteWeights = std::function<void(const std::string& path)>;
  // Writes state and weights of this step, then deletes what is beyond the last `keep`.
  void save(std::uint64_t step, const TrainState& state, const WriteWeights& write_weights) const;

  // The newest state, or nothing. Throws eco::Error if it cannot be used.
  [[nodiscard]] std::optional<TrainState> newest() const;

 private:
  void require_free() const;

  std::string folder_;
  bool resume_;
  std::size_t keep_;
  std::optional<FolderLock> lock_;
};

}  // namespace eco::train
