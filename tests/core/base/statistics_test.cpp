#include "core/base/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace eco {
namespace {

// Values of printed tables.
TEST(StudentTail, IsThatOfTheTables) {
  EXPECT_NEAR(student_tail(0, 7), 0.5, 1e-12);
  EXPECT_NEAR(student_tail(1, 1), 0.25, 1e-12);  // the Cauchy distribution
  EXPECT_NEAR(student_tail(-1, 1), 0.75, 1e-12);
  EXPECT_NEAR(student_tail(2.919986, 2), 0.05, 1e-7);
  EXPECT_NEAR(student_tail(1.812461, 10), 0.05, 1e-7);
  EXPECT_NEAR(student_tail(2.085963, 20), 0.025, 1e-7);
  EXPECT_NEAR(student_tail(3.390, 100), 0.0005, 2e-6);
  EXPECT_NEAR(student_tail(1.644854, 1e7), 0.05, 1e-6);  // all but normal
}

TEST(PairedTTest, LooksAtTheDifferencesOfPairs) {
  const std::vector<double> low{1, 5, 9, 3}, high{2, 7, 10, 5};  // by 1, 2, 1, 2: t = 1.5 / 0.2887
  EXPECT_NEAR(paired_t_test(low, high), student_tail(5.196152, 3), 1e-7);
  EXPECT_NEAR(paired_t_test(high, low), 1 - student_tail(5.196152, 3), 1e-7);
  EXPECT_EQ(paired_t_test(low, low), 1.0);
  EXPECT_EQ(paired_t_test(std::vector<double>{1, 2}, std::vector<double>{2, 3}), 0.0);
}

}  // namespace
}  // namespace eco
