#include "train/loop/run_folder.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace eco::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* kState = ".state";
constexpr const char* kWeights = ".safetensors";

std::string step_name(std::uint64_t step) {
  char text[32];
  (void)std::snprintf(text, sizeof text, "step-%09llu", static_cast<unsigned long long>(step));
  return text;
}

// Paths without extension of the states in the folder, oldest first (the digits sort).
std::vector<std::string> saved_steps(const std::string& folder) {
  std::vector<std::string> steps;
  std::error_code none;  // there may be no folder yet
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const fs::path& path = entry.path();
    if (path.extension() == kState && path.stem().string().starts_with("step-")) {
      steps.push_back((path.parent_path() / path.stem()).string());
    }
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace

RunFolder::RunFolder(const std::string& out, const std::string& stage, bool resume,
                     std::size_t keep)
    : folder_(out + "/" + stage), resume_(resume), keep_(keep) {
  require_free();
}

void RunFolder::require_free() const {
  if (!resume_ && (fs::exists(path("metrics.jsonl")) || has_checkpoint())) {
    throw Error(ErrorKind::usage,
                folder_ + " already holds a run: --resume continues it, --out starts elsewhere");
  }
}

void RunFolder::open() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw Error(ErrorKind::resource, folder_ + ": cannot create: " + error.message());
  lock_.emplace(folder_);
  require_free();  // again: another process may have been here in between
}

bool RunFolder::has_checkpoint() const {
  return !saved_steps(folder_).empty();
}

void RunFolder::save(std::uint64_t step, const TrainState& state,
                     const WriteWeights& write_weights) const {
  const std::string base = path(step_name(step));
  write_weights(base + kWeights);
  write_state(base + kState, state);
  // The state is in place: last.safetensors becomes another name of its weights, by a rename.
  const std::string link = path("last.tmp");
  std::error_code error;
  fs::remove(link, error);
  fs::create_hard_link(base + kWeights, link, error);
  if (error) fs::copy_file(base + kWeights, link, fs::copy_options::overwrite_existing);
  fs::rename(link, path("last.safetensors"));

  const std::vector<std::string> steps = saved_steps(folder_);
  for (std::size_t i = 0; i + keep_ < steps.size(); ++i) {
    fs::remove(steps[i] + kState, error);
    fs::remove(steps[i] + kWeights, error);
  }
}

std::optional<TrainState> RunFolder::newest() const {
  const std::vector<std::string> steps = saved_steps(folder_);
  if (steps.empty()) return std::nullopt;
  return read_state(steps.back() + kState);
}

}  // namespace eco::train
