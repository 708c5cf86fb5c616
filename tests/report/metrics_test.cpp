#include "report/metrics.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "temporary_folder.h"

namespace eco {
namespace {

class Metrics : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path("run/sft"));
    std::filesystem::create_directories(folder_.path("run/improve"));
    std::ofstream(folder_.path("run/sft/metrics.jsonl"))
        << R"({"step":10,"kind":"train","seconds":30,"instances":640,"loss":1.5,"seconds_by_part":{"data":0.25}})"
        << "\n"
        << R"({"step":10,"kind":"validation","seconds":60,"instances":640,"gap":{"tsp20":9.5},"mean_gap":9.5})"
        << "\n";
    std::ofstream(folder_.path("run/improve/metrics.jsonl"))
        << R"({"step":1,"kind":"train","seconds":5,"instances":8,"loss":0.5,"margin_sampled":{"mean":3.25,"pairs":4}})"
        << "\n";
  }

  TemporaryFolder folder_;
};

TEST_F(Metrics, EveryNumberOfEveryStageIsRead) {
  const RunMetrics run = read_metrics(folder_.path("run"));
  ASSERT_EQ(run.lines.size(), 3U);
  EXPECT_EQ(run.lines[2].stage, "improve");
  EXPECT_EQ(run.lines[2].seconds, 65);
  EXPECT_EQ(run.lines[2].instances, 648);
  const std::vector<std::string> expected = {
      "gap.tsp20",           "loss", "margin_sampled.mean", "margin_sampled.pairs", "mean_gap",
      "seconds_by_part.data"};
  EXPECT_EQ(metric_names({run}), expected);
  const Series loss = metric_series(run, "loss", 60);
  EXPECT_EQ(loss.x, (std::vector<double>{0.5, 65.0 / 60}));
  EXPECT_EQ(loss.y, (std::vector<double>{1.5, 0.5}));
  EXPECT_EQ(loss.rings, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(metric_series(run, "nothing", 60).x.empty());
  EXPECT_THROW((void)read_metrics(folder_.path("nowhere")), Error);
}

TEST_F(Metrics, TheTableHasALineForEveryNumber) {
  RunMetrics run = read_metrics(folder_.path("run"));
  run.name = "a,b";
  EXPECT_EQ(metrics_csv({run}),
            "run,stage,step,seconds,instances,metric,value\n"
            "\"a,b\",sft,10,30,640,loss,1.5\n"
            "\"a,b\",sft,10,30,640,seconds_by_part.data,0.25\n"
            "\"a,b\",sft,10,60,640,gap.tsp20,9.5\n"
            "\"a,b\",sft,10,60,640,mean_gap,9.5\n"
            "\"a,b\",improve,1,65,648,loss,0.5\n"
            "\"a,b\",improve,1,65,648,margin_sampled.mean,3.25\n"
            "\"a,b\",improve,1,65,648,margin_sampled.pairs,4\n");
}

// The check values of RFC 3720, B.4, and of the usual nine digits.
TEST(Crc32c, IsCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc32c(""), 0U);
}

// Reads records and the fields of messages back, by the rules of the formats.
class EventReader {
 public:
  explicit EventReader(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }
  std::uint64_t fixed(std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes_.at(at_++))} << (8 * i);
    }
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.at(at_++));
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  std::string take(std::size_t size) {
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::string record() {
    const std::string length = bytes_.substr(at_, 8);
    const std::uint64_t size = fixed(8);
    EXPECT_EQ(fixed(4), masked(length));
    std::string data = take(size);
    EXPECT_EQ(fixed(4), masked(data));
    return data;
  }

 private:
  static std::uint32_t masked(const std::string& bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
  }
  std::string bytes_;
  std::size_t at_ = 0;
};

TEST_F(Metrics, AnEventFileHoldsStepsTagsAndValues) {
  const RunMetrics run = read_metrics(folder_.path("run"));
  EventReader file(event_file(run));
  EventReader version(file.record());
  EXPECT_EQ(version.varint(), 1U << 3U | 1U);
  (void)version.fixed(8);
  EXPECT_EQ(version.varint(), 3U << 3U | 2U);
  EXPECT_EQ(version.take(version.varint()), "brain.Event:2");
  for (const MetricsLine& line : run.lines) {
    EventReader event(file.record());
    EXPECT_EQ(event.varint(), 1U << 3U | 1U);
    EXPECT_DOUBLE_EQ(std::bit_cast<double>(event.fixed(8)), line.written);
    EXPECT_EQ(event.varint(), 2U << 3U);
    EXPECT_EQ(event.varint(), static_cast<std::uint64_t>(line.step));
    EXPECT_EQ(event.varint(), 5U << 3U | 2U);
    EventReader summary(event.take(event.varint()));
    EXPECT_TRUE(event.done());
    for (const auto& [name, value] : line.values) {
      EXPECT_EQ(summary.varint(), 1U << 3U | 2U);
      EventReader one(summary.take(summary.varint()));
      EXPECT_EQ(one.varint(), 1U << 3U | 2U);
      EXPECT_EQ(one.take(one.varint()), line.stage + "/" + name);
      EXPECT_EQ(one.varint(), 2U << 3U | 5U);
      EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(one.fixed(4))),
                static_cast<float>(value));
      EXPECT_TRUE(one.done());
    }
    EXPECT_TRUE(summary.done());
  }
  EXPECT_TRUE(file.done());
}

}  // namespace
}  // namespace eco
