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

enum class Constructor : std::uint8_t { sequential, merging };
enum class Backbone : std::uint8_t { mamba, transformer };
enum class Scorer : std::uint8_t { pointer, candidate };
enum class Scan : std::uint8_t { single, alternate };

struct ModelConfig {
  ProblemKind problem = ProblemKind::tsp;
  Constructor constructor = Constructor::sequential;
  Backbone backbone = Backbone::mamba;
  Scorer scorer = Scorer::pointer;
  Ordering ordering = Ordering::morton;
  Scan scan = Scan::single;
  bool ffn = true;

  std::size_t dim = 128;
  std::size_t encoder_layers = 3;
  std::size_t decoder_layers = 3;
  std::size_t state = 16;     // SSM state a channel
  std::size_t conv = 4;       // causal convolution width
  std::size_t expand = 2;     // inner width / dim
  std::size_t ffn_ratio = 4;  // FFN width / dim
  std::size_t heads = 8;      // transformer only

  std::size_t candidates = 16;  // scorer candidate only
  std::size_t candidate_dim = 96;
  std::size_t candidate_layers = 1;
  std::size_t candidate_heads = 4;

  std::size_t passes = 2;  // merging: scorers in a row, of which the second sees both ends' choice

  // Defaults for inference that come with the weights; not part of the network.
  double reencode =
      0.1;               // scorer candidate: encode again after this share of the unvisited is gone
  std::size_t ends = 2;  // scorer candidate: see DecodeOptions
  std::size_t window = 0;  // scorer candidate, TSP: nearest open nodes that are encoded; 0: all
  double doubt = 1;        // scorer candidate, TSP with two ends: see DecodeOptions

  [[nodiscard]] std::size_t inner() const { return expand * dim; }
  [[nodiscard]] std::size_t dt_rank() const { return (dim + 15) / 16; }
  [[nodiscard]] bool depot() const { return problem == ProblemKind::cvrp; }
  [[nodiscard]] std::size_t token_features() const;    // inputs of a token
  [[nodiscard]] std::size_t dynamic_features() const;  // d_t
  [[nodiscard]] std::size_t actions() const;           // scorer candidate: logits a candidate

  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

[[nodiscard]] ModelConfig paper_preset(ProblemKind problem);
[[nodiscard]] ModelConfig best_preset(ProblemKind problem);
[[nodiscard]] ModelConfig merging_preset(ProblemKind problem);
// Keys that say how to decode and are no part of the network.
[[nodiscard]] bool is_decoding_key(std::string_view key);
[[nodiscard]] std::size_t most_ends(ProblemKind problem);  // that ModelConfig::ends may be

// Throws eco::Error (usage) naming the field that is out of range or does not fit the others.
void validate(const ModelConfig& config);

// Text form, for metadata and config files. `from_fields` refuses unknown keys (naming the nearest
// known one) and values that do not parse; missing keys keep their defaults.
[[nodiscard]] std::map<std::string, std::string> to_fields(const ModelConfig& config);
[[nodiscard]] ModelConfig config_from_fields(const std::map<std::string, std::string>& fields,
                                             ModelConfig defaults = {});

}  // namespace eco
