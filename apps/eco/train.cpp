// eco train: hands over to eco-train, which links LibTorch and is installed apart.

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/error.h"
#include "eco/verb.h"

namespace eco::cli {

namespace {

namespace fs = std::filesystem;

// Beside this binary, else on PATH.
std::string find_trainer() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  folders.push_back(fs::read_symlink("/proc/self/exe", ignored).parent_path());
  if (const char* path = std::getenv("PATH")) {
    std::stringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder);
  }
  for (const fs::path& folder : folders) {
    const fs::path candidate = folder / "eco-train";
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  throw Error(ErrorKind::resource,
              "eco-train was not found beside eco or on PATH; build it with 'make build'");
}

int hand_over(std::vector<std::string>& arguments) {
  arguments.insert(arguments.begin(), find_trainer());
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 2);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  (void)execv(argv[0], argv.data());
  throw Error(ErrorKind::resource, arguments[0] + ": cannot run: " + strerror(errno));
}

Body setup_train(CLI::App& app) {
  const auto arguments = std::make_shared<std::vector<std::string>>();
  app.set_help_flag();  // --help is answered by eco-train
  app.prefix_command();
  return [arguments, &app](const Session&) {
    *arguments = app.remaining();
    return hand_over(*arguments);
  };
}

}  // namespace

Verb train_verb() {
  return {"train", "Train weights (runs eco-train)",
          "eco train sft --config recipes/smoke.conf --out run", setup_train, false};
}

}  // namespace eco::cli
