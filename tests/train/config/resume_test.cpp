#include "train/config/resume.h"

#include <gtest/gtest.h>

namespace eco::train {
namespace {

TrainConfig config_with(const std::vector<std::string>& settings) {
  std::vector<ConfigEntry> entries;
  for (const std::string& text : settings) entries.push_back(parse_override(text));
  return make_train_config(entries);
}

std::vector<std::string> changed_keys(const std::string& setting, std::string_view stage,
                                      bool learning) {
  std::vector<std::string> keys;
  for (const auto& change :
       changes_on_resume(to_fields(config_with({})), config_with({setting}), stage)) {
    EXPECT_EQ(change.learning, learning) << setting;
    keys.push_back(change.key);
  }
  return keys;
}

using KeyList = std::vector<std::string>;

TEST(Resume, TellsOfChangesThatDoNotTouchWhatIsLearned) {
  for (const std::string setting :
       {"threads=3", "log_every=7", "data.cache=labels", "data.label_threads=2", "validate.count=9",
        "validate.seed=3", "checkpoint.minutes=1", "sft.validate_every=3"}) {
    EXPECT_EQ(changed_keys(setting, "sft", false), KeyList{setting.substr(0, setting.find('='))});
  }
}

TEST(Resume, TellsOfChangesOfWhatComes) {
  for (const std::string setting :
       {"parts=3", "ops=plain", "sft.steps=7", "sft.minutes=2", "sft.tokens=99", "sft.rate=0.5",
        "sft.clip=2", "sft.warmup=1", "sft.schedule=cosine", "sft.final_share=0.5",
        "sft.weight_decay=0.5"}) {
    EXPECT_EQ(changed_keys(setting, "sft", true), KeyList{setting.substr(0, setting.find('='))});
  }
}

TEST(Resume, TheOtherStageDoesNotMatter) {
  EXPECT_TRUE(changed_keys("improve.beta=1", "sft", false).empty());
  EXPECT_TRUE(changed_keys("sft.rate=1", "improve", false).empty());
}

TEST(Resume, RefusesByNameWhatDefinesTheRun) {
  for (const std::string setting :
       {"seed=2", "problem=cvrp", "preset=best", "average=0.5", "data.sizes=20", "data.seed=2",
        "data.effort=3", "data.count=5", "data.reuse=2", "data.distribution=x",
        "sft.optimizer=adamw", "sft.beta2=0.5", "sft.symmetries=off", "sft.init=weights",
        "model.dim=64"}) {
    const std::string key = setting.substr(0, setting.find('='));
    try {
      (void)changed_keys(setting, "sft", true);
      FAIL() << setting;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find(key + " (was '"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW((void)changed_keys("improve.beta=1", "improve", true), Error);
}

TEST(Resume, KeysThatACheckpointDoesNotKnowAreNoDifference) {
  auto saved = to_fields(config_with({}));
  saved.erase("seed");
  EXPECT_TRUE(changes_on_resume(saved, config_with({"seed=9"}), "sft").empty());
}

}  // namespace
}  // namespace eco::train
