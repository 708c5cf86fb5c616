#include "io/resumable_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "core/base/error.h"
#include "temporary_folder.h"

namespace eco::io {
namespace {

namespace fs = std::filesystem;

class Resumable : public testing::Test {
 protected:
  [[nodiscard]] std::string out() const { return folder_.path("out.txt"); }
  [[nodiscard]] std::string content(const std::string& suffix = "") const {
    std::ifstream file(out() + suffix, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  [[nodiscard]] std::size_t files() const { return folder_.files(); }

  TemporaryFolder folder_;
};

std::string line(std::size_t i) {
  return "line " + std::to_string(i * i) + "\n";
}

std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line(i);
  return text;
}

TEST_F(Resumable, AppearsWholeAtCommitAndLeavesNothingElse) {
  ResumableFile file(out(), "job");
  for (std::size_t i = 0; i < 10; ++i) file.append(line(i));
  EXPECT_FALSE(fs::exists(out()));
  file.commit();
  EXPECT_EQ(content(), lines(10));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Resumable, GoesOnWhereItWasLeft) {
  for (std::size_t run = 0; run < 5; ++run) {
    ResumableFile file(out(), "job");
    EXPECT_EQ(file.items(), 3 * run);
    for (std::size_t i = 0; i < 3; ++i) file.append(line(file.items()));
  }
  ResumableFile file(out(), "job");
  file.commit();
  EXPECT_EQ(content(), lines(15));
}

TEST_F(Resumable, SurvivesAKillAtAnyMoment) {
  // The child appends as fast as it can until it is killed; the parent goes on from there.
  for (int round = 0; round < 8; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      ResumableFile file(out(), "job");
      for (;;) file.append(line(file.items()));
    }
    ::usleep(2000 + 700 * round);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  ResumableFile file(out(), "job");
  const std::size_t items = file.items();
  file.append(line(items));
  file.commit();
  EXPECT_EQ(content(), lines(items + 1));
}

TEST_F(Resumable, DropsWhatTheJournalDoesNotVouchFor) {
  {
    ResumableFile file(out(), "job");
    for (std::size_t i = 0; i < 6; ++i) file.append(line(i));
  }
  std::ofstream(out() + ".partial", std::ios::app) << "half a li";
  std::ofstream(out() + ".journal", std::ios::app) << "7 99";
  ResumableFile file(out(), "job");
  EXPECT_EQ(file.items(), 6U);
  file.append(line(6));
  file.commit();
  EXPECT_EQ(content(), lines(7));
}

TEST_F(Resumable, NoticesDamageInTheMiddleAndGoesBackBehindIt) {
  {
    ResumableFile file(out(), "job");
    for (std::size_t i = 0; i < 6; ++i) file.append(line(i));
  }
  std::fstream damage(out() + ".partial", std::ios::in | std::ios::out);
  damage.seekp(static_cast<std::streamoff>(lines(4).size() + 2));
  damage << '#';
  damage.close();
  ResumableFile file(out(), "job");
  EXPECT_EQ(file.items(), 4U);
}

TEST_F(Resumable, GoesBackIfTheDataIsShorterThanTheJournalSays) {
  {
    ResumableFile file(out(), "job");
    for (std::size_t i = 0; i < 6; ++i) file.append(line(i));
  }
  fs::resize_file(out() + ".partial", lines(3).size() + 1);
  EXPECT_EQ(ResumableFile(out(), "job").items(), 3U);
}

TEST_F(Resumable, RefusesAnotherJobUnlessToldToRestart) {
  { ResumableFile(out(), "job seed=1").append(line(0)); }
  try {
    const ResumableFile file(out(), "job seed=2");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("seed=1"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--restart"), std::string::npos);
  }
  EXPECT_EQ(ResumableFile(out(), "job seed=1").items(), 1U);  // it is still there
  EXPECT_EQ(ResumableFile(out(), "job seed=2", true).items(), 0U);
}

TEST_F(Resumable, RefusesASecondWriterAtTheSameTime) {
  ResumableFile first(out(), "job");
  first.append(line(0));
  EXPECT_THROW(ResumableFile(out(), "job"), Error);
  first.append(line(1));
  first.commit();
  EXPECT_EQ(content(), lines(2));
}

TEST_F(Resumable, LeavesNothingIfNothingWasDone) {
  { const ResumableFile file(out(), "job"); }
  EXPECT_EQ(files(), 0U);
}

TEST_F(Resumable, TellsOfAPlaceThatCannotBeWritten) {
  EXPECT_THROW(ResumableFile(folder_.path("no/such/folder.txt"), "job"), Error);
}

}  // namespace
}  // namespace eco::io
