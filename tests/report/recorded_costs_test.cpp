#include "report/recorded_costs.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "temporary_folder.h"

namespace eco {
namespace {

class RecordedCosts : public ::testing::Test {
 protected:
  std::string write(const std::string& text) { return folder_.write("costs.csv", text); }

  std::string message_for(const std::string& text) {
    try {
      (void)read_recorded_costs(write(text), "a.txt");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return std::string(error.what()).substr(folder_.path("costs.csv").size());
    }
    return "accepted";
  }

  TemporaryFolder folder_;
};

TEST_F(RecordedCosts, AreFoundByFileAndIndexInAnyColumnOrder) {
  const auto costs = read_recorded_costs(
      write("cost,solver,file,index\r\n1.5,x,a.txt,0\r\n2.5,x,b.txt,0\r\n3.25,x,a.txt,7\r\n"),
      "a.txt");
  EXPECT_EQ(costs, (std::map<std::size_t, double>{{0, 1.5}, {7, 3.25}}));
}

TEST_F(RecordedCosts, OfAListOfBestKnownValuesAreFoundByName) {
  const std::string list = write("name,n,bks\na,51,426\nb.c,70,675\n");
  EXPECT_EQ(read_recorded_costs(list, "folder/a.tsp"), (std::map<std::size_t, double>{{0, 426}}));
  EXPECT_EQ(read_recorded_costs(list, "b.c.vrp"), (std::map<std::size_t, double>{{0, 675}}));
}

TEST_F(RecordedCosts, SayWhatIsWrongAndWhere) {
  EXPECT_EQ(message_for("file,cost\n"),
            ":1: found no column 'index', expected the columns file, index and cost");
  EXPECT_EQ(message_for("file,index,cost\na.txt,0\n"), ":2: found 2 columns, expected 3");
  EXPECT_EQ(message_for("file,index,cost\na.txt,-1,2\n"),
            ":2: found '-1', expected an index from 0");
  EXPECT_EQ(message_for("file,index,cost\na.txt,0,nan\n"),
            ":2: found 'nan', expected a finite cost");
  EXPECT_EQ(message_for("file,index,cost\na.txt,0,1\na.txt,0,1\n"),
            ":3: found index 0 again, expected each index once");
  EXPECT_EQ(message_for("file,index,cost\nb.txt,0,1\n"), ": has no row about 'a.txt'");
}

}  // namespace
}  // namespace eco
