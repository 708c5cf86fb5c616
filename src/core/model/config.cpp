#include "core/model/config.h"

#include <charconv>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/model/features.h"
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

std::string shortest(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

Field count(std::string_view key, std::size_t ModelConfig::*member) {
  return {key, [=](const ModelConfig& c) { return std::to_string(c.*member); },
          [=](ModelConfig& c, const std::string& text) { return parse_number(text, c.*member); }};
}

Field share(std::string_view key, double ModelConfig::*member) {
  return {key, [=](const ModelConfig& c) { return shortest(c.*member); },
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

const std::vector<Field>& fields() {
  using C = ModelConfig;
  static const std::vector<Field> all{
      choice<ProblemKind>("problem", &C::problem,
                          {{"tsp", ProblemKind::tsp}, {"cvrp", ProblemKind::cvrp}}),
      choice<Constructor>(
          "constructor", &C::constructor,
          {{"sequential", Constructor::sequential}, {"merging", Constructor::merging}}),
      choice<Backbone>("backbone", &C::backbone,
                       {{"mamba", Backbone::mamba}, {"transformer", Backbone::transformer}}),
      choice<Scorer>("scorer", &C::scorer,
                     {{"pointer", Scorer::pointer}, {"candidate", Scorer::candidate}}),
      choice<Ordering>("ordering", &C::ordering,
                       {{"raw", Ordering::raw},
                        {"x", Ordering::x},
                        {"morton", Ordering::morton},
                        {"hilbert", Ordering::hilbert}}),
      choice<Scan>("scan", &C::scan, {{"single", Scan::single}, {"alternate", Scan::alternate}}),
      choice<bool>("ffn", &C::ffn, {{"true", true}, {"false", false}}),
      count("dim", &C::dim),
      count("encoder_layers", &C::encoder_layers),
      count("decoder_layers", &C::decoder_layers),
      count("state", &C::state),
      count("conv", &C::conv),
      count("expand", &C::expand),
      count("ffn_ratio", &C::ffn_ratio),
      count("heads", &C::heads),
      count("candidates", &C::candidates),
      count("candidate_dim", &C::candidate_dim),
      count("candidate_layers", &C::candidate_layers),
      count("candidate_heads", &C::candidate_heads),
      count("passes", &C::passes),
      share("reencode", &C::reencode),
      count("ends", &C::ends),
      count("window", &C::window),
      share("doubt", &C::doubt),
  };
  return all;
}

void require(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorKind::usage, "model config: " + message);
}

}  // namespace

std::size_t ModelConfig::token_features() const {
  if (constructor == Constructor::merging) return token_feature_width(depot());
  if (scorer == Scorer::candidate) return sub_problem_feature_count(problem);
  return problem == ProblemKind::cvrp ? 4 : 2;
}

std::size_t ModelConfig::dynamic_features() const {
  const std::size_t cvrp = problem == ProblemKind::cvrp ? 2 : 0;
  return scorer == Scorer::candidate ? 1 + cvrp : cvrp;
}

std::size_t ModelConfig::actions() const {
  return problem == ProblemKind::cvrp ? 2 : 1;
}

bool is_decoding_key(std::string_view key) {
  return key == "reencode" || key == "ends" || key == "window" || key == "doubt";
}

std::size_t most_ends(ProblemKind problem) {
  return problem == ProblemKind::tsp ? 2 : 64;
}

ModelConfig paper_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  config.ends = 1;
  return config;
}

ModelConfig best_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  config.scorer = Scorer::candidate;
  config.scan = Scan::alternate;
  config.ffn = false;
  config.ends = problem == ProblemKind::tsp ? 2 : 16;
  config.window = problem == ProblemKind::tsp ? 60 : 0;
  config.doubt = problem == ProblemKind::tsp ? 0.1 : 1;
  return config;
}

ModelConfig merging_preset(ProblemKind problem) {
  ModelConfig config;
  config.problem = problem;
  config.constructor = Constructor::merging;
  config.ffn = false;
  config.encoder_layers = 4;
  config.heads = 4;
  config.candidates = 12;
  config.candidate_dim = 64;
  config.candidate_layers = 0;
  config.ends = 1;
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
  require(c.state == 16, "state is " + std::to_string(c.state) + ", expected 16");
  require(c.conv == 4, "conv is " + std::to_string(c.conv) + ", expected 4");
  range("expand", c.expand, 1, 4);
  range("ffn_ratio", c.ffn_ratio, 1, 8);
  range("heads", c.heads, 1, c.dim);
  require(c.dim % c.heads == 0, "dim is not a multiple of heads");
  range("candidates", c.candidates, 2, 64);
  range("candidate_dim", c.candidate_dim, 8, 512);
  require(c.candidate_dim % 8 == 0, "candidate_dim is not a multiple of 8");
  range("candidate_layers", c.candidate_layers, 0, 8);
  range("candidate_heads", c.candidate_heads, 1, 32);
  require(c.candidate_dim % c.candidate_heads == 0,
          "candidate_dim is not a multiple of candidate_heads");
  range("passes", c.passes, 1, 2);
  require(c.reencode > 0 && c.reencode <= 1, "reencode is outside (0, 1]");
  require(c.doubt > 0 && c.doubt <= 1, "doubt is outside (0, 1]");
  range("ends", c.ends, 1, most_ends(c.problem));
  require(c.window == 0 ||
              (c.window >= 8 && c.scorer == Scorer::candidate && c.problem == ProblemKind::tsp),
          "window is " + std::to_string(c.window) +
              ", expected 0, or 8 and more with scorer = candidate and problem = tsp");
  require(c.ends == 1 || c.scorer == Scorer::candidate, "ends above 1 needs scorer = candidate");
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
