#include "train/nn/stack.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels/norm.h"
#include "train/nn/scope.h"
#include "train/ops/ops.h"

namespace eco::train {

namespace {

using at::Tensor;

// x [batch, length, dim] after its norm -> [batch, length, dim], to be added to the residual.
Tensor s6_mixer(const Scope& p, const Tensor& x) {
  return selective_mixer(x, selective_weights(p));
}
Tensor s4_mixer(const Scope& p, const Tensor& x) {
  return lti_mixer(x, {p["in.weight"], p["conv.weight"], p["conv.bias"], p["log_dt"], p["a_log"],
                       p["c"], p["skip"], p["out.weight"]});
}

Tensor attention_mixer(const ModelConfig& config, const Scope& p, const Tensor& x, bool causal) {
  const auto heads = static_cast<std::int64_t>(config.heads);
  const std::int64_t batch = x.size(0), length = x.size(1), width = x.size(2) / heads;
  const Tensor qkv =
      project(x, p["qkv.weight"]).view({batch, length, 3, heads, width}).permute({2, 0, 3, 1, 4});
  Tensor scores =
      at::matmul(qkv[0] / std::sqrt(static_cast<double>(width)), qkv[1].transpose(2, 3));
  if (causal) {
    const Tensor later = at::ones({length, length}, at::kBool).triu(1);
    scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
  }
  const Tensor mixed = at::matmul(at::softmax(scores, 3), qkv[2]);
  const Tensor out = project(mixed.permute({0, 2, 1, 3}).reshape(x.sizes()), p["attn_out.weight"]);
  return config.norm == Norm::none ? out + p["attn_out.bias"] : out;
}

Tensor with_feed_forward(const Scope& p, const Tensor& x) {
  return feed_forward(x, p["ffn_norm.weight"], p["ffn_up.weight"], p["ffn_up.bias"],
                      p["ffn_down.weight"], p["ffn_down.bias"]);
}

// Batch or instance norm, or none, of x [batch, length, dim], after a block.
Tensor normalised(const Policy& policy, const std::string& name, const Tensor& x) {
  if (policy.config().norm == Norm::none) return x;
  const Tensor &weight = policy[name + ".weight"], &bias = policy[name + ".bias"];
  constexpr double kEpsilon = kNormEpsilon;
  if (policy.config().norm == Norm::instance) {
    return at::instance_norm(x.transpose(1, 2), weight, bias, {}, {}, /*use_input_stats=*/true, 0,
                             kEpsilon, false)
        .transpose(1, 2);
  }
  if (policy.running_statistics()) {
    const Tensor scale = weight / (policy[name + ".variance"] + kEpsilon).sqrt();
    return (x - policy[name + ".mean"]) * scale + bias;
  }
  const Tensor rows = x.reshape({-1, x.size(2)});
  const auto [result, mean, inverse] =
      at::native_batch_norm(rows, weight, bias, {}, {}, /*training=*/true, 0, kEpsilon);
  // Only what is learned from counts; what is merely scored may be so by several threads at a time.
  if (!at::GradMode::is_enabled()) return result.view(x.sizes());
  const auto count = static_cast<double>(rows.size(0));
  policy.observe(name + ".mean", mean.detach());
  policy.observe(name + ".variance",
                 (inverse.detach().pow(-2) - kEpsilon) * (count / std::max(count - 1, 1.0)));
  return result.view(x.sizes());
}

// Layers as in AM and POMO: a norm after each block, none at the end. As in LEHD: no norm at all.
Tensor layers_normed_after(const Policy& policy, const std::string& stack, std::size_t layers,
                           const Tensor& input) {
  const ModelConfig& config = policy.config();
  Tensor x = input;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::string name = stack + std::to_string(layer) + ".";
    const Scope p(policy, name);
    x = normalised(policy, name + "norm", x + attention_mixer(config, p, x, /*causal=*/false));
    if (!config.ffn) continue;
    const Tensor wide = at::relu(project(x, p["ffn_up.weight"]) + p["ffn_up.bias"]);
    x = normalised(policy, name + "ffn_norm",
                   x + project(wide, p["ffn_down.weight"]) + p["ffn_down.bias"]);
  }
  return x;
}

}  // namespace

Tensor encode(const Policy& policy, const Tensor& input) {
  const ModelConfig& config = policy.config();
  if (config.norm != Norm::rms) {
    return layers_normed_after(policy, "encoder.", config.encoder_layers, input);
  }
  Tensor x = input;
  for (std::size_t layer = 0; layer < config.encoder_layers; ++layer) {
    const Scope p(policy, "encoder." + std::to_string(layer) + ".");
    const Tensor n = rms_norm(x, p["norm.weight"]);
    x = x + (config.backbone == Backbone::transformer
                 ? attention_mixer(config, p, n, /*causal=*/false)
                 : s6_mixer(p, n));
    if (config.ffn) x = with_feed_forward(p, x);
  }
  return rms_norm(x, policy["encoder.norm.weight"]);
}

Tensor decode(const Policy& policy, const Tensor& input) {
  const ModelConfig& config = policy.config();
  Tensor x = input;
  for (std::size_t layer = 0; layer < config.decoder_layers; ++layer) {
    const Scope p(policy, "decoder." + std::to_string(layer) + ".");
    const Tensor n = rms_norm(x, p["norm.weight"]);
    x = x + (config.backbone == Backbone::transformer
                 ? attention_mixer(config, p, n, /*causal=*/true)
                 : s4_mixer(p, n));
    if (config.ffn) x = with_feed_forward(p, x);
  }
  return rms_norm(x, policy["decoder.norm.weight"]);
}

Tensor self_attention(const Policy& policy, const std::string& layer, const Tensor& x) {
  return attention_mixer(policy.config(), Scope(policy, layer), x, /*causal=*/false);
}

Tensor decode_open(const Policy& policy, const Tensor& input) {
  return layers_normed_after(policy, "decoder.", policy.config().decoder_layers, input);
}

}  // namespace eco::train
