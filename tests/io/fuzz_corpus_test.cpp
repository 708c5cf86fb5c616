// Replays the corpus of the fuzz targets, and mutations of it, without libFuzzer. A parser that
// breaks its promise ends the program.

#include <gtest/gtest.h>

#include "../../fuzz/entry.h"
#include "io/support.h"
#include "paths.h"

namespace eco::io {
namespace {

class FuzzCorpus : public testing::TestWithParam<std::string> {};

std::vector<std::string> corpus_of(const std::string& target) {
  std::vector<std::string> inputs;
  const auto folder = std::filesystem::path(source_path("fuzz")) / "corpus" / target;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    inputs.push_back(content(file.path()));
  }
  return inputs;
}

TEST_P(FuzzCorpus, IsSurvived) {
  const auto inputs = corpus_of(GetParam());
  EXPECT_GE(inputs.size(), 4U);
  for (const std::string& input : inputs) fuzz::targets().at(GetParam())(input);
}

TEST_P(FuzzCorpus, IsSurvivedCutAtEveryByte) {
  for (const std::string& input : corpus_of(GetParam())) {
    for (std::size_t length = 0; length < std::min<std::size_t>(input.size(), 600); ++length) {
      fuzz::targets().at(GetParam())(input.substr(0, length));
    }
  }
}

TEST_P(FuzzCorpus, IsSurvivedWithRandomDamage) {
  const auto inputs = corpus_of(GetParam());
  Rng rng(7);
  for (int round = 0; round < 3000; ++round) {
    std::string input = inputs[rng.below(static_cast<std::uint32_t>(inputs.size()))];
    for (std::uint32_t change = 0; change <= rng.below(4) && !input.empty(); ++change) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(input.size()));
      switch (rng.below(3)) {
        case 0:
          input[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          input.erase(at, 1 + rng.below(8));
          break;
        default:
          input.insert(at, input.substr(rng.below(static_cast<std::uint32_t>(input.size())), 12));
      }
    }
    fuzz::targets().at(GetParam())(input);
  }
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const auto& [name, target] : fuzz::targets()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, testing::ValuesIn(target_names()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace eco::io
