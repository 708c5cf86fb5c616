#include "core/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace eco {
namespace {

TEST(ThreadPool, RunsEveryItemOnce) {
  ThreadPool pool(3);
  for (const std::size_t items : {0UL, 1UL, 2UL, 1000UL}) {
    std::vector<std::atomic<int>> runs(items);
    pool.parallel_for(items, [&](std::size_t item, std::size_t worker) {
      ASSERT_LT(worker, pool.size());
      ++runs[item];
    });
    for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ThreadPool, RethrowsTheFailureOfAnItemAndStaysUsable) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.parallel_for(50,
                                 [](std::size_t item, std::size_t) {
                                   if (item == 17) throw std::runtime_error("item 17");
                                 }),
               std::runtime_error);
  std::atomic<int> runs{0};
  pool.parallel_for(10, [&](std::size_t, std::size_t) { ++runs; });
  EXPECT_EQ(runs.load(), 10);
}

}  // namespace
}  // namespace eco
