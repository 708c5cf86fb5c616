#include "core/model/packed.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/kernels/norm.h"
#include "core/kernels/ssm.h"
#include "core/model/merge_features.h"

namespace eco {

namespace {

class Packer {
 public:
  explicit Packer(const Weights& weights) : w_(weights), c_(weights.config()) {}

  [[nodiscard]] AlignedBuffer<float> vector(const std::string& name) const {
    const auto from = w_.tensor(name);
    AlignedBuffer<float> result(from.size());
    std::copy(from.begin(), from.end(), result.data());
    return result;
  }

  [[nodiscard]] PackedLinear linear(const std::string& name, std::size_t outputs,
                                    std::size_t inputs, bool bias = false,
                                    float scale = 1.0F) const {
    return {w_.tensor(name + ".weight"), outputs, inputs,
            bias ? w_.tensor(name + ".bias") : std::span<const float>{}, scale};
  }

  [[nodiscard]] PackedStack stack(const std::string& prefix, std::size_t layers,
                                  bool selective) const {
    PackedStack result;
    for (std::size_t i = 0; i < layers; ++i) {
      result.layers.push_back(layer(prefix + std::to_string(i) + ".", selective));
    }
    if (c_.norm == Norm::rms) result.norm = vector(prefix + "norm.weight");
    return result;
  }

 private:
  void norm(const std::string& name, AlignedBuffer<float>& scale,
            AlignedBuffer<float>& shift) const {
    if (c_.norm == Norm::none) return;
    scale = vector(name + ".weight");
    if (c_.norm == Norm::rms) return;
    shift = vector(name + ".bias");
    if (c_.norm == Norm::instance) return;
    const auto mean = w_.tensor(name + ".mean"), variance = w_.tensor(name + ".variance");
    for (std::size_t i = 0; i < scale.size(); ++i) {
      const double factor = scale[i] / std::sqrt(double{variance[i]} + kNormEpsilon);
      shift[i] = static_cast<float>(shift[i] - mean[i] * factor);
      scale[i] = static_cast<float>(factor);
    }
  }

  [[nodiscard]] PackedLayer layer(const std::string& name, bool selective) const {
    const std::size_t dim = c_.dim;
    PackedLayer result;
    norm(name + "norm", result.norm, result.norm_shift);
    if (c_.constructor == ConstructorKind::merging) result.neighbourhood = neighbourhood(name);
    if (c_.backbone == Backbone::transformer) {
      result.attention =
          PackedAttention{linear(name + "qkv", 3 * dim, dim),
                          linear(name + "attn_out", dim, dim, /*bias=*/c_.norm == Norm::none)};
    } else {
      result.mixer = mixer(name, selective);
    }
    if (c_.ffn) {
      const std::size_t width = c_.ffn_ratio * dim;
      result.ffn.emplace();
      norm(name + "ffn_norm", result.ffn->norm, result.ffn->norm_shift);
      result.ffn->up = linear(name + "ffn_up", width, dim, true);
      result.ffn->down = linear(name + "ffn_down", dim, width, true);
    }
    return result;
  }

  [[nodiscard]] PackedNeighbourhood neighbourhood(const std::string& name) const {
    const std::size_t dim = c_.dim, width = dim / c_.heads;
    const std::size_t features = edge_feature_width(c_.depot());
    PackedNeighbourhood n;
    n.link_norm = vector(name + "link_norm.weight");
    n.link = linear(name + "link", dim, dim);
    n.norm = vector(name + "near_norm.weight");
    AlignedBuffer<float> qkv = vector(name + "near_qkv.weight");
    const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(width)));
    for (float& value : qkv.span().first(dim * dim)) value *= scale;
    n.qkv = PackedLinear(qkv.span(), 3 * dim, dim);
    const auto edge = w_.tensor(name + "near_edge.weight");
    for (std::size_t head = 0; head < c_.heads; ++head) {
      n.edge.emplace_back(edge.subspan(head * width * features, width * features), width, features);
    }
    n.out = linear(name + "near_out", dim, dim);
    return n;
  }

  [[nodiscard]] PackedMixer mixer(const std::string& name, bool selective) const {
    const std::size_t dim = c_.dim, inner = c_.inner();
    PackedMixer m;
    const auto in = w_.tensor(name + "in.weight");
    m.in_u = PackedLinear(in.first(inner * dim), inner, dim);
    m.in_z = PackedLinear(in.last(inner * dim), inner, dim);
    m.out = linear(name + "out", dim, inner);
    m.conv = blocked(w_.tensor(name + "conv.weight"), inner, kConv);
    m.conv_bias = vector(name + "conv.bias");
    m.skip = vector(name + "skip");
    if (selective) {
      m.x = linear(name + "x", c_.dt_rank() + 2 * kState, inner);
      m.dt = linear(name + "dt", inner, c_.dt_rank(), true);
      AlignedBuffer<float> a = vector(name + "a_log");
      for (float& value : a.span()) {
        value = static_cast<float>(-std::exp(double{value}) * std::numbers::log2e);
      }
      m.a_log2 = blocked(a.span(), inner, kState);
    } else {
      time_invariant(name, m);
    }
    return m;
  }

  void time_invariant(const std::string& name, PackedMixer& m) const {
    const auto a_log = w_.tensor(name + "a_log"), log_dt = w_.tensor(name + "log_dt"),
               c = w_.tensor(name + "c");
    AlignedBuffer<float> decay(a_log.size()), weight(a_log.size());
    for (std::size_t i = 0; i < a_log.size(); ++i) {
      const double a = -std::exp(double{a_log[i]}), dt = std::exp(double{log_dt[i / kState]});
      decay[i] = static_cast<float>(std::exp(dt * a));
      weight[i] = static_cast<float>(c[i] * std::expm1(dt * a) / a);
    }
    m.a = blocked(decay.span(), c_.inner(), kState);
    m.cb = blocked(weight.span(), c_.inner(), kState);
  }

  const Weights& w_;
  const ModelConfig& c_;
};

PackedGlimpse pack_glimpse(const Packer& pack, const Weights& weights) {
  const ModelConfig& c = weights.config();
  const std::size_t dim = c.dim;
  PackedGlimpse result;
  std::vector<float> rows;
  const auto append = [&](const std::string& name, double scale = 1) {
    const std::size_t column = rows.size() / dim;
    for (const float value : weights.tensor(name + ".weight")) {
      rows.push_back(static_cast<float>(value * scale));
    }
    return column;
  };
  append("context.last");
  if (!c.depot()) result.first = append("context.first");
  const std::size_t width = dim / c.heads;
  result.key = append("glimpse.key", 1 / std::sqrt(static_cast<double>(width)));
  result.value = append("glimpse.value");
  result.node = PackedLinear(rows, rows.size() / dim, dim);
  if (c.decoder == DecoderKind::am) result.graph = pack.linear("context.graph", dim, dim);
  if (weights.has("start")) result.start = pack.vector("start");
  if (c.depot()) result.room = pack.vector("context.room");
  return result;
}

// The logit of node j is (out a + b) . (key h_j) / sqrt(dim), a being what the glimpse saw: a is to
// be multiplied with out^T key h_j, and b . key h_j is a number of the node.
void pack_pointer(const Weights& weights, PackedLinear& key, AlignedBuffer<float>& node_bias) {
  const std::size_t dim = weights.config().dim;
  const auto out = weights.tensor("glimpse.out.weight");
  const bool projects = weights.has("key.weight"), biased = weights.has("glimpse.out.bias");
  const double scale = 1 / std::sqrt(static_cast<double>(dim));
  // Column i of what stands before h: that of `key`, or of the identity.
  const std::span<const float> before =
      projects ? weights.tensor("key.weight") : std::span<const float>{};
  const auto at = [&](std::size_t row, std::size_t column) -> double {
    if (projects) return before[row * dim + column];
    return row == column ? 1 : 0;
  };
  std::vector<float> folded(dim * dim);
  std::vector<double> sums(dim);
  for (std::size_t i = 0; i < dim; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t k = 0; k < dim; ++k) {
      for (std::size_t j = 0; j < dim; ++j) sums[j] += out[k * dim + i] * at(k, j);
    }
    for (std::size_t j = 0; j < dim; ++j) folded[i * dim + j] = static_cast<float>(sums[j] * scale);
  }
  key = PackedLinear(folded, dim, dim);
  node_bias = AlignedBuffer<float>(dim);
  if (!biased) return;
  const auto bias = weights.tensor("glimpse.out.bias");
  for (std::size_t j = 0; j < dim; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < dim; ++k) sum += bias[k] * at(k, j);
    node_bias[j] = static_cast<float>(sum * scale);
  }
}

PackedHeavy pack_heavy(const Packer& pack, const ModelConfig& c) {
  PackedHeavy result;
  result.stack = pack.stack("decoder.", c.decoder_layers, false);
  result.last = pack.linear("last", c.dim, c.dim, true);
  result.destination = pack.linear("destination", c.dim, c.dim, true);
  result.score = pack.linear("score", c.depot() ? 2 : 1, c.dim, c.depot());
  if (!c.depot()) return result;
  result.last_room = pack.vector("last.room");
  result.destination_room = pack.vector("destination.room");
  return result;
}

// Of all layers at once, since products with few outputs are slow.
PackedLinear pack_near_bias(const Weights& weights) {
  const ModelConfig& c = weights.config();
  std::vector<float> rows;
  for (std::size_t l = 0; l < c.encoder_layers; ++l) {
    const auto bias = weights.tensor("encoder." + std::to_string(l) + ".near_bias.weight");
    rows.insert(rows.end(), bias.begin(), bias.end());
  }
  return {rows, c.encoder_layers * c.heads, edge_feature_width(c.depot())};
}

PackedEdgeScorer pack_edge_scorer(const Packer& pack, const ModelConfig& c, std::size_t pass) {
  const std::size_t width = c.scorer_dim;
  const std::string name = "scorer." + std::to_string(pass) + ".";
  PackedEdgeScorer scorer;
  scorer.feature = pack.linear(name + "feature", width,
                               edge_feature_width(c.depot()) + (pass > 0 ? 4 : 0), true);
  scorer.self = pack.linear(name + "self", width, c.dim);
  scorer.node = pack.linear(name + "node", width, c.dim);
  for (std::size_t i = 0; i < c.scorer_layers; ++i) {
    const std::string layer = name + std::to_string(i) + ".";
    scorer.layers.push_back({pack.vector(layer + "norm.weight"),
                             pack.linear(layer + "qkv", 3 * width, width),
                             pack.linear(layer + "attn_out", width, width)});
  }
  scorer.norm = pack.vector(name + "norm.weight");
  scorer.hidden = pack.linear(name + "hidden", width, width, true);
  scorer.score = pack.vector(name + "score.weight");
  return scorer;
}

}  // namespace

PackedModel::PackedModel(const Weights& weights)
    : config(weights.config()), decode(weights.decode()) {
  const Packer pack(weights);
  const ModelConfig& c = config;
  input = pack.linear("input", c.dim, c.token_features(), true);
  encoder = pack.stack("encoder.", c.encoder_layers, true);
  if (c.constructor == ConstructorKind::merging) {
    input_hidden = pack.linear("input_hidden", c.dim, c.token_features(), true);
    input_out = pack.linear("input_out", c.dim, c.dim);
    near_bias = pack_near_bias(weights);
    for (std::size_t pass = 0; pass < c.passes; ++pass) {
      scorers.push_back(pack_edge_scorer(pack, c, pass));
    }
    return;
  }
  if (c.glimpse()) {
    glimpse = pack_glimpse(pack, weights);
    pack_pointer(weights, key, node_bias);
    return;
  }
  if (c.heavy()) {
    heavy = pack_heavy(pack, c);
    return;
  }
  decoder = pack.stack("decoder.", c.decoder_layers, false);
  start = pack.vector("start");
  if (c.dynamic_features() > 0) dynamic = pack.linear("dynamic", c.dim, c.dynamic_features());
  query = pack.linear("query", c.dim, c.dim, false,
                      static_cast<float>(1.0 / std::sqrt(static_cast<double>(c.dim))));
  key = pack.linear("key", c.dim, c.dim);
  node_bias = pack.vector("node_bias.weight");
}

}  // namespace eco
