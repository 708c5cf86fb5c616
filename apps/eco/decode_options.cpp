#include "eco/decode_options.h"

#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "core/infer/decode_text.h"
#include "eco/options.h"
#include "io/weights.h"
#include "solver/embedded_weights.h"

namespace eco::cli {

namespace {

template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

// `text`: empty, "off" (1) or a share.
void set_share(const std::string& option, const std::string& text, double& share) {
  if (text == "off") {
    share = 1;
  } else if (!text.empty() && (!parse_number<double>(text, share) || !(share > 0 && share <= 1))) {
    throw Error(ErrorKind::usage,
                option + " " + eco::quoted(text) + ": expected a share in (0, 1] or off");
  }
}

}  // namespace

DecodeOptions DecodeChoice::resolve() const {
  DecodeOptions result = options;
  set_decode(method, result);
  if (result.method != Decode::sample && (result.temperature != 1 || result.top_k != 0)) {
    throw Error(ErrorKind::usage,
                "--temperature and --top-k are for --decode sample:K, not " + method);
  }
  set_share("--reencode", reencode, result.reencode);
  set_share("--doubt", doubt, result.doubt);
  if (window == "off") {
    result.window = kNoWindow;
  } else if (!window.empty() && (!parse_number(window, result.window) || result.window < 8 ||
                                 result.window > kMaxNodes)) {
    throw Error(ErrorKind::usage, "--window " + eco::quoted(window) + ": expected 8 to " +
                                      std::to_string(kMaxNodes) + " nodes, or off");
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
                "Sample among the k most probable actions only (0: all)"),
      add_count(app, "--candidates", choice.options.candidates, {0, kMaxNodes},
                "Score only the k nearest open nodes (0: as the weights say)"),
      app.add_option("--reencode", choice.reencode,
                     "Encode again after this share of the open nodes is visited")
          ->type_name("SHARE|off"),
      app.add_option("--window", choice.window,
                     "TSP: encode only so many of the nearest open nodes")
          ->type_name("N|off"),
      app.add_option("--doubt", choice.doubt,
                     "TSP: put a choice off, and encode again, where the policy doubts it by more "
                     "than this")
          ->type_name("SHARE|off"),
      add_count(app, "--ends", choice.options.ends, {1, 64},
                "TSP: build tours from one end or from both (1 or 2); CVRP: first customers tried "
                "for a route (1 to 64). The policy keeps what it is surest of")
          ->default_str("")};
}

bool DecodeChoice::embedded() const {
  return weights.empty() || weights == kDefaultWeights;
}

std::string DecodeChoice::weights_name() const {
  return embedded() ? "embedded weights" : weights;
}

Weights DecodeChoice::open(ProblemKind problem) const {
  return embedded() ? embedded_weights(problem) : io::load_weights(weights);
}

}  // namespace eco::cli
