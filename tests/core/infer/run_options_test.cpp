// What goes into a run besides the instances: decodings by name, and who watches.

#include <gtest/gtest.h>

#include <thread>

#include "core/base/error.h"
#include "core/infer/decode_text.h"
#include "core/infer/step_counter.h"

namespace eco {
namespace {

TEST(DecodeText, IsReadAsItIsWritten) {
  for (const char* text : {"greedy", "sample:32", "multistart:5", "augment:8", "beam:4"}) {
    DecodeOptions options;
    set_decode(text, options);
    EXPECT_EQ(decode_text(options), text);
  }
  DecodeOptions options;
  set_decode("sample:32", options);
  EXPECT_EQ(options.method, Decode::sample);
  EXPECT_EQ(options.samples, 32U);
  set_decode("greedy", options);
  EXPECT_EQ(options.samples, 1U) << "nothing is left of the one before";
}

TEST(DecodeText, RefusesEverythingElse) {
  DecodeOptions options;
  for (const char* text :
       {"", "greedy:1", "sample", "sample:", "sample:0", "sample:-1", "sample:2x", "augment:4",
        "beam", "Greedy", "sample:99999999999999999999"}) {
    EXPECT_THROW(set_decode(text, options), Error) << text;
  }
}

TEST(DecodeText, KnowsThreeEfforts) {
  EXPECT_EQ(effort_from("fast"), Effort::fast);
  EXPECT_EQ(effort_from("balanced"), Effort::balanced);
  EXPECT_EQ(effort_from("thorough"), Effort::thorough);
  for (const char* text : {"", "Fast", "quick", "balanced "}) EXPECT_FALSE(effort_from(text));
}

TEST(StepCounter, TellsInGrowingSharesAndNeverBeyondTheTotal) {
  std::vector<std::size_t> told;
  StepCounter counter(10'000, [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 10'000U);
    EXPECT_TRUE(told.empty() || done > told.back());
    told.push_back(done);
  });
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 4000; ++k) counter.add(1);
    });
  }
  threads.clear();
  counter.add(0);  // the last steps may have been counted while another thread was telling
  ASSERT_FALSE(told.empty());
  EXPECT_LE(told.size(), 201U);
  EXPECT_LE(told.back(), 10'000U);
  EXPECT_GT(told.back(), 9'900U);
}

}  // namespace
}  // namespace eco
