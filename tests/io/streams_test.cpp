// Bytes in and out: compression, long lines, many instances, failures.

#include <gtest/gtest.h>
#include <zlib.h>

#include "io/atomic_file.h"
#include "io/support.h"
#include "io/text_input.h"
#include "io/writer.h"

namespace eco::io {
namespace {

std::string gzipped(std::string_view text) {
  const TemporaryFolder folder;
  const gzFile file = gzopen(folder.path("a.gz").c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return content(folder.path("a.gz"));
}

// Endless, without any memory of its own.
class RepeatingSource final : public ByteSource {
 public:
  RepeatingSource(std::string_view pattern, std::size_t times) : pattern_(pattern), left_(times) {}
  std::size_t read(char* out, std::size_t size) override {
    std::size_t written = 0;
    while (left_ > 0 && written + pattern_.size() <= size) {
      written += pattern_.copy(out + written, pattern_.size());
      --left_;
    }
    return written;
  }

 private:
  std::string_view pattern_;
  std::size_t left_;
};

// Hands out its bytes one at a time, as a slow pipe would.
class TricklingSource final : public ByteSource {
 public:
  explicit TricklingSource(std::string_view text) : text_(text) {}
  std::size_t read(char* out, std::size_t /*size*/) override {
    const std::size_t count = text_.copy(out, 1);
    text_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view text_;
};

TEST(TextInput, GivesTheSameLinesHoweverTheBytesArrive) {
  TextInput input(std::make_unique<TricklingSource>("\xef\xbb\xbf"
                                                    "a\r\n\n b\nc"),
                  "pipe");
  EXPECT_EQ(input.head().front(), 'a');
  EXPECT_EQ(input.line(), "a");
  EXPECT_EQ(input.line(), "");
  EXPECT_EQ(input.line(), " b");
  input.unread();
  EXPECT_EQ(input.line(), " b");
  EXPECT_EQ(input.where().line, 3U);
  EXPECT_EQ(input.line(), "c");
  EXPECT_EQ(input.line(), std::nullopt);
}

TEST(TextInput, GrowsForALineLongerThanItsBuffer) {
  const std::string longest(3'000'000, '7');
  const std::string text = "x\n" + longest + "\ny";
  TextInput input(bytes_in(text, "file"), "file");
  EXPECT_EQ(input.line(), "x");
  EXPECT_EQ(input.line(), longest);
  EXPECT_EQ(input.line(), "y");
}

TEST(TextInput, StreamsMoreThanFitsIntoItsBuffer) {
  constexpr std::size_t kLines = 2'000'000;
  TextInput input(std::make_unique<RepeatingSource>("0.25 0.5 0.75 1\n", kLines), "stream");
  std::size_t lines = 0;
  while (const auto line = input.line()) {
    ++lines;
    if (line->size() != 15) FAIL() << "line " << lines;
  }
  EXPECT_EQ(lines, kLines);
}

TEST(Gzip, IsReadTransparentlyAlsoInSeveralMembers) {
  EXPECT_EQ(parse(gzipped("0 0 3 4\n")).points[1], (Point{3, 4}));
  const std::string two = gzipped("0 0 3 4\n0 0 ") + gzipped("7 7\n");
  const auto reader = instances_in(two, "file");
  EXPECT_EQ(reader->next().value().points[1], (Point{3, 4}));
  EXPECT_EQ(reader->next().value().points[1], (Point{7, 7}));
  EXPECT_FALSE(reader->next());
}

TEST(Gzip, DamageIsReported) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += std::to_string(i * 37 % 101) + " 0 3 4\n";
  const std::string good = gzipped(lines);
  for (const std::size_t length : {2UL, 5UL, 10UL, good.size() / 2, good.size() - 1}) {
    EXPECT_EQ(complaint(good.substr(0, length)), "file: the gzip stream ends too early") << length;
  }
  std::string wrong_sum = good;
  wrong_sum[good.size() - 8] = static_cast<char>(wrong_sum[good.size() - 8] + 1);
  EXPECT_EQ(complaint(wrong_sum), "file: damaged gzip stream: incorrect data check");
  EXPECT_EQ(complaint(good + "rest"), "file: damaged gzip stream: incorrect header check");
}

TEST(OpenInstances, NamesAFileThatCannotBeRead) {
  EXPECT_EQ(message_of([] { (void)open_instances("/no/such/file.tsp"); }),
            "/no/such/file.tsp: cannot open: No such file or directory");
  EXPECT_EQ(message_of([] { (void)open_instances("/tmp"); }),
            "/tmp: found a folder, expected a file");
}

TEST(OpenInstances, TellsTheFormatFromTheContent) {
  const auto format = [](std::string_view text) { return instances_in(text, "x")->format(); };
  EXPECT_EQ(format("\n  0.5 1\n"), Format::tsp_lines);
  EXPECT_EQ(format("depot,0,0,customer"), Format::cvrp_lines);
  EXPECT_EQ(format(" {}"), Format::json);
  EXPECT_EQ(format("TYPE:TSP\nDIMENSION:1\nEDGE_WEIGHT_TYPE:GEO\nNODE_COORD_SECTION\n1 0 0\n"),
            Format::tsplib);
}

TEST(InstanceReader, ReadsManyInstancesUpToTheFirstBadOne) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "0 0 1 1 2 " + std::to_string(i) + "\n";
  text += "0 0 1\n";
  const auto reader = instances_in(text, "file");
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(reader->next().value().points[2].y, i);
  EXPECT_EQ(message_of([&] { (void)reader->next(); }),
            "file:5001: found an odd number of coordinates, expected pairs x y");
}

TEST(InstanceReader, KnowsWhetherMoreFollowsWithoutReadingIt) {
  const std::string one = "0 0 1 1\n", json = R"({"nodes":[[0,0]]})";
  const auto follows = [](const std::string& text) {
    const auto reader = instances_in(text, "file");
    EXPECT_TRUE(reader->more()) << text;
    (void)reader->next();
    const bool more = reader->more();
    EXPECT_EQ(reader->more(), more) << "asked again";
    EXPECT_EQ(reader->next().has_value(), more) << text;
    return more;
  };
  for (const std::string& text : {one + " \n\n", json + "\n ", "[" + json + "\n]\n"}) {
    EXPECT_FALSE(follows(text)) << text;
  }
  for (const std::string& text : {one + "\n" + one, json + json, "[" + json + ",\n" + json + "]"}) {
    EXPECT_TRUE(follows(text)) << text;
  }
  for (const std::string& text : {json + " garbage", "[" + json + "] 5", "[" + json + ",]"}) {
    const auto reader = instances_in(text, "file");
    (void)reader->next();
    message_of([&] { (void)reader->more(); });
  }
}

TEST(InstanceWriter, LinesHaveNoPlaceForTheVehicles) {
  Instance instance = random_instance(ProblemKind::cvrp, 4, 1);
  instance.vehicles = 3;
  EXPECT_EQ(
      message_of([&] { (void)instance_text(instance, Format::cvrp_lines); }, ErrorKind::usage),
      "CVRP lines have no place for the number of vehicles, 3; write .vrp or .json");
}

TEST(InstanceWriter, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  for (const char* name : {"a.txt", "a.tsp", "a.json", "a.txt.gz"}) {
    const auto writer = create_instances(folder.path(name), ProblemKind::tsp);
    writer->write(parse("0 0 1 1\n"));
  }
  EXPECT_EQ(folder.files(), 0U);
}

TEST(InstanceWriter, KeepsTheOldFileWhenWritingFails) {
  const TemporaryFolder folder;
  save(folder.path("a.txt"), "old");
  const Instance matrix = parse(R"({"matrix":[[0,1],[1,0]]})");
  EXPECT_EQ(
      message_of(
          [&] {
            const auto writer = create_instances(folder.path("a.txt"), ProblemKind::tsp);
            writer->write(matrix);
            writer->commit();
          },
          ErrorKind::usage),
      "TSP lines hold euclidean coordinates only, not the metric 'matrix'; write TSPLIB or JSON");
  EXPECT_EQ(content(folder.path("a.txt")), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(InstanceWriter, RefusesWhatAFormatCannotHold) {
  const TemporaryFolder folder;
  const auto usage = [](auto action) { return message_of(action, ErrorKind::usage); };
  usage([&] { (void)create_instances(folder.path("a.tsp"), ProblemKind::cvrp); });
  usage([&] { (void)create_instances(folder.path("a.xyz"), ProblemKind::tsp); });
  usage([&] { (void)create_instances(folder.path("a"), ProblemKind::tsp, Format::cvrp_lines); });
  usage([&] {
    const auto writer = create_instances(folder.path("a.tsp"), ProblemKind::tsp);
    writer->write(parse("0 0 1 1\n"));
    writer->write(parse("0 0 1 1\n"));
  });
  usage([&] {
    ReadOptions options;
    options.rounding = Rounding::dimacs;
    create_instances(folder.path("a.tsp"), ProblemKind::tsp)->write(parse("0 0 1 1\n", options));
  });
  EXPECT_EQ(folder.files(), 0U);
}

TEST(AtomicFile, WritesDevicesInPlaceAndFollowsLinks) {
  const TemporaryFolder folder;
  const Solution tour = parse("0 0 1 1 output 1 2 1").reference.value();
  const auto writer = create_instances("/dev/null", ProblemKind::tsp, Format::tsp_lines);
  writer->write(parse("0 0 1 1\n"));
  writer->commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));

  save(folder.path("target.tour"), "old");
  std::filesystem::create_symlink(folder.path("target.tour"), folder.path("link.tour"));
  write_solution(folder.path("link.tour"), parse("0 0 1 1\n"), tour);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link.tour")));
  EXPECT_NE(content(folder.path("target.tour")), "old");
}

TEST(AtomicFile, PreparedButNotCommittedLeavesNothing) {
  const TemporaryFolder folder;
  save(folder.path("a"), "old");
  {
    AtomicFile file(folder.path("a"));
    file.write("new");
    file.prepare();
    EXPECT_EQ(content(folder.path("a")), "old");
  }
  EXPECT_EQ(content(folder.path("a")), "old");
  EXPECT_EQ(folder.files(), 1U);
  AtomicFile file(folder.path("a"));
  file.write("new");
  file.prepare();
  file.commit();
  EXPECT_EQ(content(folder.path("a")), "new");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, SaysBeforehandWhetherItCouldBeCreated) {
  const TemporaryFolder folder;
  save(folder.path("a"), "old");
  AtomicFile::require_creatable(folder.path("a"));
  AtomicFile::require_creatable(folder.path("b"));
  AtomicFile::require_creatable("/dev/null");
  EXPECT_EQ(content(folder.path("a")), "old");
  EXPECT_EQ(folder.files(), 1U);
  for (const std::string& path : {folder.path("no/such"), folder.path("")}) {
    message_of([&] { AtomicFile::require_creatable(path); }, ErrorKind::resource);
  }
}

TEST(AtomicFile, CannotBeMadeInAMissingFolder) {
  message_of([] { (void)create_instances("/no/such/folder/a.txt", ProblemKind::tsp); },
             ErrorKind::resource);
}

}  // namespace
}  // namespace eco::io
