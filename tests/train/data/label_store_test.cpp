#include "train/data/label_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "temporary_folder.h"
#include "train/data/instance_source.h"
#include "train/data/label_source.h"
#include "train/data/sft_sampler.h"

namespace eco::train {
namespace {

namespace fs = std::filesystem;

class Labels : public testing::Test {
 protected:
  static DataConfig small() {
    DataConfig data;
    data.sizes = {{12, 1, 0}, {9, 1, 0}};
    data.count = 100;
    data.reuse = 2;
    data.effort = 20;
    return data;
  }
  static std::vector<double> draw(LabelStore& store, std::size_t count, std::uint64_t first = 0) {
    std::vector<double> costs;
    for (std::uint64_t i = first; i < first + count; ++i) {
      Rng rng(7, i);
      const Instance& label = store.draw(i % 2, rng);
      EXPECT_DOUBLE_EQ(require_feasible(label, *label.reference), *label.reference_cost);
      costs.push_back(*label.reference_cost);
    }
    return costs;
  }

  TemporaryFolder folder_;
};

TEST_F(Labels, AreTheSameWhateverTheNumberOfThreads) {
  DataConfig data = small();
  LabelStore one(ProblemKind::tsp, data);
  data.label_threads = 3;
  LabelStore three(ProblemKind::tsp, data);
  EXPECT_EQ(draw(one, 300), draw(three, 300));
}

TEST_F(Labels, GoOnAfterARestoredPositionAsIfNothingHappened) {
  const DataConfig data = small();
  LabelStore straight(ProblemKind::tsp, data);
  const auto all = draw(straight, 300);
  LabelStore first(ProblemKind::tsp, data);
  (void)draw(first, 200);
  LabelStore second(ProblemKind::tsp, data);
  second.restore(first.position());
  EXPECT_EQ(draw(second, 100, 200), std::vector<double>(all.begin() + 200, all.end()));
}

TEST_F(Labels, InEpochsComeAllOnceBeforeAnyComesAgain) {
  DataConfig data = small();
  data.sizes = {{12, 1, 0}};
  data.count = 20;
  data.draw = LabelDraw::epochs;
  LabelStore store(ProblemKind::tsp, data);
  std::vector<std::vector<double>> epochs(3);
  std::vector<PoolPosition> middle;
  for (std::size_t e = 0; e < epochs.size(); ++e) {
    for (std::size_t i = 0; i < data.count; ++i) {
      if (e == 1 && i == 7) middle = store.position();
      Rng rng(7, i);
      epochs[e].push_back(*store.draw(0, rng).reference_cost);
    }
    EXPECT_EQ(std::set<double>(epochs[e].begin(), epochs[e].end()).size(), data.count);
  }
  EXPECT_NE(epochs[0], epochs[1]);
  EXPECT_NE(epochs[1], epochs[2]);
  LabelStore again(ProblemKind::tsp, data);  // a resumed run goes on in the middle of an epoch
  again.restore(middle);
  for (std::size_t i = 7; i < data.count; ++i) {
    Rng rng(99, i);
    EXPECT_EQ(*again.draw(0, rng).reference_cost, epochs[1][i]);
  }
}

TEST_F(Labels, AreMadeOnceWhenCached) {
  DataConfig data = small();
  data.count = 10;  // all of them are drawn, so that none is left to be made
  data.cache = folder_.path("cache");
  std::vector<PoolPosition> start;
  std::vector<double> all;
  {
    LabelStore store(ProblemKind::tsp, data);
    start = store.position();
    all = draw(store, 300);
    EXPECT_GT(store.labels_made(), 0U);
  }
  LabelStore again(ProblemKind::tsp, data);
  EXPECT_GT(again.position()[0].initial, 0U);
  again.restore(start);  // as a resumed run does
  EXPECT_EQ(draw(again, 300), all);
  EXPECT_EQ(again.labels_made(), 0U);
}

TEST_F(Labels, ATornRecordIsCutOffAndTheRestKept) {
  DataConfig data = small();
  data.cache = folder_.path("cache");
  std::size_t made = 0;
  {
    LabelStore store(ProblemKind::tsp, data);
    (void)draw(store, 50);
    made = store.labels_made();
  }
  fs::resize_file(data.cache, fs::file_size(data.cache) - 7);
  LabelCache cache(data.cache, "tsp distribution=uniform seed=1234 effort=20 capacity=0",
                   ProblemKind::tsp);
  const std::size_t kept = cache.take().size();
  EXPECT_GE(kept + 1, made);  // a worker may have finished one more before it was stopped
  EXPECT_GT(kept, 0U);
}

TEST_F(Labels, OfMixedKindsDifferInTheirCapacities) {
  DataConfig data = small();
  const Instance plain = make_unlabelled(ProblemKind::cvrp, data, 40, 3);
  data.distribution = {{Distribution::uniform, 1}, {Distribution::clustered, 1}};
  data.shortest_route = 4;
  data.longest_route = 30;
  std::set<std::int64_t> capacities;
  std::size_t same_points = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Instance instance = make_unlabelled(ProblemKind::cvrp, data, 40, i);
    capacities.insert(instance.capacity);
    DataConfig uniform = data;
    uniform.distribution.resize(1);
    if (make_unlabelled(ProblemKind::cvrp, uniform, 40, i).points == instance.points) ++same_points;
  }
  EXPECT_GT(capacities.size(), 10U);
  EXPECT_GT(same_points, 3U);
  EXPECT_LT(same_points, 17U);
  EXPECT_EQ(plain.capacity, default_capacity(40));
}

TEST_F(Labels, ACacheOfOtherLabelsIsRefused) {
  DataConfig data = small();
  data.cache = folder_.path("cache");
  { const LabelStore store(ProblemKind::tsp, data); }
  data.seed = 4;
  EXPECT_THROW(LabelStore(ProblemKind::tsp, data), Error);
  std::ofstream(folder_.path("text"))
      << "something else entirely, longer than the first line of a cache "
         "could ever be, for certain\n";
  data.cache = folder_.path("text");
  EXPECT_THROW(LabelStore(ProblemKind::tsp, data), Error);
}

TEST_F(Labels, ADatasetOfTheOtherProblemIsRefused) {
  const std::string file = folder_.path("tsp.txt");
  std::ofstream(file) << "0.1 0.2 0.3 0.4 0.5 0.9 0.2 0.8 0.7 0.1 output 1 2 3 4 5 1\n";
  DataConfig data;
  data.files = {file};
  const LabelStore fine(ProblemKind::tsp, data);
  EXPECT_EQ(fine.nodes(0), 5U);
  try {
    const LabelStore wrong(ProblemKind::cvrp, data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("instance 1 is a tsp, expected a cvrp"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Labels, OfFilesAreDrawnAsTheSizesSayAndOnlyThose) {
  TrainConfig config;
  const std::string five = "0.1 0.2 0.3 0.4 0.5 0.9 0.2 0.8 0.7 0.1 output 1 2 3 4 5 1\n";
  const std::string six = "0.1 0.2 0.3 0.4 0.5 0.9 0.2 0.8 0.7 0.1 0.6 0.6 output 1 2 3 4 5 6 1\n";
  config.data.files = {folder_.write("a.txt", five + six + six)};
  const LabelStore store(ProblemKind::tsp, config.data);
  config.data.sizes.clear();
  const std::vector<SizeShare> by_count = {{5, 1, 0}, {6, 2, 0}}, one = {{5, 0, 0}, {6, 3, 0}};
  EXPECT_EQ(shares_of(config, &store), by_count);
  EXPECT_EQ(training_data(config, &store).sizes, (std::vector<std::size_t>{5, 6}));
  config.data.sizes = {{6, 3, 0}};
  EXPECT_EQ(shares_of(config, &store), one);
  EXPECT_EQ(training_data(config, &store).sizes, std::vector<std::size_t>{6});
  config.data.sizes = {{6, 1, 0}, {20, 1, 0}};
  EXPECT_THROW((void)shares_of(config, &store), Error);
}

TEST_F(Labels, OfFilesAreIdentifiedByWhatTheyHold) {
  const std::string line = "0.1 0.2 0.3 0.4 0.5 0.9 0.2 0.8 0.7 0.1 output ";
  const auto content = [&](const std::string& name, const std::string& text) {
    DataConfig data;
    data.files = {folder_.write(name, text)};
    return LabelStore(ProblemKind::tsp, data).content();
  };
  const std::string first = content("a.txt", line + "1 2 3 4 5 1\n");
  EXPECT_EQ(content("b.txt", line + "1 2 3 4 5 1\n"), first);
  EXPECT_NE(content("a.txt", line + "1 3 2 4 5 1\n"), first);
  EXPECT_NE(content("a.txt", line + "1 2 3 4 5 1\n" + line + "1 2 3 4 5 1\n"), first);
  EXPECT_EQ(LabelStore(ProblemKind::tsp, small()).content(), "");
}

TEST_F(Labels, SamplerDrawsOneSizeABatchAndFollowsTheCurriculum) {
  TrainConfig config;
  config.model = paper_preset(ProblemKind::tsp);
  config.data = small();
  config.data.sizes = {{12, 1, 0}, {20, 1, 0.5}};
  config.sft.tokens = 100;
  LabelStore store(config.problem, config.data);
  SftSampler sampler(config, store);
  std::size_t large = 0;
  for (std::uint64_t step = 0; step < 40; ++step) {
    const SftExamples examples = sampler.draw(step, step < 20 ? 0.1 : 0.9);
    if (step < 20) {
      EXPECT_EQ(examples.nodes, 12U);
    }
    large += examples.nodes == 20 ? 1 : 0;
    EXPECT_LE(examples.tokens, 100U);
    ASSERT_FALSE(examples.instances.empty());
    for (const Instance& instance : examples.instances) {
      EXPECT_EQ(instance.size(), examples.nodes);
      EXPECT_TRUE(check(instance, instance.reference.value()).feasible);
    }
  }
  EXPECT_GT(large, 4U);
  EXPECT_LT(large, 16U);
}

}  // namespace
}  // namespace eco::train
