#include "eco/decode_options.h"

#include <array>
#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "eco/options.h"
#include "io/weights.h"

namespace eco::cli {

namespace {

struct MethodName {
  std::string_view name;
  Decode method;
  bool counted;  // takes :K
};
constexpr std::array kDecodeMethods{
    MethodName{"greedy", Decode::greedy, false},
    MethodName{"sample", Decode::sample, true},
    MethodName{"multistart", Decode::multistart, true},
    MethodName{"augment", Decode::augment, true},
    MethodName{"beam", Decode::beam, true},
};

template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

}  // namespace

DecodeOptions DecodeChoice::resolve() const {
  DecodeOptions result = options;
  const std::string_view text = method;
  const std::size_t colon = text.find(':');
  const MethodName* found = nullptr;
  for (const MethodName& entry : kDecodeMethods) {
    if (entry.name == text.substr(0, colon)) found = &entry;
  }
  bool good = found != nullptr && found->counted == (colon != std::string_view::npos);
  if (good && found->counted) good = parse_number(text.substr(colon + 1), result.samples);
  if (!good || result.samples == 0 || (found->method == Decode::augment && result.samples != 8)) {
    throw Error(ErrorKind::usage,
                "--decode " + eco::quoted(method) +
                    ": expected greedy, sample:K, multistart:K, augment:8 or beam:B");
  }
  result.method = found->method;
  if (reencode == "off") {
    result.reencode = 1;
  } else if (!reencode.empty() && (!parse_number<double>(reencode, result.reencode) ||
                                   !(result.reencode > 0 && result.reencode <= 1))) {
    throw Error(ErrorKind::usage,
                "--reencode " + eco::quoted(reencode) + ": expected a share in (0, 1] or off");
  }
  return result;
}

void add_decode_options(CLI::App& app, DecodeChoice& choice) {
  app.add_option("--weights,-w", choice.weights, "Weights file (.safetensors)")->type_name("FILE");
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
  app.add_option("--ends", choice.options.ends, "Build tours from one end or from both")
      ->check(CLI::Range(1, 2));
}

std::string decode_text(const DecodeOptions& options) {
  for (const MethodName& entry : kDecodeMethods) {
    if (entry.method != options.method) continue;
    std::string text(entry.name);
    return entry.counted ? text + ":" + std::to_string(options.samples) : text;
  }
  return "?";
}

std::shared_ptr<const Weights> open_weights(const DecodeChoice& choice) {
  if (choice.weights.empty()) {
    throw Error(ErrorKind::usage, "no weights: give a file with --weights");
  }
  return std::make_shared<const Weights>(io::load_weights(choice.weights));
}

}  // namespace eco::cli
