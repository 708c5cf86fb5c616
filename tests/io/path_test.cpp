// Open paths in files.

#include <gtest/gtest.h>

#include "io/support.h"
#include "io/writer.h"

namespace eco::io {
namespace {

const std::string kPathJson =
    R"({"problem":"path","nodes":[{"id":4,"location":[0,0]},{"id":9,"location":[1,0]},)"
    R"({"id":7,"location":[3,0]}],"start":9,"end":7,"solution":{"path":[9,4,7]}})";

TEST(PathFiles, JsonNamesTheEndsByTheIdsOfTheNodes) {
  const Instance instance = parse(kPathJson);
  EXPECT_EQ(instance.kind, ProblemKind::path);
  EXPECT_EQ(instance.start, NodeId(1));
  EXPECT_EQ(instance.end, NodeId(2));
  EXPECT_EQ(instance.reference_cost, 4);
  const Instance again = parse(instance_text(instance, Format::json));
  EXPECT_EQ(again.start, instance.start);
  EXPECT_EQ(again.end, instance.end);
  EXPECT_EQ(again.reference, instance.reference);
  EXPECT_EQ(again.labels, instance.labels);
}

TEST(PathFiles, WrongEndsAreNamed) {
  EXPECT_NE(complaint(R"({"problem":"path","nodes":[[0,0],[1,1]],"start":3})").find("start"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"problem":"path","nodes":[[0,0],[1,1]],"start":1,"end":1})").find("tour"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"problem":"tsp","nodes":[[0,0],[1,1]],"start":1})").find("start"),
            std::string::npos)
      << "a key of paths only";
  EXPECT_NE(
      complaint(R"({"problem":"path","nodes":[[0,0],[1,1]],"start":2,"solution":{"path":[1,2]}})")
          .find("starts at node 1, expected node 2"),
      std::string::npos);
}

TEST(PathFiles, TsplibHasFreeEndsOnly) {
  Instance instance = parse(kPathJson);
  EXPECT_NE(message_of([&] { (void)instance_text(instance, Format::tsplib); }, ErrorKind::usage)
                .find(".json"),
            std::string::npos);
  instance.start.reset();
  instance.end.reset();
  instance.reference.reset();
  const std::string text = instance_text(instance, Format::tsplib);
  EXPECT_NE(text.find("TYPE : HPP"), std::string::npos);
  EXPECT_EQ(parse(text).kind, ProblemKind::path);
  EXPECT_EQ(parse(text).points, instance.points);
}

TEST(PathFiles, ATourFileIsReadAsAPath) {
  const Instance instance = parse(kPathJson);
  const std::string text = "TYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n9\n4\n7\n-1\nEOF\n";
  EXPECT_EQ(solution_in(text, "file", instance), *instance.reference);
}

}  // namespace
}  // namespace eco::io
