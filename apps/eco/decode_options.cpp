#include "eco/decode_options.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/infer/decode_keys.h"
#include "io/weights.h"
#include "solver/embedded_weights.h"

namespace eco::cli {

void DecodeChoice::check() const {
  if (options.method != Decode::sample && (options.temperature || options.top_k)) {
    throw Error(ErrorKind::usage,
                "--temperature and --top-k are for --decode sample:K, not " +
                    decode_text({.method = options.method.value_or(Decode::greedy)}));
  }
}

std::vector<CLI::Option*> add_decode_options(CLI::App& app, DecodeChoice& choice) {
  std::vector<CLI::Option*> all{
      app.add_option("--weights,-w", choice.weights,
                     "Weights file (.safetensors) [default: those inside this program]")
          ->type_name("FILE")};
  for (const DecodeKey& key : decode_keys()) {
    std::string flag = "--" + std::string(key.name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    all.push_back(app.add_option_function<std::string>(
                         flag,
                         [&choice, &key, flag](const std::string& text) {
                           if (key.set(text, choice.options)) return;
                           throw CLI::ValidationError(flag, "found " + eco::quoted(text) +
                                                                ", expected " +
                                                                std::string(key.takes));
                         },
                         std::string(key.meaning))
                      ->type_name(std::string(key.type)));
  }
  return all;
}

bool DecodeChoice::embedded() const {
  return weights.empty() || weights == kDefaultWeights;
}

std::string DecodeChoice::weights_name() const {
  return embedded() ? "embedded weights" : weights;
}

void DecodeChoice::fill(EnginePool& pool, ProblemKind problem) const {
  if (embedded()) {
    pool.use_embedded(problem);
  } else {
    pool.set_model(Engine::pack(open(problem)));
  }
}

Weights DecodeChoice::open(ProblemKind problem) const {
  return embedded() ? embedded_weights(problem) : io::load_weights(weights);
}

}  // namespace eco::cli
