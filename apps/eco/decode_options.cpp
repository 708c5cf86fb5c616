#include "eco/decode_options.h"

#include "core/base/error.h"
#include "core/infer/decode_text.h"
#include "eco/options.h"
#include "io/weights.h"
#include "solver/embedded_weights.h"

namespace eco::cli {

DecodeOptions DecodeChoice::resolve() const {
  DecodeOptions result = options;
  set_decode(method, result);
  if (result.method != Decode::sample && (result.temperature != 1 || result.top_k != 0)) {
    throw Error(ErrorKind::usage,
                "--temperature and --top-k are for --decode sample:K, not " + method);
  }
  return result;
}

std::vector<CLI::Option*> add_decode_options(CLI::App& app, DecodeChoice& choice) {
  return {
      app.add_option("--weights,-w", choice.weights,
                     "Weights file (.safetensors) [default: those inside this program]")
          ->type_name("FILE"),
      app.add_option("--decode", choice.method, "How solutions are built from the policy")
          ->type_name("greedy|sample:K|multistart:K|augment:8|beam:B")
          ->capture_default_str(),
      add_number(app, "--temperature", choice.options.temperature, {0, 1e6, false}, "Of sampling")
          ->default_str("1"),
      add_count(app, "--top-k", choice.options.top_k, {0, kMaxNodes},
                "Preset paper: sample among the k most probable actions only (0: all)"),
      add_count(app, "--candidates", choice.options.candidates, {0, kMaxNodes},
                "Preset paper: score only the k nearest open nodes (0: all)"),
      add_choice(app, "--effort", choice.options.effort, effort_from,
                 {"fast", "balanced", "thorough"},
                 "How much is decided from one encoding: thorough encodes most often [balanced]")};
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
