#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/base/error.h"
#include "core/instance/generate.h"
#include "io/writer.h"
#include "temporary_folder.h"

namespace eco::io {
namespace {

TEST(InstanceText, IsWhatAWriterPutsIntoTheFile) {
  const TemporaryFolder folder;
  GeneratorOptions options;
  options.nodes = 30'000;  // longer than any buffer on the way
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    options.kind = kind;
    const Instance instance = generate(options, 1);
    for (const std::string ending : {".txt", ".json", kind == ProblemKind::tsp ? ".tsp" : ".vrp"}) {
      const std::string path = folder.path("instances" + ending);
      const auto writer = create_instances(path, kind);
      writer->write(instance);
      writer->commit();
      std::ifstream file(path, std::ios::binary);
      const std::string content{std::istreambuf_iterator<char>(file), {}};
      EXPECT_TRUE(instance_text(instance, format_by_name(path, kind)) == content) << ending;
    }
  }
}

TEST(InstanceText, RefusesAFormatOfTheOtherProblem) {
  GeneratorOptions options;
  EXPECT_THROW((void)instance_text(generate(options, 0), Format::cvrp_lines), Error);
  EXPECT_THROW((void)format_by_name("labels.csv", ProblemKind::tsp), Error);
}

}  // namespace
}  // namespace eco::io
