#include "train/loop/state_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "temporary_folder.h"
#include "train/loop/run_folder.h"

namespace eco::train {
namespace {

namespace fs = std::filesystem;

class StateFile : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  static TrainState sample() {
    TrainState state;
    state.fields = {{"step", "17"}, {"best_gap", "inf"}};
    state.arrays["weights"] = {1.5F, -0.0F, 1e-40F, std::nanf("")};
    state.arrays["empty"] = {};
    return state;
  }

  TemporaryFolder folder_;
};

TEST_F(StateFile, ComesBackAsItWas) {
  write_state(path("a.state"), sample());
  const TrainState back = read_state(path("a.state"));
  EXPECT_EQ(back.fields, sample().fields);
  EXPECT_EQ(back.number("step"), 17U);
  EXPECT_TRUE(std::isinf(back.real("best_gap")));
  ASSERT_EQ(back.arrays.size(), 2U);
  EXPECT_EQ(std::memcmp(back.arrays.at("weights").data(), sample().arrays.at("weights").data(), 16),
            0);
}

TEST_F(StateFile, EveryTruncationAndEveryDamagedByteIsRefused) {
  write_state(path("a.state"), sample());
  std::ifstream stream(path("a.state"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  const auto refused = [&](const std::string& bytes) {
    std::ofstream(path("b.state"), std::ios::binary) << bytes;
    EXPECT_THROW((void)read_state(path("b.state")), Error) << bytes.size();
  };
  for (std::size_t size = 0; size < whole.size(); ++size) refused(whole.substr(0, size));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    refused(damaged);
  }
  refused(whole + "x");
  EXPECT_THROW((void)read_state(path("missing.state")), Error);
}

TEST_F(StateFile, NamesWhatIsMissingOrOfAnotherSize) {
  const TrainState state = sample();
  EXPECT_THROW((void)state.field("seed"), Error);
  EXPECT_THROW((void)state.array("first", 4), Error);
  try {
    (void)state.array("weights", 5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("another model"), std::string::npos);
  }
}

TEST_F(StateFile, AFullDiskLeavesTheOldOneIntact) {
  // /dev/full refuses every write; a folder in the way refuses the rename.
  write_state(path("a.state"), sample());
  fs::create_directories(path("blocked.state/inside"));
  EXPECT_THROW(write_state(path("blocked.state"), sample()), Error);
  EXPECT_THROW(write_state(path("no-such-folder/a.state"), sample()), Error);
  EXPECT_EQ(read_state(path("a.state")).number("step"), 17U);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1U);  // no temporary is left behind
}

TEST_F(StateFile, TheFolderKeepsTheLastFewAndFindsTheNewest) {
  RunFolder folder(folder_.path().string(), "sft", /*resume=*/false, 2);
  EXPECT_FALSE(folder.newest().has_value());
  EXPECT_FALSE(fs::exists(folder.path("")));  // nothing is written before it is opened
  folder.open();
  for (const std::uint64_t step : {5U, 100U, 1000U, 20000U}) {
    TrainState state = sample();
    state.fields["step"] = std::to_string(step);
    folder.save(step, state, [](const std::string& file) { std::ofstream(file) << "weights"; });
  }
  EXPECT_EQ(folder.newest()->number("step"), 20000U);
  EXPECT_FALSE(fs::exists(folder.path("step-000000100.state")));
  EXPECT_FALSE(fs::exists(folder.path("step-000000100.safetensors")));
  EXPECT_TRUE(fs::exists(folder.path("step-000001000.state")));
  EXPECT_TRUE(fs::exists(folder.path("last.safetensors")));
  EXPECT_THROW(RunFolder(folder_.path().string(), "sft", /*resume=*/false, 2), Error);
  EXPECT_NO_THROW(RunFolder(folder_.path().string(), "sft", /*resume=*/true, 2));
}

TEST_F(StateFile, AFolderIsOpenOnceAndNamesWhoHasIt) {
  const std::string out = folder_.path().string();
  {
    RunFolder first(out, "sft", /*resume=*/true, 2), second(out, "sft", /*resume=*/true, 2);
    first.open();
    try {
      second.open();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("process " + std::to_string(::getpid()) + ":"),
                std::string::npos)
          << error.what();
    }
  }
  RunFolder third(out, "sft", /*resume=*/true, 2);
  EXPECT_NO_THROW(third.open());
}

}  // namespace
}  // namespace eco::train
