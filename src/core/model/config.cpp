#include "core/model/config.h"

#include <charconv>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/model/merge_features.h"

namespace eco {

namespace {

struct Field {
  std::string_view key;
  std::function<std::string(const ModelConfig&)> get;
  std::function<bool(ModelConfig&, const std::string&)> set;  // false: does not parse
};

template <class T>
bool parse_number(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

Field count(std::string_view key, std::size_t ModelConfig::*member) {
  return {key, [=](const ModelConfig& c) { return std::to_string(c.*member); },
          [=](ModelConfig& c, const std::string& text) { return parse_number(text, c.*member); }};
}

template <class E>
Field choice(std::string_view key, E ModelConfig::*member,
             std::vector<std::pair<std::string, E>> names) {
  return {key,
          [=](const ModelConfig& c) {
            for (const auto& [name, value] : names) {
              if (value == c.*member) return name;
            }
            return std::string("?");
          },
          [=](ModelConfig& c, const std::string& text) {
            for (const auto& [name, value] : names) {
              if (name == text) {
                c.*member = value;
                return true;
              }
            }
            return false;
          }};
}

std::vector<std::pair<std::string, ProblemKind>> problem_choices() {
  std::vector<std::pair<std::string, ProblemKind>> choices;
  choices.reserve(std::size(kProblems));
  for (const ProblemKind kind : kProblems) choices.emplace_back(to_string(kind), kind);
  return choices;
}

Field ordering() {
  return {"ordering", [](const ModelConfig& c) { return std::string(to_string(c.ordering)); },
          [](ModelConfig& c, const std::string& text) {
            const auto found = ordering_from(text);
            c.ordering = found.value_or(c.ordering);
            return found.has_value();
          }};
}

const std::vector<Field>& fields() {
  using C = ModelConfig;
  static const std::vector<Field> all{
      choice<ProblemKind>("problem", &C::problem, problem_choices()),
      choice<ConstructorKind>(
          "constructor", &C::constructor,
          {{"sequential", ConstructorKind::sequential}, {"merging", ConstructorKind::merging}}),
      choice<Backbone>("backbone", &C::backbone,
                       {{"mamba", Backbone::mamba}, {"transformer", Backbone::transformer}}),
      choice<Norm>("norm", &C::norm,
                   {{"rms", Norm::rms},
                    {"batch", Norm::batch},
                    {"instance", Norm::instance},
                    {"none", Norm::none}}),
      choice<DecoderKind>("decoder", &C::decoder,
                          {{"recurrent", DecoderKind::recurrent},
                           {"am", DecoderKind::am},
                           {"pomo", DecoderKind::pomo},
                           {"lehd", DecoderKind::lehd}}),
      ordering(),
      choice<bool>("ffn", &C::ffn, {{"true", true}, {"false", false}}),
      count("dim", &C::dim),
      count("encoder_layers", &C::encoder_layers),
      count("decoder_layers", &C::decoder_layers),
      count("expand", &C::expand),
      count("ffn_ratio", &C::ffn_ratio),
      count("heads", &C::heads),
      count("candidates", &C::candidates),
      count("scorer_dim", &C::scorer_dim),
      count("scorer_layers", &C::scorer_layers),
      count("scorer_heads", &C::scorer_heads),
      count("passes", &C::passes),
  };
  return all;
}

void require(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorKind::usage, "model config: " + message);
}

}  // namespace

std::size_t ModelConfig::token_features() const {
  if (constructor == ConstructorKind::merging) return token_feature_width(depot());
  if (!depot()) return 2;
  if (heavy()) return 3;
  return glimpse() ? 6 : 4;
}

std::size_t ModelConfig::dynamic_features() const {
  return depot() ? 2 : 0;
}

ModelConfig paper_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  return config;
}

ModelConfig best_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  config.constructor = ConstructorKind::merging;
  config.ffn = false;
  config.encoder_layers = 4;
  config.heads = 4;
  return config;
}

ModelConfig am_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  config.backbone = Backbone::transformer;
  config.norm = Norm::batch;
  config.decoder = DecoderKind::am;
  return config;
}

ModelConfig pomo_preset(ProblemKind problem) {
  ModelConfig config = am_preset(problem);
  config.norm = Norm::instance;
  config.decoder = DecoderKind::pomo;
  config.encoder_layers = 6;
  return config;
}

ModelConfig lehd_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  config.backbone = Backbone::transformer;
  config.norm = Norm::none;
  config.decoder = DecoderKind::lehd;
  config.encoder_layers = 1;
  config.decoder_layers = 6;
  return config;
}

void validate(const ModelConfig& c) {
  const auto range = [](std::string_view key, std::size_t value, std::size_t low,
                        std::size_t high) {
    require(value >= low && value <= high, std::string(key) + " is " + std::to_string(value) +
                                               ", expected " + std::to_string(low) + " to " +
                                               std::to_string(high));
  };
  range("dim", c.dim, 8, 1024);
  require(c.dim % 8 == 0, "dim is " + std::to_string(c.dim) + ", expected a multiple of 8");
  range("encoder_layers", c.encoder_layers, 1, 32);
  range("decoder_layers", c.decoder_layers, 1, 32);
  range("expand", c.expand, 1, 4);
  range("ffn_ratio", c.ffn_ratio, 1, 8);
  range("heads", c.heads, 1, c.dim);
  require(c.dim % c.heads == 0, "dim is not a multiple of heads");
  range("candidates", c.candidates, 2, 64);
  range("scorer_dim", c.scorer_dim, 8, 512);
  require(c.scorer_dim % 8 == 0, "scorer_dim is not a multiple of 8");
  range("scorer_layers", c.scorer_layers, 0, 8);
  range("scorer_heads", c.scorer_heads, 1, 32);
  require(c.scorer_dim % c.scorer_heads == 0, "scorer_dim is not a multiple of scorer_heads");
  range("passes", c.passes, 1, 2);
  // What the other constructor reads must not look as if it did something.
  const ModelConfig defaults;
  const auto unused = [&](std::string_view key, std::size_t ModelConfig::*member) {
    require(c.*member == defaults.*member,
            std::string(key) + " has no effect with this constructor, expected the default " +
                std::to_string(defaults.*member));
  };
  require((c.norm != Norm::batch && c.norm != Norm::instance) ||
              (c.backbone == Backbone::transformer && c.glimpse()),
          "norm = batch or instance needs backbone = transformer and decoder = am or pomo");
  require(c.norm != Norm::none || c.heavy(), "norm = none needs decoder = lehd");
  if (c.heavy()) {
    require(c.constructor == ConstructorKind::sequential,
            "decoder = lehd needs constructor = sequential");
    require(c.backbone == Backbone::transformer && c.norm == Norm::none,
            "decoder = lehd needs backbone = transformer and norm = none");
  }
  if (c.glimpse()) {
    require(c.constructor == ConstructorKind::sequential,
            "decoder = am or pomo needs constructor = sequential");
    unused("decoder_layers", &ModelConfig::decoder_layers);
    require(c.dim % (8 * c.heads) == 0, "dim is not a multiple of 8 heads, as a glimpse needs");
  }
  if (c.constructor == ConstructorKind::merging) {
    unused("decoder_layers", &ModelConfig::decoder_layers);
    require(c.dim % (8 * c.heads) == 0, "dim is not a multiple of 8 heads, as merging needs");
    require(!c.ffn, "ffn = true needs constructor = sequential");
    require(c.ordering == Ordering::morton, "ordering is not morton, which merging always reads");
  } else {
    unused("candidates", &ModelConfig::candidates);
    unused("scorer_dim", &ModelConfig::scorer_dim);
    unused("scorer_layers", &ModelConfig::scorer_layers);
    unused("scorer_heads", &ModelConfig::scorer_heads);
    unused("passes", &ModelConfig::passes);
  }
}

std::map<std::string, std::string> to_fields(const ModelConfig& config) {
  std::map<std::string, std::string> result;
  for (const Field& field : fields()) result.emplace(field.key, field.get(config));
  return result;
}

ModelConfig config_from_fields(const std::map<std::string, std::string>& values,
                               ModelConfig defaults) {
  std::vector<std::string_view> known;
  for (const Field& field : fields()) known.push_back(field.key);
  for (const auto& [key, text] : values) {
    bool found = false;
    for (const Field& field : fields()) {
      if (field.key != key) continue;
      found = true;
      require(field.set(defaults, text), key + " is " + quoted(text) + ", which does not parse");
    }
    require(found, "unknown key " + quoted(key) + did_you_mean(key, known));
  }
  validate(defaults);
  return defaults;
}

}  // namespace eco
