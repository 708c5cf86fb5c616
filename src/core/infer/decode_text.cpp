#include "core/infer/decode_text.h"

#include <array>
#include <charconv>

#include "core/base/error.h"

namespace eco {

namespace {

struct DecodeName {
  std::string_view name;
  Decode method;
  bool counted;  // takes :K
};
constexpr std::array kDecodeNames{
    DecodeName{"greedy", Decode::greedy, false},
    DecodeName{"sample", Decode::sample, true},
    DecodeName{"multistart", Decode::multistart, true},
    DecodeName{"augment", Decode::augment, true},
    DecodeName{"beam", Decode::beam, true},
};

}  // namespace

void set_decode(std::string_view text, DecodeOptions& options) {
  const std::size_t colon = text.find(':');
  const DecodeName* found = nullptr;
  for (const DecodeName& entry : kDecodeNames) {
    if (entry.name == text.substr(0, colon)) found = &entry;
  }
  std::size_t samples = 1;
  bool good = found != nullptr && found->counted == (colon != std::string_view::npos);
  if (good && found->counted) {
    const std::string_view count = text.substr(colon + 1);
    const auto [stop, error] = std::from_chars(count.data(), count.data() + count.size(), samples);
    good = error == std::errc{} && stop == count.data() + count.size();
  }
  if (!good || samples == 0 || (found->method == Decode::augment && samples != 8)) {
    throw Error(ErrorKind::usage,
                "decode " + quoted(text) +
                    ": expected greedy, sample:K, multistart:K, augment:8 or beam:B");
  }
  options.method = found->method;
  options.samples = samples;
}

std::optional<Effort> effort_from(std::string_view text) {
  if (text == "fast") return Effort::fast;
  if (text == "balanced") return Effort::balanced;
  if (text == "thorough") return Effort::thorough;
  return std::nullopt;
}

std::string decode_text(const DecodeOptions& options) {
  for (const DecodeName& entry : kDecodeNames) {
    if (entry.method != options.method) continue;
    const std::string text(entry.name);
    return entry.counted ? text + ":" + std::to_string(options.samples) : text;
  }
  return "?";
}

}  // namespace eco
