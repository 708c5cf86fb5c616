#include "core/model/config.h"

#include <gtest/gtest.h>

#include <set>

#include "core/base/error.h"
#include "core/model/tensors.h"

namespace eco {
namespace {

TEST(ModelConfig, SurvivesTheRoundTripThroughText) {
  for (ModelConfig config :
       {paper_preset(ProblemKind::tsp), best_preset(ProblemKind::cvrp), am_preset(ProblemKind::tsp),
        pomo_preset(ProblemKind::cvrp), lehd_preset(ProblemKind::tsp)}) {
    config.dim = 64;
    EXPECT_EQ(config_from_fields(to_fields(config)), config);
  }
}

TEST(ModelConfig, NamesTheNearestKnownKey) {
  try {
    (void)config_from_fields({{"encoder_layer", "3"}});
    FAIL() << "an unknown key was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'encoder_layers'?"), std::string::npos)
        << error.what();
  }
}

TEST(ModelConfig, RefusesValuesOutOfRange) {
  EXPECT_THROW((void)config_from_fields({{"dim", "12"}}), Error);
  EXPECT_THROW((void)config_from_fields({{"dim", "128x"}}), Error);
}

TEST(ModelConfig, RefusesWhatTheOtherConstructorReads) {
  for (const char* key : {"candidates", "scorer_dim", "scorer_layers", "scorer_heads", "passes"}) {
    const std::string value = std::string(key) == "passes" ? "1" : "8";
    const std::map<std::string, std::string> changed{{key, value}};
    EXPECT_THROW((void)config_from_fields(changed, paper_preset(ProblemKind::tsp)), Error) << key;
    EXPECT_NO_THROW((void)config_from_fields(changed, best_preset(ProblemKind::tsp))) << key;
  }
  for (const auto& [key, value] : std::map<std::string, std::string>{
           {"decoder_layers", "2"}, {"ffn", "true"}, {"heads", "32"}, {"ordering", "raw"}}) {
    const std::map<std::string, std::string> changed{{key, value}};
    EXPECT_THROW((void)config_from_fields(changed, best_preset(ProblemKind::tsp)), Error) << key;
    EXPECT_NO_THROW((void)config_from_fields(changed, paper_preset(ProblemKind::tsp))) << key;
  }
}

TEST(ModelConfig, RefusesNormsAndDecodersThatDoNotGoTogether) {
  const ModelConfig paper = paper_preset(ProblemKind::tsp), am = am_preset(ProblemKind::tsp);
  EXPECT_THROW((void)config_from_fields({{"norm", "batch"}}, paper), Error);
  EXPECT_THROW((void)config_from_fields({{"decoder", "recurrent"}}, am), Error);
  EXPECT_THROW((void)config_from_fields({{"decoder_layers", "2"}}, am), Error);
  EXPECT_THROW((void)config_from_fields({{"heads", "32"}}, am), Error);
  EXPECT_THROW((void)config_from_fields({{"decoder", "am"}}, best_preset(ProblemKind::tsp)), Error);
  const ModelConfig lehd = lehd_preset(ProblemKind::cvrp);
  EXPECT_THROW((void)config_from_fields({{"norm", "none"}}, am), Error);
  EXPECT_THROW((void)config_from_fields({{"norm", "none"}}, paper), Error);
  EXPECT_THROW((void)config_from_fields({{"decoder", "lehd"}}, paper), Error);
  EXPECT_THROW((void)config_from_fields({{"norm", "rms"}}, lehd), Error);
  EXPECT_THROW((void)config_from_fields({{"norm", "batch"}}, lehd), Error);
  EXPECT_THROW((void)config_from_fields({{"decoder", "recurrent"}}, lehd), Error);
  EXPECT_THROW((void)config_from_fields({{"backbone", "mamba"}}, lehd), Error);
  EXPECT_NO_THROW((void)config_from_fields({{"decoder_layers", "3"}}, lehd));
  EXPECT_NO_THROW((void)config_from_fields({{"norm", "instance"}}, am));
  EXPECT_NO_THROW((void)config_from_fields({{"decoder", "pomo"}}, paper));
}

TEST(Tensors, OfAttentionModelAndPomoAreThoseOfThePublishedShapes) {
  const auto elements = [](const ModelConfig& config) {
    std::size_t count = 0;
    for (const TensorSpec& spec : tensor_specs(config)) {
      if (!spec.statistic) count += spec.elements();
    }
    return count;
  };
  const std::size_t square = 128 * 128, layer = 4 * square + 2 * 128 * 512 + 512 + 5 * 128;
  const std::size_t tsp = 3 * 128 + 3 * layer + 3 * square /* of the nodes */ + square /* graph */ +
                          2 * square /* first, last */ + square /* out */ + 128 /* start */;
  EXPECT_EQ(elements(am_preset(ProblemKind::tsp)), tsp);
  EXPECT_EQ(elements(am_preset(ProblemKind::cvrp)), tsp + 4 * 128 - square);
  // No graph, no start, no keys; a bias of the glimpse.
  EXPECT_EQ(elements(pomo_preset(ProblemKind::tsp)), tsp + 3 * layer - 2 * square);
}

TEST(Tensors, OfLehdAreThoseOfThePublishedShapes) {
  const auto elements = [](const ModelConfig& config) {
    std::size_t count = 0;
    for (const TensorSpec& spec : tensor_specs(config)) count += spec.elements();
    return count;
  };
  const std::size_t square = 128 * 128;
  const std::size_t layer = 4 * square + 128 + 2 * 128 * 512 + 512 + 128;
  const std::size_t tsp =
      3 * 128 /* input */ + 7 * layer + 2 * (square + 128) /* both ends */ + 128;
  EXPECT_EQ(elements(lehd_preset(ProblemKind::tsp)), tsp);
  // The demand, what is left at both ends, and a second logit with biases.
  EXPECT_EQ(elements(lehd_preset(ProblemKind::cvrp)), tsp + 128 + 2 * 128 + 128 + 2);
}

TEST(Tensors, HaveUniqueNamesAndThePapersSize) {
  const auto specs = tensor_specs(paper_preset(ProblemKind::tsp));
  std::set<std::string> names;
  std::size_t elements = 0;
  for (const TensorSpec& spec : specs) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    elements += spec.elements();
  }
  // Summed by hand from the equations of docs/model.md.
  const std::size_t ffn = 128 + 512 * 128 + 512 + 128 * 512 + 128;
  const std::size_t shared = 128 + 512 * 128 + 256 * 4 + 256 + 256 * 16 + 256 + 128 * 256;
  const std::size_t selective = shared + 40 * 256 + 256 * 8 + 256;
  const std::size_t invariant = shared + 256 + 256 * 16;
  EXPECT_EQ(elements,
            3 * (selective + invariant) + 6 * ffn + 2 * 128 + 384 + 128 + 2 * 128 * 128 + 128);
}

}  // namespace
}  // namespace eco
