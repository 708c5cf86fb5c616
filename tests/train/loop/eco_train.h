#pragma once
// The real eco-train, run on tiny models in a folder of its own.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/base/rng.h"
#include "paths.h"
#include "temporary_folder.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<nlohmann::json> lines_of(const fs::path& path) {
  std::vector<nlohmann::json> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_object()) lines.push_back(std::move(json));  // else it is being written just now
  }
  return lines;
}

class EcoTrain : public testing::Test {
 protected:
  void SetUp() override { config({}); }

  void config(const std::vector<std::string>& more) {
    std::ofstream file(folder_ / "tiny.conf");
    file << "model.dim = 16\nmodel.encoder_layers = 1\nmodel.heads = 2\nimitate.nodes = 150\n"
            "data.sizes = 10, 12\ndata.effort = 20\ndata.count = 64\n"
            "sft.steps = 60\nsft.tokens = 120\nsft.schedule = cosine\n"
            "improve.iterations = 6\nimprove.instances = 4\nimprove.samples = 4\nimprove.tokens = "
            "400\n"
            "improve.reference_every = 2\nlog_every = 10\n"
            "sft.validate_every = 1000\nvalidate.count = 4\nvalidate.effort = 20\n"
            "checkpoint.steps = 7\n";
    for (const std::string& line : more) file << line << "\n";
  }

  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const {
    const std::string program = eco::program_path("eco-train");
    std::vector<std::string> all = {program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    for (const std::string& text :
         {std::string("--config"), (folder_ / "tiny.conf").string(), std::string("--quiet")}) {
      all.push_back(text);
    }
    std::vector<char*> argv;
    for (std::string& text : all) argv.push_back(text.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen((folder_ / "stderr").c_str(), "w", stderr) == nullptr) _exit(99);
      execv(program.c_str(), argv.data());
      _exit(98);
    }
    return child;
  }
  static int wait(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int run(const std::string& stage, const std::string& out,
          const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {stage, "--out", (folder_ / out).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return wait(start(arguments));
  }
  // Waits until the run has written so many lines of metrics.
  void wait_for_lines(const std::string& out, const std::string& stage, std::size_t lines) const {
    while (lines_of(folder_ / out / stage / "metrics.jsonl").size() < lines) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  // Starts, kills with SIGKILL at random points, resumes until it is done.
  void run_with_kills(const std::string& stage, const std::string& out,
                      std::vector<std::string> more, std::uint64_t seed) {
    eco::Rng rng(seed);
    std::vector<std::string> arguments = {stage, "--out", (folder_ / out).string(), "--resume"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (int kills = 0; kills < 3; ++kills) {
      const std::size_t wanted = 1 + rng.below(2);
      const pid_t child = start(arguments);
      // Let it write a checkpoint or two, then strike at a random moment after that.
      while (count_saved(out, stage) < wanted && waitpid(child, nullptr, WNOHANG) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(60)));
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    ASSERT_EQ(wait(start(arguments)), 0) << read(folder_ / "stderr");
  }
  [[nodiscard]] std::size_t count_saved(const std::string& out, const std::string& stage) const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / out / stage, error)) {
      count += entry.path().extension() == ".state" ? 1 : 0;
    }
    return count;
  }
  [[nodiscard]] std::string last(const std::string& out, const std::string& stage) const {
    return read(folder_ / out / stage / "last.safetensors");
  }
  std::string error() { return read(folder_ / "stderr"); }

  eco::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

}  // namespace
