#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "cli/run.h"
#include "paths.h"

extern char** environ;

namespace eco {
namespace {

TEST(Interrupt, EndsWithCode130AndLeavesNoFile) {
  TemporaryFolder folder;
  std::string eco = program_path("eco"), out = folder.path("many.txt");
  std::vector<std::string> words{eco,       "generate", "tsp",   "--nodes", "1000",
                                 "--count", "10000000", "--out", out,       "--quiet"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, eco.c_str(), nullptr, nullptr, argv.data(), environ), 0);
  // It is at work once its temporary file exists; until then a signal would be the default one.
  while (folder.files() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_EQ(kill(child, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace
}  // namespace eco
