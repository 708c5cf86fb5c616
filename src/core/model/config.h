#pragma once
// Every switch of the model. The same struct is read from a training config, written into the
// metadata of a weights file and obeyed by the engine. docs/model.md says what each one does.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/instance/instance.h"
#include "core/ordering/ordering.h"

namespace eco {

enum class ConstructorKind : std::uint8_t { sequential, merging };
enum class Backbone : std::uint8_t { mamba, transformer };
// rms stands before a block; batch and instance after it, as AM and POMO have them; LEHD has none.
enum class Norm : std::uint8_t { rms, batch, instance, none };
// What points at the next node: a recurrent stack; a glimpse at the open nodes as AM (which also
// sees the mean of the graph and chooses the first node) or POMO has it; or LEHD's heavy decoder, a
// stack that reads everything that is open anew at every step.
enum class DecoderKind : std::uint8_t { recurrent, am, pomo, lehd };

struct ModelConfig {
  ProblemKind problem = kProblems.front();
  ConstructorKind constructor = ConstructorKind::sequential;
  Backbone backbone = Backbone::mamba;
  Norm norm = Norm::rms;
  DecoderKind decoder = DecoderKind::recurrent;
  Ordering ordering = Ordering::morton;
  bool ffn = true;

  std::size_t dim = 128;
  std::size_t encoder_layers = 3;
  std::size_t decoder_layers = 3;  // recurrent or heavy decoder only
  std::size_t expand = 2;          // inner width / dim
  std::size_t ffn_ratio = 4;       // FFN width / dim
  std::size_t heads = 8;           // of attention: transformer, and merging among the candidates

  // Merging only.
  std::size_t candidates = 12;    // nearest open nodes of a token
  std::size_t scorer_dim = 64;    // width of a scorer
  std::size_t scorer_layers = 0;  // attention among the candidates of a token
  std::size_t scorer_heads = 4;
  std::size_t passes = 2;  // scorers in a row, of which the second sees both ends' choice

  [[nodiscard]] std::size_t inner() const { return expand * dim; }
  [[nodiscard]] std::size_t dt_rank() const { return (dim + 15) / 16; }
  [[nodiscard]] bool depot() const { return facts_of(problem).depot; }
  [[nodiscard]] std::size_t token_features() const;    // inputs of a token
  [[nodiscard]] std::size_t dynamic_features() const;  // d_t; sequential only
  [[nodiscard]] bool glimpse() const {
    return decoder == DecoderKind::am || decoder == DecoderKind::pomo;
  }
  [[nodiscard]] bool heavy() const { return decoder == DecoderKind::lehd; }
  // A step chooses a customer and whether the way there is by the depot, which is then no step of
  // its own.
  [[nodiscard]] bool detours() const { return heavy() && depot(); }
  // Reads coordinates as they are where these fill a unit square, as networks of others were
  // trained.
  [[nodiscard]] bool given_square() const { return decoder != DecoderKind::recurrent; }
  // Whether the policy itself chooses the first node. A tour has none, so mostly it is given.
  [[nodiscard]] bool chooses_first() const { return depot() || decoder == DecoderKind::am; }

  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

[[nodiscard]] ModelConfig paper_preset(ProblemKind problem);
[[nodiscard]] ModelConfig best_preset(ProblemKind problem);
// The networks of Kool et al. 2019, Kwon et al. 2020 and Luo et al. 2023.
[[nodiscard]] ModelConfig am_preset(ProblemKind problem);
[[nodiscard]] ModelConfig pomo_preset(ProblemKind problem);
[[nodiscard]] ModelConfig lehd_preset(ProblemKind problem);

// Throws eco::Error (usage) naming the field that is out of range or does not fit the others.
void validate(const ModelConfig& config);

// Text form, for metadata and config files. `from_fields` refuses unknown keys (naming the nearest
// known one) and values that do not parse; missing keys keep their defaults.
[[nodiscard]] std::map<std::string, std::string> to_fields(const ModelConfig& config);
[[nodiscard]] ModelConfig config_from_fields(const std::map<std::string, std::string>& fields,
                                             ModelConfig defaults = {});

}  // namespace eco
