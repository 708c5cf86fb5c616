#include <gtest/gtest.h>

#include <filesystem>

#include "paths.h"
#include "temporary_folder.h"
#include "train/config/train_config.h"

namespace eco::train {
namespace {

class ConfigFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    return folder_.write(name, text);
  }
  std::string message_of(const std::string& text) {
    try {
      (void)make_train_config(read_config_file(write("bad.conf", text)));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
};

TEST_F(ConfigFiles, SectionsDotsCommentsAndIncludesMeanTheSame) {
  write("base.conf", "problem = cvrp\nsft.rate = 0.5\n");
  const auto config = make_train_config(read_config_file(write("run.conf",
                                                               "include = base.conf\n"
                                                               "# a comment\n"
                                                               "[sft]\n"
                                                               "steps = 7   # and another\n"
                                                               "schedule = cosine\n"
                                                               "[]\n"
                                                               "improve.rule = all-pairs\n")));
  EXPECT_EQ(config.problem, ProblemKind::cvrp);
  EXPECT_EQ(config.sft.optimizer.rate, 0.5);
  EXPECT_EQ(config.sft.steps, 7U);
  EXPECT_EQ(config.sft.optimizer.schedule, Schedule::cosine);
  EXPECT_EQ(config.improve.rule, PairRule::all_pairs);
}

TEST_F(ConfigFiles, LaterLinesAndOverridesWin) {
  auto entries = read_config_file(write("run.conf", "sft.steps = 1\nsft.steps = 2\n"));
  EXPECT_EQ(make_train_config(entries).sft.steps, 2U);
  entries.push_back(parse_override("sft.steps=3"));
  EXPECT_EQ(make_train_config(entries).sft.steps, 3U);
}

TEST_F(ConfigFiles, ThePresetSetsDefaultsWhereverItStands) {
  const auto config =
      make_train_config(read_config_file(write("run.conf", "sft.tokens = 99\npreset = best\n")));
  EXPECT_EQ(config.model.constructor, ConstructorKind::merging);
  EXPECT_EQ(config.improve.objective, "complete");
  EXPECT_EQ(config.sft.tokens, 99U);
  const auto paper = make_train_config(read_config_file(write("run.conf", "preset = paper\n")));
  EXPECT_EQ(paper.improve.samples, 32U);
  EXPECT_EQ(paper.improve.beta, 0.3);
  EXPECT_EQ(paper.improve.alpha, 0.3);
  EXPECT_EQ(paper.improve.reference_every, 10U);
  EXPECT_EQ(paper.improve.optimizer.rate, 5e-4);
  EXPECT_EQ(paper.improve.optimizer.kind, OptimizerKind::adam);
  const auto lehd = make_train_config(read_config_file(write("run.conf", "preset = lehd\n")));
  EXPECT_EQ(lehd.model, lehd_preset(lehd.problem));
  EXPECT_EQ(lehd.sft.along, 8U);
  EXPECT_EQ(lehd.sft.optimizer.rate, 1e-4);
}

TEST_F(ConfigFiles, ModelKeysReachTheModel) {
  const auto config = make_train_config(
      read_config_file(write("run.conf", "model.backbone = transformer\nmodel.dim = 64\n")));
  EXPECT_EQ(config.model.backbone, Backbone::transformer);
  EXPECT_EQ(config.model.dim, 64U);
}

TEST_F(ConfigFiles, SizesHaveWeightsAndStarts) {
  const auto config = make_train_config(
      read_config_file(write("run.conf", "data.sizes = 20, 50:2, 100:0.5@0.25\n")));
  const std::vector<SizeShare> expected = {{20, 1, 0}, {50, 2, 0}, {100, 0.5, 0.25}};
  EXPECT_EQ(config.data.sizes, expected);
}

TEST_F(ConfigFiles, DistributionsHaveWeights) {
  const auto config =
      make_train_config(read_config_file(write("run.conf", "data.distribution = uniform:3, x\n")));
  ASSERT_EQ(config.data.distribution.size(), 2U);
  EXPECT_EQ(config.data.distribution[0].distribution, Distribution::uniform);
  EXPECT_EQ(config.data.distribution[0].weight, 3);
  EXPECT_EQ(config.data.distribution[1].distribution, Distribution::x);
  EXPECT_EQ(config.data.distribution[1].weight, 1);
  EXPECT_NE(message_of("data.distribution = unifrom"), "no error");
  EXPECT_NE(message_of("data.distribution = uniform:0"), "no error");
  EXPECT_NE(message_of("data.longest_route = 2"), "no error");  // under data.shortest_route
}

TEST_F(ConfigFiles, AMisspeltKeyNamesFileLineAndTheNearestKey) {
  const std::string message = message_of("problem = tsp\nsft.stpes = 3\n");
  EXPECT_NE(message.find("bad.conf:2"), std::string::npos) << message;
  EXPECT_NE(message.find("sft.stpes"), std::string::npos) << message;
  EXPECT_NE(message.find("'sft.steps'"), std::string::npos) << message;
  EXPECT_NE(message_of("model.dimm = 3\n").find("'model.dim'"), std::string::npos);
}

TEST_F(ConfigFiles, AValueThatDoesNotParseIsRefused) {
  EXPECT_NE(message_of("sft.steps = many\n").find("sft.steps is 'many'"), std::string::npos)
      << message_of("sft.steps = many\n");
  EXPECT_NE(message_of("sft.rate = 1e-3x\n").find("sft.rate"), std::string::npos);
  EXPECT_NE(message_of("improve.rule = best\n").find("best-worst"), std::string::npos);
  EXPECT_NE(message_of("data.sizes = 100@2\n").find("data.sizes"), std::string::npos);
  EXPECT_NE(message_of("just words\n").find("key = value"), std::string::npos);
  EXPECT_NE(message_of("improve.alpha = 1.5\n").find("improve.alpha"), std::string::npos);
  EXPECT_NE(message_of("include = bad.conf\n").find("include each other"), std::string::npos);
  EXPECT_NE(message_of("include = nowhere.conf\n").find("cannot open"), std::string::npos);
  EXPECT_THROW((void)parse_override("no equals"), Error);
}

TEST_F(ConfigFiles, AValueThatDoesNotParseIsToldWhatKindIsExpected) {
  EXPECT_NE(message_of("sft.steps = ten\n")
                .find("bad.conf:1: sft.steps is 'ten', expected a whole "
                      "number"),
            std::string::npos)
      << message_of("sft.steps = ten\n");
  EXPECT_NE(message_of("sft.rate = fast\n").find("expected a number"), std::string::npos);
  EXPECT_NE(message_of("sft.rate = nan\n").find("expected a number"), std::string::npos);
  EXPECT_NE(message_of("sft.symmetries = maybe\n").find("expected on or off"), std::string::npos);
  EXPECT_NE(message_of("problem = vrp\n").find("expected one of tsp, cvrp"), std::string::npos);
  EXPECT_NE(message_of("data.sizes = few\n").find("expected sizes like"), std::string::npos);
}

TEST_F(ConfigFiles, AWrongModelValueNamesFileAndLine) {
  for (const std::string line :
       {"model.dim = 7", "model.dim = ten", "model.backbone = lstm", "model.heads = 3"}) {
    const std::string message = message_of("problem = tsp\n" + line + "\nmodel.ffn = true\n");
    EXPECT_NE(message.find("bad.conf:2: "), std::string::npos) << message;
  }
  // Of two that do not fit together, the later one.
  EXPECT_NE(message_of("model.dim = 24\n\nmodel.heads = 7\n").find("bad.conf:3: "),
            std::string::npos);
}

TEST_F(ConfigFiles, ValuesOutOfRangeAreRefusedWithFileAndLine) {
  for (const std::string line : {"sft.final_share = -3",
                                 "sft.final_share = 2",
                                 "sft.tokens = 0",
                                 "improve.tokens = 0",
                                 "checkpoint.minutes = -5",
                                 "sft.minutes = -1",
                                 "improve.minutes = -1",
                                 "sft.rate = 0",
                                 "improve.clip_ratio = 0",
                                 "improve.nll = -1",
                                 "validate.count = 0",
                                 "data.capacity = -4",
                                 "sft.steps = 0",
                                 "sft.along = 3",
                                 "improve.iterations = 0",
                                 "improve.operators = 2opp",
                                 "improve.operators = relocate",
                                 "data.capacity = 50",
                                 "data.longest_route = 9",
                                 "imitate.free = 1.5",
                                 "imitate.effort = 0",
                                 "imitate.nodes = 0"}) {
    const std::string message = message_of("problem = tsp\n" + line + "\n");
    EXPECT_NE(message.find("bad.conf:2: "), std::string::npos) << line << ": " << message;
  }
  EXPECT_NE(message_of("problem = cvrp\ndata.capacity = 5\n").find("largest demand"),
            std::string::npos);
  EXPECT_EQ(message_of("problem = cvrp\nimprove.operators = relocate, swap\n"), "no error");
  EXPECT_NE(message_of("improve.objective = complete\n").find("bad.conf:1: "), std::string::npos);
  EXPECT_NE(message_of("preset = best\nimprove.objective = ppo\n").find("bad.conf:2: "),
            std::string::npos);
  EXPECT_EQ(message_of("preset = best\nimprove.objective = dpo\n"), "no error");
  EXPECT_NE(message_of("preset = best\nimprove.objective = dpo\nimprove.alpha = 0.5\n")
                .find("bad.conf:3: improve.alpha and imitate.expert are above 1 together"),
            std::string::npos);
  EXPECT_EQ(message_of("preset = lehd\nsft.along = 3\n"), "no error");
  EXPECT_NE(message_of("preset = lehd\nmodel.norm = rms\n").find("bad.conf:2: "),
            std::string::npos);
  EXPECT_EQ(message_of("checkpoint.minutes = 0\nsft.final_share = 0\nsft.minutes = 0.5\n"),
            "no error");
}

TEST_F(ConfigFiles, SizesAreAHundredOrThoseOfTheFiles) {
  const std::vector<SizeShare> hundred = {{100, 1, 0}};
  EXPECT_EQ(make_train_config({}).data.sizes, hundred);
  EXPECT_TRUE(make_train_config({parse_override("data.files=a.txt")}).data.sizes.empty());
}

TEST_F(ConfigFiles, TheDumpReadsBackToTheSameConfig) {
  const auto config = make_train_config(read_config_file(
      write("run.conf",
            "preset = best\nproblem = cvrp\ndata.sizes = 20, 50:2@0.5\nsft.rate = 0.1\n"
            "improve.operators = swap, relocate\nmodel.dim = 64\n")));
  const std::string text = dump_train_config(config);
  EXPECT_EQ(dump_train_config(make_train_config(read_config_file(write("again.conf", text)))),
            text);
}

TEST(Config, EveryKeyIsDescribed) {
  const std::string help = describe_train_config();
  for (const char* key :
       {"sft.steps", "improve.beta", "data.cache", "validate.count", "model.dim"}) {
    EXPECT_NE(help.find(key), std::string::npos) << key;
  }
}

TEST(Recipes, AllOfThemParse) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("recipes"))) {
    if (entry.path().extension() != ".conf") continue;
    ++count;
    EXPECT_NO_THROW((void)make_train_config(read_config_file(entry.path().string())))
        << entry.path();
  }
  EXPECT_GE(count, 8U);
}

}  // namespace
}  // namespace eco::train
