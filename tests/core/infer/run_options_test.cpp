// What goes into a run besides the instances: decodings by name, and who watches.

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/infer/decode_keys.h"
#include "core/infer/step_counter.h"

namespace eco {
namespace {

TEST(DecodeText, IsReadAsItIsWritten) {
  for (const char* text :
       {"greedy", "sample:32", "multistart:5", "augment:8", "beam:4", "reconstruct:50"}) {
    DecodeOptions options;
    set_decode_key("decode", text, options);
    EXPECT_EQ(decode_text(options), text);
  }
  DecodeOptions options;
  set_decode_key("decode", "sample:32", options);
  EXPECT_EQ(options.method, Decode::sample);
  EXPECT_EQ(options.samples, 32U);
  set_decode_key("decode", "greedy", options);
  EXPECT_EQ(options.samples, 1U) << "nothing is left of the one before";
}

TEST(DecodeText, RefusesEverythingElse) {
  DecodeOptions options;
  for (const char* text :
       {"", "greedy:1", "sample", "sample:", "sample:0", "sample:-1", "sample:2x", "augment:4",
        "beam", "reconstruct", "reconstruct:0", "Greedy", "sample:99999999999999999999"}) {
    EXPECT_THROW(set_decode_key("decode", text, options), Error) << text;
  }
}

TEST(DecodeKeys, EveryOneReadsWhatItShowsAndNothingElse) {
  const std::map<std::string_view, std::vector<const char*>> good{
      {"decode", {"greedy", "sample:32"}},
      {"temperature", {"0.5", "1e+06"}},
      {"top_k", {"1", "100000000"}},
      {"candidates", {"32"}},
      {"effort", {"fast", "balanced", "thorough"}}};
  for (const DecodeKey& key : decode_keys()) {
    ASSERT_TRUE(good.contains(key.name)) << key.name;
    for (const char* text : good.at(key.name)) {
      DecodeOptions options;
      EXPECT_EQ(key.show(options), "");
      EXPECT_TRUE(key.set(text, options)) << key.name << " " << text;
      EXPECT_EQ(key.show(options), text);
    }
    for (const char* text : {"", "0", "-1", "Fast", "quick", "balanced ", "nan", "1 "}) {
      DecodeOptions options;
      EXPECT_THROW(set_decode_key(key.name, text, options), Error) << key.name << " " << text;
      EXPECT_EQ(key.show(options), "");
    }
  }
}

TEST(DecodeKeys, WhatIsGivenGoesBeforeWhatTheWeightsSay) {
  DecodeOptions options;
  options.effort = Effort::fast;
  fill_in({{"effort", "thorough"}, {"decode", "sample:4"}}, options);
  EXPECT_EQ(options.effort, Effort::fast);
  EXPECT_EQ(options.method, Decode::sample);
  EXPECT_EQ(options.samples, 4U);
  EXPECT_THROW(fill_in({{"topk", "3"}}, options), Error);
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
