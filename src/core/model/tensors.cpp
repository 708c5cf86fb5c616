#include "core/model/tensors.h"

#include <utility>

#include "core/kernels/ssm.h"
#include "core/model/merge_features.h"

namespace eco {

namespace {

class Builder {
 public:
  explicit Builder(const ModelConfig& config) : c_(config) {}

  std::vector<TensorSpec> build() {
    input();
    stack("encoder.", c_.encoder_layers, /*selective=*/true);
    if (c_.constructor == ConstructorKind::merging) {
      for (std::size_t pass = 0; pass < c_.passes; ++pass) edge_scorer(pass);
      return std::move(specs_);
    }
    if (c_.glimpse()) {
      glimpse();
      return std::move(specs_);
    }
    stack("decoder.", c_.decoder_layers, /*selective=*/false);
    if (c_.heavy()) {
      stretch();
    } else {
      head();
    }
    return std::move(specs_);
  }

 private:
  void add(const std::string& name, std::vector<std::size_t> shape, Init init) {
    const bool decay = shape.size() > 1 && init != Init::a_log && init != Init::normal;
    specs_.push_back({name, std::move(shape), init, decay, false});
  }
  void norm(const std::string& name) {
    if (c_.norm == Norm::none) return;
    add(name + ".weight", {c_.dim}, Init::ones);
    if (c_.norm == Norm::rms) return;
    add(name + ".bias", {c_.dim}, Init::zeros);
    if (c_.norm == Norm::instance) return;
    add(name + ".mean", {c_.dim}, Init::zeros);
    specs_.back().statistic = true;
    add(name + ".variance", {c_.dim}, Init::ones);
    specs_.back().statistic = true;
  }
  void linear(const std::string& name, std::size_t out, std::size_t in, bool bias,
              Init init = Init::linear) {
    add(name + ".weight", {out, in}, init);
    if (bias) add(name + ".bias", {out}, Init::zeros);
  }

  void input() {
    linear("input", c_.dim, c_.token_features(), true);
    if (c_.constructor == ConstructorKind::merging) {
      linear("input_hidden", c_.dim, c_.token_features(), true);
      linear("input_out", c_.dim, c_.dim, false);
    }
  }

  void stack(const std::string& prefix, std::size_t layers, bool selective) {
    for (std::size_t i = 0; i < layers; ++i) {
      const std::string layer = prefix + std::to_string(i) + ".";
      if (c_.constructor == ConstructorKind::merging) neighbourhood(layer);
      norm(layer + "norm");
      // A norm after the block keeps the sum of the branches in bounds.
      const bool after = c_.norm == Norm::batch || c_.norm == Norm::instance;
      const Init out = after ? Init::linear : Init::residual;
      if (c_.backbone == Backbone::transformer) {
        linear(layer + "qkv", 3 * c_.dim, c_.dim, false);
        // A norm takes off again what is the same for all tokens.
        linear(layer + "attn_out", c_.dim, c_.dim, c_.norm == Norm::none, out);
      } else {
        mixer(layer, selective);
      }
      if (c_.ffn) {
        norm(layer + "ffn_norm");
        linear(layer + "ffn_up", c_.ffn_ratio * c_.dim, c_.dim, true);
        linear(layer + "ffn_down", c_.dim, c_.ffn_ratio * c_.dim, true, out);
      }
    }
    if (c_.norm == Norm::rms) norm(prefix + "norm");
  }

  void mixer(const std::string& layer, bool selective) {
    const std::size_t inner = c_.inner();
    linear(layer + "in", 2 * inner, c_.dim, false);
    add(layer + "conv.weight", {inner, kConv}, Init::linear);
    add(layer + "conv.bias", {inner}, Init::zeros);
    if (selective) {
      linear(layer + "x", c_.dt_rank() + 2 * kState, inner, false);
      add(layer + "dt.weight", {inner, c_.dt_rank()}, Init::dt_weight);
      add(layer + "dt.bias", {inner}, Init::dt_bias);
    } else {
      add(layer + "log_dt", {inner}, Init::log_dt);
      add(layer + "c", {inner, kState}, Init::normal);
    }
    add(layer + "a_log", {inner, kState}, Init::a_log);
    add(layer + "skip", {inner}, Init::ones);
    linear(layer + "out", c_.dim, inner, false, Init::residual);
  }

  // Of an encoder layer of the merging network: the two ends of a fragment, and the candidates.
  void neighbourhood(const std::string& layer) {
    const std::size_t edge = edge_feature_width(c_.depot());
    add(layer + "link_norm.weight", {c_.dim}, Init::ones);
    linear(layer + "link", c_.dim, c_.dim, false, Init::residual);
    add(layer + "near_norm.weight", {c_.dim}, Init::ones);
    linear(layer + "near_qkv", 3 * c_.dim, c_.dim, false);
    linear(layer + "near_bias", c_.heads, edge, false);
    linear(layer + "near_edge", c_.dim, edge, false);
    linear(layer + "near_out", c_.dim, c_.dim, false, Init::residual);
  }

  void edge_scorer(std::size_t pass) {
    const std::size_t width = c_.scorer_dim;
    const std::string name = "scorer." + std::to_string(pass) + ".";
    linear(name + "feature", width, edge_feature_width(c_.depot()) + (pass > 0 ? 4 : 0), true);
    linear(name + "self", width, c_.dim, false);
    linear(name + "node", width, c_.dim, false);
    for (std::size_t i = 0; i < c_.scorer_layers; ++i) {
      const std::string layer = name + std::to_string(i) + ".";
      add(layer + "norm.weight", {width}, Init::ones);
      linear(layer + "qkv", 3 * width, width, false);
      linear(layer + "attn_out", width, width, false, Init::residual);
    }
    add(name + "norm.weight", {width}, Init::ones);
    linear(name + "hidden", width, width, true);
    linear(name + "score", 1, width, false);
  }

  void head() {
    add("start", {c_.dim}, Init::token);
    if (c_.dynamic_features() > 0) linear("dynamic", c_.dim, c_.dynamic_features(), false);
    linear("query", c_.dim, c_.dim, false);
    linear("key", c_.dim, c_.dim, false);
    add("node_bias.weight", {c_.dim}, Init::zeros);
  }

  void glimpse() {
    const bool am = c_.decoder == DecoderKind::am;
    linear("context.last", c_.dim, c_.dim, false);
    if (c_.depot()) {
      add("context.room", {c_.dim}, Init::linear);
    } else {
      linear("context.first", c_.dim, c_.dim, false);
    }
    if (am) linear("context.graph", c_.dim, c_.dim, false);
    if (am && !c_.depot()) add("start", {c_.dim}, Init::linear);
    linear("glimpse.key", c_.dim, c_.dim, false);
    linear("glimpse.value", c_.dim, c_.dim, false);
    linear("glimpse.out", c_.dim, c_.dim, !am);
    if (am) linear("key", c_.dim, c_.dim, false);  // POMO points at the nodes as they are
  }

  // Of the heavy decoder: the two ends of what is open, and the logits of a node, by way of the
  // depot too.
  void stretch() {
    for (const std::string end : {"last", "destination"}) {
      linear(end, c_.dim, c_.dim, true);
      if (c_.depot()) add(end + ".room", {c_.dim}, Init::linear);
    }
    linear("score", c_.depot() ? 2 : 1, c_.dim, c_.depot());
  }

  const ModelConfig& c_;
  std::vector<TensorSpec> specs_;
};

}  // namespace

std::size_t TensorSpec::elements() const {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return count;
}

std::vector<TensorSpec> tensor_specs(const ModelConfig& config) {
  return Builder(config).build();
}

}  // namespace eco
