#include "report/table.h"

#include <gtest/gtest.h>

namespace eco {
namespace {

TEST(Table, AlignsNumbersRightAndWordsLeft) {
  Table table({"set", "gap"});
  table.add_row({"tsp100", "4.61%"});
  table.add_row({"x", "12.00%"});
  EXPECT_EQ(table.text(),
            "set        gap\n"
            "------  ------\n"
            "tsp100   4.61%\n"
            "x       12.00%\n");
}

TEST(Table, FillsMissingCellsAndCountsCharactersNotBytes) {
  Table table({"a", "b"});
  table.add_row({"\xC3\xA9\xC3\xA9"});  // two characters, four bytes
  EXPECT_EQ(table.text(), "a   b\n--  -\n\xC3\xA9\xC3\xA9\n");
}

TEST(Decimal, RoundsAndKeepsTheSign) {
  EXPECT_EQ(decimal(3.14159, 2), "3.14");
  EXPECT_EQ(decimal(-0.5, 1), "-0.5");
  EXPECT_EQ(decimal(1e300, 0).size(), 301U);
}

}  // namespace
}  // namespace eco
