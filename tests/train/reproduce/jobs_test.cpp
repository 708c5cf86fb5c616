#include "train/reproduce/jobs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "temporary_folder.h"

namespace eco::train {
namespace {

class Jobs : public testing::Test {
 protected:
  Job shell(const std::string& name, const std::string& command, bool prints,
            std::vector<std::size_t> after = {}) const {
    return {name, {"/bin/sh", "-c", command}, "out/" + name, prints, 1, std::move(after)};
  }
  JobsOutcome run(const std::vector<Job>& jobs, std::size_t workers = 2) const {
    return run_jobs(jobs, {folder_.path("study"), workers, true});
  }
  std::string text(const std::string& name) const {
    std::ifstream stream(folder_.path("study/" + name));
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  TemporaryFolder folder_;
};

TEST_F(Jobs, RunAfterWhatTheyNeedAndOnlyOnce) {
  const std::vector<Job> jobs = {
      shell("first", "sleep 0.1; echo a >> order; echo one", true),
      shell("second", "echo b >> order; cat out/first out/first", true, {0}),
      shell("mark", "echo c >> order", false, {1})};
  EXPECT_DOUBLE_EQ(estimate(jobs, {folder_.path("study"), 2, true}), 1.5);
  const JobsOutcome outcome = run(jobs);
  EXPECT_FALSE(outcome.interrupted);
  for (const std::string& failure : outcome.failures) EXPECT_EQ(failure, "");
  EXPECT_EQ(text("out/second"), "one\none\n");
  EXPECT_EQ(text("order"), "a\nb\nc\n");
  EXPECT_TRUE(std::filesystem::exists(folder_.path("study/out/mark")));
  (void)run(jobs);
  EXPECT_EQ(text("order"), "a\nb\nc\n");  // nothing was run again
  EXPECT_EQ(estimate(jobs, {folder_.path("study"), 2, true}), 0);
}

TEST_F(Jobs, WhatOnlyServedWhatIsDoneIsNotRunAgain) {
  const std::vector<Job> jobs = {shell("first", "echo a >> order", false),
                                 shell("second", "echo b >> order", false, {0}),
                                 shell("result", "echo c >> order", false, {1}),
                                 shell("other", "echo d >> order", false, {0})};
  (void)run(jobs, 1);
  EXPECT_EQ(text("order"), "a\nb\nc\nd\n");
  const auto remove = [&](const char* name) {
    ASSERT_TRUE(std::filesystem::remove(folder_.path(std::string("study/out/") + name)));
  };
  remove("first");
  remove("second");
  (void)run(jobs, 1);
  EXPECT_EQ(text("order"), "a\nb\nc\nd\n");
  EXPECT_EQ(to_do(jobs, folder_.path("study")), std::vector<bool>(4, false));
  remove("other");
  EXPECT_EQ(to_do(jobs, folder_.path("study")), (std::vector<bool>{true, false, false, true}));
  (void)run(jobs, 1);
  EXPECT_EQ(text("order"), "a\nb\nc\nd\na\nd\n");
}

TEST_F(Jobs, AFailureStopsOnlyWhatDependsOnIt) {
  const std::vector<Job> jobs = {shell("bad", "echo half; echo it broke >&2; exit 4", true),
                                 shell("after", "echo x", true, {0}),
                                 shell("apart", "echo fine", true)};
  const JobsOutcome outcome = run(jobs, 1);
  EXPECT_EQ(outcome.failures[0], "it broke");
  EXPECT_EQ(outcome.failures[1], "not run: bad failed");
  EXPECT_EQ(outcome.failures[2], "");
  EXPECT_FALSE(
      std::filesystem::exists(folder_.path("study/out/bad")));  // half of an answer is none
  EXPECT_EQ(text("out/apart"), "fine\n");
}

}  // namespace
}  // namespace eco::train
