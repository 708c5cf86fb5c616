#include "io/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/base/error.h"
#include "core/model/merge_features.h"
#include "io/half.h"
#include "io/weights.h"
#include "temporary_folder.h"

namespace eco::io {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// A file with the given header text and `data` bytes behind it.
std::string container(const std::string& header, std::size_t data) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data, '\0');
}

std::string error_of(const std::string& bytes) {
  try {
    (void)SafetensorsFile::parse(as_bytes(bytes), "x");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 3);
    return error.what();
  }
  return "";
}

std::string weights_error(const std::string& bytes) {
  try {
    (void)parse_weights(as_bytes(bytes), "w");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 3);
    return error.what();
  }
  return "";
}

TEST(Safetensors, GivesBackWhatWasWritten) {
  const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{-7};
  const NamedTensor tensors[] = {{"b", {1}, b}, {"a", {2, 3}, a}};
  const std::string bytes = safetensors_bytes(tensors, {{"k", "v \"quoted\""}});
  const auto file = SafetensorsFile::parse(as_bytes(bytes), "memory");
  EXPECT_EQ(file.metadata().at("k"), "v \"quoted\"");
  ASSERT_EQ(file.tensors().size(), 2U);
  const auto& tensor = file.tensors().at("a");
  EXPECT_EQ(tensor.shape, (std::vector<std::size_t>{2, 3}));
  std::vector<float> read(6);
  tensor.copy_to(read);
  EXPECT_EQ(read, a);
  for (const auto& [name, t] : file.tensors()) {
    const auto* start = reinterpret_cast<const char*>(t.bytes.data());
    EXPECT_EQ((start - bytes.data()) % 64, 0) << name;
  }
}

TEST(Safetensors, SaysWhatIsWrongWithAFile) {
  const std::string ok = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_EQ(error_of(container(ok, 8)), "");
  EXPECT_NE(error_of("abc").find("3 bytes"), std::string::npos);
  EXPECT_NE(error_of(container(ok, 7)).find("truncated"), std::string::npos);
  std::string huge = container(ok, 8);
  const std::uint64_t length = 8'000'000'000;
  std::memcpy(huge.data(), &length, 8);
  EXPECT_NE(error_of(huge).find("8000000000"), std::string::npos);
  EXPECT_NE(error_of(container("not json", 8)).find("JSON"), std::string::npos);
  EXPECT_NE(error_of(container("[1]", 8)).find("JSON"), std::string::npos);
  const auto entry = [](const std::string& dtype, const std::string& shape,
                        const std::string& offsets) {
    return container(R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape +
                         R"(,"data_offsets":)" + offsets + "}}",
                     64);
  };
  EXPECT_NE(error_of(entry("F64", "[2]", "[0,16]")).find("expected F32"), std::string::npos);
  EXPECT_EQ(error_of(entry("F16", "[2]", "[0,4]")), "");
  EXPECT_NE(error_of(entry("F16", "[2]", "[0,8]")).find("8 bytes for 2"), std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[3]", "[0,8]")).find("8 bytes for 3"), std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[-1]", "[0,8]")).find("whole number"), std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[2]", "[8,0]")).find("damaged"), std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[2]", "[60,68]")).find("damaged"), std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[4294967296,4294967296]", "[0,0]")).find("memory"),
            std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[4611686018427387905]", "[0,4]")).find("bytes for"),
            std::string::npos);
  EXPECT_NE(error_of(entry("F32", "2", "[0,8]")).find("list"), std::string::npos);
  EXPECT_NE(error_of(entry("F32", "[2]", "[0]")).find("pair"), std::string::npos);
  EXPECT_NE(error_of(container(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                                   "b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                               16))
                .find("overlap"),
            std::string::npos);
  EXPECT_NE(error_of(container(R"({"__metadata__":{"k":1}})", 0)).find("string"),
            std::string::npos);
}

TEST(Safetensors, TruncationAtAnyByteIsAnErrorAndNotACrash) {
  const std::vector<float> a{1, 2, 3};
  const NamedTensor tensors[] = {{"a", {3}, a}};
  const std::string bytes = safetensors_bytes(tensors, {});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(error_of(bytes.substr(0, size)), "") << size;
  }
}

TEST(WeightsFile, GivesBackConfigNumbersAndNotes) {
  ModelConfig config = best_preset(ProblemKind::cvrp);
  config.dim = 40;
  config.heads = 5;
  const Weights weights = random_weights(config, 3);
  const TemporaryFolder folder;
  const std::string path = folder.path("some.safetensors");
  save_weights(path, weights, {{"train.gap", "4.2"}});
  Metadata notes;
  const Weights read = load_weights(path, &notes);
  EXPECT_EQ(read.config(), config);
  EXPECT_EQ(notes, (Metadata{{"train.gap", "4.2"}}));
  for (const TensorSpec& spec : weights.specs()) {
    const auto expected = weights.tensor(spec.name), found = read.tensor(spec.name);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin())) << spec.name;
  }
  EXPECT_EQ(weights_bytes(read, notes), weights_bytes(weights, {{"train.gap", "4.2"}}));
}

TEST(WeightsFile, KeepsHowItsWeightsAreBestDecoded) {
  ModelConfig config = best_preset(ProblemKind::tsp);
  config.dim = 40;
  config.heads = 5;
  const Weights weights = random_weights(config, 3);
  const std::string bytes = weights_bytes(weights, {{"decode.effort", "thorough"}});
  Metadata notes;
  const Weights read = parse_weights(as_bytes(bytes), "x", &notes);
  EXPECT_EQ(read.decode(), (Weights::Settings{{"effort", "thorough"}}));
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(weights_bytes(read), bytes);
  EXPECT_THROW((void)weights_bytes(weights, {{"decode.effort", "quick"}}), Error);
  std::string wrong = bytes;
  wrong.replace(wrong.find("thorough"), 8, "THOROUGH");
  EXPECT_NE(weights_error(wrong).find("expected fast, balanced or thorough"), std::string::npos);
}

TEST(Half, EveryHalfIsTheNumberThatItsFieldsSay) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const int exponent = static_cast<int>((bits >> 10U) & 31U);
    const double fraction = bits & 1023U, sign = bits >= 0x8000U ? -1 : 1;
    if (exponent == 31) {
      EXPECT_FALSE(std::isfinite(half_to_float(half)));
      continue;
    }
    const double value =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(half_to_float(half), sign * value) << bits;
    ASSERT_EQ(float_to_half(half_to_float(half)), half) << bits;
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  // Between every two neighbours: below, at and above the middle.
  for (std::uint16_t low = 0; low < 0x7bffU; ++low) {
    const float a = half_to_float(low), b = half_to_float(static_cast<std::uint16_t>(low + 1));
    const float middle = (a + b) / 2;  // exact: a float has bits to spare
    const auto even = static_cast<std::uint16_t>(low + low % 2);
    ASSERT_EQ(float_to_half(middle), even) << low;
    ASSERT_EQ(float_to_half(std::nextafter(middle, a)), low) << low;
    ASSERT_EQ(float_to_half(std::nextafter(middle, b)), low + 1) << low;
    ASSERT_EQ(float_to_half(-middle), even | 0x8000U) << low;
  }
  EXPECT_EQ(half_to_float(float_to_half(65519.0F)), 65504.0F);
  EXPECT_TRUE(std::isinf(half_to_float(float_to_half(65520.0F))));
  EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::nanf("")))));
}

TEST(WeightsFile, StoredAsHalvesTakesHalfTheRoomAndReadsBackRounded) {
  ModelConfig config = best_preset(ProblemKind::tsp);
  config.dim = 64;
  Weights weights = random_weights(config, 3);
  const std::string whole = weights_bytes(weights),
                    halves = weights_bytes(weights, {}, StoredAs::f16);
  EXPECT_LT(halves.size(), whole.size() * 6 / 10);
  const Weights read = parse_weights(as_bytes(halves), "halves");
  for (const TensorSpec& spec : weights.specs()) {
    const std::span<const float> expected = weights.tensor(spec.name),
                                 found = read.tensor(spec.name);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(found[i], expected[i], std::abs(expected[i]) / 2048 + 1e-7) << spec.name;
    }
  }
  weights.tensor("input.bias")[0] = 70'000;
  EXPECT_THROW((void)weights_bytes(weights, {}, StoredAs::f16), Error);
}

TEST(WeightsFile, RefusesWhatIsNotExactlyAModel) {
  ModelConfig config = paper_preset(ProblemKind::tsp);
  config.dim = 8;
  config.heads = 2;
  Weights weights = random_weights(config, 3);
  const std::string good = weights_bytes(weights);
  EXPECT_EQ(weights_error(good), "");

  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    EXPECT_EQ(from.size(), to.size());
    return bytes.replace(at, from.size(), to);
  };
  EXPECT_NE(weights_error(edited(R"("eco.format":"1")", R"("eco.format":"7")")).find("format"),
            std::string::npos);
  EXPECT_NE(weights_error(edited("eco.format", "eco.FORMAT")).find("eco.format"),
            std::string::npos);
  EXPECT_NE(weights_error(edited(R"("query.weight")", R"("quary.weight")")).find("lacks"),
            std::string::npos);
  EXPECT_NE(weights_error(edited(R"("decoder_layers":"3")", R"("decoder_layers":"2")"))
                .find("unknown tensor"),
            std::string::npos);
  EXPECT_NE(weights_error(edited(R"("ffn_ratio":"4")", R"("ffn_ratio":"5")")).find("[40, 8]"),
            std::string::npos);
  EXPECT_NE(weights_error(edited(R"("dim":"8")", R"("dim":"x")")).find("dim"), std::string::npos);

  weights.tensor("start")[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(weights_error(weights_bytes(weights)).find("nan"), std::string::npos);
  weights.tensor("start")[3] = std::numeric_limits<float>::infinity();
  EXPECT_NE(weights_error(weights_bytes(weights)).find("inf"), std::string::npos);
  EXPECT_THROW((void)weights_bytes(weights, {{"dim", "7"}}), Error);
}

TEST(WeightsFile, MadeForOtherInputFeaturesIsRefusedByName) {
  ModelConfig config = best_preset(ProblemKind::tsp);
  config.dim = 16;
  config.heads = 2;
  config.scorer_dim = 8;
  const Weights weights = random_weights(config, 3);
  std::string bytes = weights_bytes(weights);
  EXPECT_EQ(weights_error(bytes), "");
  const std::string digits = feature_fingerprint(false);
  const std::size_t at = bytes.find(digits);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = bytes[at] == '0' ? '1' : '0';
  const std::string error = weights_error(bytes);
  EXPECT_NE(error.find("other input features"), std::string::npos) << error;
  EXPECT_NE(error.find(digits), std::string::npos) << error;
}

TEST(WeightsFile, MissingFilesAndFoldersAreNamed) {
  EXPECT_THROW((void)load_weights("/nonexistent/weights"), Error);
  EXPECT_THROW((void)load_weights("/"), Error);
}

}  // namespace
}  // namespace eco::io
