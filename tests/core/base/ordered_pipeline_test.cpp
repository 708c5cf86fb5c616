#include "core/base/ordered_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>

namespace eco {
namespace {

// Uneven work, so that results become ready out of order.
std::size_t slow_square(std::size_t value) {
  std::this_thread::sleep_for(std::chrono::microseconds(value % 7 == 0 ? 400 : 5));
  return value * value;
}

auto counter(std::size_t& next, std::size_t count) {
  return [&next, count]() -> std::optional<std::size_t> {
    if (next == count) return std::nullopt;
    return next++;
  };
}

TEST(OrderedPipeline, DeliversInOrderWhateverTheThreadsAndTheWindow) {
  for (const std::size_t threads : {1, 2, 5}) {
    for (const std::size_t window : {1, 3, 100}) {
      std::size_t next = 0;
      std::vector<std::size_t> out;
      ordered_pipeline(
          {.threads = threads, .window = window}, counter(next, 200),
          [](std::size_t item, std::size_t index) {
            EXPECT_EQ(item, index);
            return slow_square(item);
          },
          [&](std::size_t result, std::size_t index) {
            EXPECT_EQ(index, out.size());
            out.push_back(result);
          });
      ASSERT_EQ(out.size(), 200U);
      for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(out[i], i * i);
    }
  }
}

TEST(OrderedPipeline, HoldsNoMoreThanTheWindow) {
  std::size_t next = 0;
  std::atomic<std::size_t> made = 0, delivered = 0, most = 0;
  ordered_pipeline(
      {.threads = 3, .window = 5},
      [&]() -> std::optional<std::size_t> {
        if (next == 300) return std::nullopt;
        most = std::max(most.load(), ++made - delivered);
        return next++;
      },
      [](std::size_t item, std::size_t) { return slow_square(item); },
      [&](std::size_t, std::size_t) { ++delivered; });
  EXPECT_EQ(delivered, 300U);
  EXPECT_LE(most, 5U);
}

TEST(OrderedPipeline, DeliversAllBeforeAFailureAndNothingAfter) {
  for (const std::size_t threads : {1, 2, 4}) {
    std::size_t next = 0;
    std::vector<std::size_t> out;
    const auto work = [](std::size_t item, std::size_t) {
      if (item >= 60 && item % 2 == 0) throw std::runtime_error("item " + std::to_string(item));
      return slow_square(item);
    };
    const auto deliver = [&](std::size_t result, std::size_t) { out.push_back(result); };
    try {
      ordered_pipeline({.threads = threads, .window = 16}, counter(next, 500), work, deliver);
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "item 60");
    }
    EXPECT_EQ(out.size(), 60U);
  }
}

TEST(OrderedPipeline, DeliversAllBeforeAnItemThatCannotBeMade) {
  std::size_t next = 0, delivered = 0;
  const auto make = [&]() -> std::optional<std::size_t> {
    if (next == 40) throw std::runtime_error("line 41");
    return next++;
  };
  const auto work = [](std::size_t item, std::size_t) { return slow_square(item); };
  EXPECT_THROW(ordered_pipeline({.threads = 4, .window = 9}, make, work,
                                [&](std::size_t, std::size_t) { ++delivered; }),
               std::runtime_error);
  EXPECT_EQ(delivered, 40U);
}

TEST(OrderedPipeline, PassesOnAFailureOfTheDelivery) {
  std::size_t next = 0, delivered = 0;
  const auto deliver = [&](std::size_t, std::size_t index) {
    if (index == 10) throw std::runtime_error("disk full");
    ++delivered;
  };
  EXPECT_THROW(ordered_pipeline(
                   {.threads = 3, .window = 4}, counter(next, 100),
                   [](std::size_t item, std::size_t) { return slow_square(item); }, deliver),
               std::runtime_error);
  EXPECT_EQ(delivered, 10U);
}

TEST(OrderedPipeline, StopsWhenCancelledWithAnUnbrokenPrefix) {
  std::stop_source source;
  std::size_t next = 0;
  std::vector<std::size_t> out;
  ordered_pipeline(
      {.threads = 3, .window = 8, .cancel = source.get_token()}, counter(next, 1'000'000),
      [](std::size_t item, std::size_t) { return slow_square(item); },
      [&](std::size_t result, std::size_t index) {
        EXPECT_EQ(result, index * index);
        out.push_back(result);
        if (index == 50) source.request_stop();
      });
  EXPECT_EQ(out.size(), 51U);
}

TEST(OrderedPipeline, DoesNothingWithNothing) {
  std::size_t next = 0, delivered = 0;
  ordered_pipeline(
      {.threads = 4}, counter(next, 0), [](std::size_t item, std::size_t) { return item; },
      [&](std::size_t, std::size_t) { ++delivered; });
  EXPECT_EQ(delivered, 0U);
}

}  // namespace
}  // namespace eco
