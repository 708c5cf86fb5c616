// The real eco-train reproduce on tiny models: every row of the paper's tables for a moment.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "paths.h"
#include "temporary_folder.h"
#include "train/reproduce/study.h"

namespace eco::train {
namespace {

namespace fs = std::filesystem;

class Reproduce : public testing::Test {
 protected:
  [[nodiscard]] pid_t start(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {program_path("eco-train"),
                                      "reproduce",
                                      "--out",
                                      folder_.path("study"),
                                      "--nodes",
                                      "8",
                                      "--quiet"};
    for (const char* setting :
         {"model.dim=16", "model.encoder_layers=1", "model.heads=2", "labels=24", "test=12",
          "validation=4", "scale=10,20", "imitate.nodes=60", "improve.instances=4",
          "improve.samples=4", "sft.tokens=80", "improve.tokens=160", "parts=1"}) {
      words.insert(words.end(), {"--set", setting});
    }
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string log = folder_.path("stderr");
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen(log.c_str(), "w", stderr) == nullptr) _exit(99);
      execv(argv[0], argv.data());
      _exit(98);
    }
    return child;
  }
  static int wait(pid_t child) {
    int status = 0;
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream stream(folder_.path(name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  [[nodiscard]] std::size_t results() const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_.path("study/results"), error)) {
      count += entry.path().extension() == ".json" ? 1 : 0;
    }
    return count;
  }

  TemporaryFolder folder_;
};

TEST_F(Reproduce, TrainsAndMeasuresEveryRowOfThePaper) {
  ASSERT_EQ(wait(start({"--minutes", "0.001", "--seeds", "2"})), 0) << text("stderr");
  const std::string report = text("study/report.md");
  const Study study = parse_study(paper_tables(), "paper.tables");
  for (const StudyTable& table : study.tables) {
    EXPECT_NE(report.find("## " + table.title), std::string::npos) << table.title;
    for (const StudyRow& row : table.rows) {
      EXPECT_NE(report.find(row.name), std::string::npos) << row.name;
    }
    for (const std::string& error : table.errors) EXPECT_NE(report.find(error), std::string::npos);
  }
  EXPECT_EQ(report.find("not yet"), std::string::npos) << report;
  EXPECT_EQ(report.find("failed"), std::string::npos) << report;
  EXPECT_NE(report.find("2 seeds"), std::string::npos);
  const std::string page = text("study/report.html");
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);  // one file, nothing beside it
  EXPECT_NE(page.find("Convergence"), std::string::npos);
  EXPECT_NE(text("study/commands.txt").find("eco-train improve --config runs/"), std::string::npos);

  // Again: nothing is left to do, and the same report comes of it.
  const auto before = fs::last_write_time(folder_.path("study/runs/tsp-eco-seed1/improve/done"));
  ASSERT_EQ(wait(start({"--minutes", "0.001", "--seeds", "2"})), 0) << text("stderr");
  EXPECT_EQ(fs::last_write_time(folder_.path("study/runs/tsp-eco-seed1/improve/done")), before);
  EXPECT_EQ(text("study/report.md"), report);
}

TEST_F(Reproduce, GoesOnAfterAnInterruptAndRefusesAnotherStudy) {
  const std::vector<std::string> more = {"--minutes",  "0.005",   "--only",
                                         "objectives", "--seeds", "1"};
  const pid_t child = start(more);
  while (results() == 0 && waitpid(child, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  (void)kill(child, SIGTERM);
  EXPECT_EQ(wait(child), 130) << text("stderr");
  EXPECT_NE(text("study/report.md").find("not yet"), std::string::npos);
  ASSERT_EQ(wait(start(more)), 0) << text("stderr");
  EXPECT_EQ(text("study/report.md").find("not yet"), std::string::npos);

  EXPECT_EQ(wait(start({"--minutes", "0.01", "--only", "objectives", "--seeds", "1"})), 2);
  EXPECT_NE(text("stderr").find("other --minutes"), std::string::npos) << text("stderr");
  EXPECT_EQ(wait(start({"--only", "objektives"})), 2);
  EXPECT_NE(text("stderr").find("'objectives'"), std::string::npos) << text("stderr");
}

}  // namespace
}  // namespace eco::train
