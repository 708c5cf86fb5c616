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
  set_share("--reencode", reencode, result.reencode);
  set_share("--doubt", doubt, result.doubt);
  if (window == "off") {
    result.window = kNoWindow;
  } else if (!window.empty() && (!parse_number(window, result.window) || result.window < 8)) {
    throw Error(ErrorKind::usage,
                "--window " + eco::quoted(window) + ": expected 8 or more nodes, or off");
  }
  return result;
}

void add_decode_options(CLI::App& app, DecodeChoice& choice) {
  app.add_option("--weights,-w", choice.weights,
                 "Weights file (.safetensors) [default: those inside this program]")
      ->type_name("FILE");
  app.add_option("--decode", choice.method, "How solutions are built from the policy")
      ->type_name("greedy|sample:K|multistart:K|augment:8|beam:B")
      ->capture_default_str();
  app.add_option("--temperature", choice.options.temperature, "Of sampling")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--top-k", choice.options.top_k,
                 "Sample among the k most probable actions only (0: all)")
      ->capture_default_str();
  app.add_option("--candidates", choice.options.candidates,
                 "Score only the k nearest open nodes (0: as the weights say)")
      ->capture_default_str();
  app.add_option("--reencode", choice.reencode,
                 "Encode again after this share of the open nodes is visited")
      ->type_name("SHARE|off");
  app.add_option("--window", choice.window, "TSP: encode only so many of the nearest open nodes")
      ->type_name("N|off");
  app.add_option("--doubt", choice.doubt,
                 "TSP: put a choice off, and encode again, where the policy doubts it by more than "
                 "this")
      ->type_name("SHARE|off");
  app.add_option("--ends", choice.options.ends,
                 "TSP: build tours from one end or from both (1 or 2); CVRP: first customers tried "
                 "for a route (1 to 64). The policy keeps what it is surest of")
      ->check(CLI::Range(1, 64));
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
