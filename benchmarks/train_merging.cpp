// How close construction by merging comes in training to what the machine can do: a whole step
// (forward, backward, AdamW) of the network that ships on states of all sizes; and forward and
// backward of a made-up encoder layer and of a made-up scorer over packed tokens, whole and by
// part. One thread, as a share of the machine's own sgemm in the same run. Times are CPU seconds.
//
//   bench_train_merging [tokens] [shortest sequence] [longest]

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "adamw.h"
#include "core/base/rng.h"
#include "core/infer/flops.h"
#include "core/instance/generate.h"
#include "sgemm.h"
#include "train/data/merge_batch.h"
#include "train/nn/gradient.h"
#include "train/ops/ops.h"

namespace {

using namespace eco;
using namespace eco::train;
using at::Tensor;
using eco::times::Times;

constexpr std::int64_t kDim = 128, kInner = 256, kRank = 8, kState = 16;
constexpr std::int64_t kCandidates = 12, kInputs = 28, kHeads = 4;
constexpr std::int64_t kWidth = 64;  // of the scorer

Tensor parameter(at::IntArrayRef shape, double deviation) {
  return (at::randn(shape) * deviation).requires_grad_();
}
Tensor weight(std::int64_t outputs, std::int64_t inputs) {
  return parameter({outputs, inputs}, 1.0 / std::sqrt(static_cast<double>(inputs)));
}
Tensor ones(std::int64_t size) {
  return at::ones({size}).requires_grad_();
}

// Candidates are near in the order.
struct Packed {
  Packed(std::int64_t tokens, std::int64_t shortest, std::int64_t longest)
      : features(at::randn({tokens, kCandidates, kInputs})) {
    Rng rng(1);
    while (sequences.first.back() < tokens) {
      const std::int64_t left = tokens - sequences.first.back();
      const std::int64_t length =
          shortest + rng.below(static_cast<std::uint32_t>(longest - shortest + 1));
      sequences.first.push_back(sequences.first.back() +
                                (left - length < shortest ? left : length));
    }
    order = at::arange(tokens, at::kLong);
    other = at::arange(tokens, at::kLong);
    candidates = at::zeros({tokens, kCandidates}, at::kLong);
    count = at::full({tokens}, kCandidates, at::kInt);
    std::int64_t *read = order.data_ptr<std::int64_t>(), *ends = other.data_ptr<std::int64_t>();
    for (std::size_t s = 0; s + 1 < sequences.first.size(); ++s) {
      const std::int64_t first = sequences.first[s], end = sequences.first[s + 1];
      rng.shuffle(std::span(read + first, static_cast<std::size_t>(end - first)));
      for (std::int64_t i = first; i + 1 < end; i += 2) std::swap(ends[i], ends[i + 1]);
      for (std::int64_t i = first; i < end; ++i) {
        for (std::int64_t a = 0; a < kCandidates; ++a) {
          const std::int64_t near = i - 20 + rng.below(41);
          candidates[i][a] = std::clamp(near, first, end - 1);
        }
      }
    }
  }
  Sequences sequences{{0}};
  Tensor order, other, candidates, count, features;
};

struct LayerWeights {
  Tensor norm = ones(kDim), attention_norm = ones(kDim);
  SelectiveWeights mixer{weight(2 * kInner, kDim),
                         parameter({kInner, 4}, 0.5),
                         parameter({kInner}, 0.1),
                         weight(kRank + 2 * kState, kInner),
                         weight(kInner, kRank),
                         (at::randn({kInner}) - 4).requires_grad_(),
                         at::arange(1, kState + 1, at::kFloat)
                             .log()
                             .expand({kInner, kState})
                             .contiguous()
                             .requires_grad_(),
                         ones(kInner),
                         weight(kDim, kInner)};
  Tensor qkv = weight(3 * kDim, kDim), edge = weight(kHeads, kInputs), out = weight(kDim, kDim);
  Tensor edge_out = weight(kDim, kHeads*kInputs), link = weight(kDim, kDim);

  [[nodiscard]] std::vector<Tensor> all() const {
    return {norm,
            attention_norm,
            mixer.in,
            mixer.conv,
            mixer.conv_bias,
            mixer.low,
            mixer.dt_weight,
            mixer.dt_bias,
            mixer.a_log,
            mixer.skip,
            mixer.out,
            qkv,
            edge,
            out,
            edge_out,
            link};
  }
};

struct ScorerWeights {
  Tensor feature = weight(kWidth, kInputs), bias = parameter({kWidth}, 0.1);
  Tensor own = weight(kWidth, kDim), candidate = weight(kWidth, kDim);
  Tensor norm = ones(kWidth), qkv = weight(3 * kWidth, kWidth), out = weight(kWidth, kWidth);
  Tensor hidden_norm = ones(kWidth), hidden = weight(kWidth, kWidth);
  Tensor hidden_bias = parameter({kWidth}, 0.1), score = parameter({kWidth}, 0.1);

  [[nodiscard]] std::vector<Tensor> all() const {
    return {feature, bias, own, candidate, norm, qkv, out, hidden_norm, hidden, hidden_bias, score};
  }
};

Tensor attend(const LayerWeights& w, const Packed& in, const Tensor& x) {
  const Tensor n = rms_norm(x, w.attention_norm);
  const NeighbourMix mix =
      neighbour_attention(project(n, w.qkv).view({x.size(0), 3, kHeads, kDim / kHeads}),
                          project(in.features, w.edge), in.candidates, in.count, in.features);
  return x + project(mix.mixed, w.out) + project(mix.edges.flatten(1), w.edge_out);
}

Tensor layer(const LayerWeights& w, const Packed& in, const Tensor& x) {
  const Tensor n = rms_norm(x, w.norm);
  const Tensor mixed = x + selective_mixer(n, w.mixer, in.sequences, in.order);
  return attend(w, in, mixed) + project(permute_rows(n, in.other), w.link);
}

Tensor fused_scorer(const ScorerWeights& w, const Packed& in, const Tensor& x) {
  return edge_scores(in.features, project(x, w.own), project(x, w.candidate), in.candidates,
                     in.count,
                     {w.feature,
                      w.bias,
                      {{w.norm, w.qkv, w.out}},
                      w.hidden_norm,
                      w.hidden,
                      w.hidden_bias,
                      w.score,
                      kHeads});
}

// Useful FLOPs a token, forward: see docs/training-ops.md.
constexpr double kMixerFlops = 2 * kDim * 2 * kInner + 8 * kInner +
                               2 * kInner * (kRank + 2 * kState) + 2 * kRank * kInner +
                               9 * kInner * kState + 2 * kInner * kDim;
constexpr double kAttentionFlops = 2 * kCandidates * (2 * kDim + kHeads * kInputs);
constexpr double kAttendFlops = kAttentionFlops + 2 * kDim * 3 * kDim +
                                2 * kCandidates * kInputs * kHeads + 2 * kDim * kDim +
                                2 * kHeads * kInputs * kDim;
constexpr double kLinkFlops = 2 * kDim * kDim;
constexpr double kInputFlops = 4 * kDim * kWidth + 2 * kCandidates * kInputs * kWidth;
constexpr double kSetFlops = kCandidates * 4 * kCandidates * kWidth;
constexpr double kAmongFlops = kSetFlops + kCandidates * 8 * kWidth * kWidth;
constexpr double kScoreFlops = kCandidates * (2 * kWidth * kWidth + 2 * kWidth);

// One update of the policy on as many states as fill the batch, of the sizes that the sequences
// have.
class Step {
 public:
  Step(ThreadPool& pool, ProblemKind problem, const Packed& packed)
      : policy_(config_of(problem), 1), workers_(policy_, pool), adamw_(policy_) {
    MergeInput input;
    input.clear(policy_.config().depot(), policy_.config().candidates);
    MergeInputBuilder builder;
    GeneratorOptions options;
    options.kind = problem;
    const auto& first = packed.sequences.first;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
      options.nodes = static_cast<std::size_t>(first[i + 1] - first[i]);
      const Instance instance = generate(options, i);
      builder.append(Fragments(instance), View(instance), {}, input);
    }
    std::vector<float> target(input.tokens() * input.width, 0.0F);
    for (std::size_t token = 0; token < input.tokens(); ++token) {
      if (input.count[token] > 0) target[token * input.width] = 1;
    }
    batch_ = make_merge_batch(input, target);
  }
  void run() {
    workers_.run(1, [&](const Policy& policy, std::size_t) {
      Tensor sum = at::zeros({});
      for (const Tensor& logits : policy.logits(batch_)) {
        sum = sum - target_log_likelihood(logits, batch_.target, batch_.count).sum;
      }
      return sum / batch_.weight;
    });
    adamw_.step(policy_, workers_.gradient());
  }
  // Of a token, forward.
  [[nodiscard]] double flops() const { return encode_flops(policy_.config(), 1); }
  [[nodiscard]] double tokens() const { return static_cast<double>(batch_.tokens()); }

 private:
  static ModelConfig config_of(ProblemKind problem) {
    ModelConfig config = best_preset(problem);
    config.encoder_layers = 6;
    return config;
  }
  Policy policy_;
  GradientWorkers workers_;
  times::AdamW adamw_;
  MergeBatch batch_;
};

struct Part {
  const char* name;
  double flops;  // a token, forward
  std::function<Tensor()> forward;
  std::vector<Tensor> inputs;  // what gets a gradient
  Times times = {};

  void run() const {
    const Tensor y = forward();
    torch::autograd::grad({y}, inputs, {at::ones_like(y)}, {}, false, /*allow_unused=*/true);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::int64_t value) {
    return argc > i ? std::strtol(argv[i], nullptr, 10) : value;
  };
  const std::int64_t tokens = argument(1, 2048);
  set_up_process();
  at::manual_seed(1);
  const Packed in(tokens, argument(2, 16), argument(3, 500));
  const LayerWeights w;
  const ScorerWeights s;
  const auto with = [](std::vector<Tensor> parameters, const Tensor& x) {
    parameters.push_back(x);
    return parameters;
  };
  const Tensor x = at::randn({tokens, kDim}).requires_grad_();
  const Tensor qkv = at::randn({tokens, 3, kHeads, kDim / kHeads}).requires_grad_();
  const Tensor edge_bias = at::randn({tokens, kCandidates, kHeads}).requires_grad_();
  const Tensor logits = at::randn({tokens, kCandidates}).requires_grad_();
  const Tensor target = at::rand({tokens, kCandidates});
  Part parts[] = {
      {"layer", kMixerFlops + kAttendFlops + kLinkFlops, [&] { return layer(w, in, x); },
       with(w.all(), x)},
      {"  norm", 0, [&] { return rms_norm(x, w.norm); }, {x, w.norm}},
      {"  mixer in order", kMixerFlops,
       [&] { return selective_mixer(x, w.mixer, in.sequences, in.order); }, with(w.all(), x)},
      {"  attention with its products", kAttendFlops, [&] { return attend(w, in, x); },
       with(w.all(), x)},
      {"    neighbour_attention alone",
       kAttentionFlops,
       [&] {
         const NeighbourMix mix =
             neighbour_attention(qkv, edge_bias, in.candidates, in.count, in.features);
         return at::cat({mix.mixed, mix.edges.flatten(1)}, 1);
       },
       {qkv, edge_bias}},
      {"    product of qkv", 6 * kDim * kDim, [&] { return project(x, w.qkv); }, {x, w.qkv}},
      {"    bias of the edges",
       2 * kCandidates * kInputs * kHeads,
       [&] { return project(in.features, w.edge); },
       {w.edge}},
      {"  link",
       kLinkFlops,
       [&] { return project(permute_rows(x, in.other), w.link); },
       {x, w.link}},
      {"scorer", kInputFlops + kAmongFlops + kScoreFlops, [&] { return fused_scorer(s, in, x); },
       with(s.all(), x)},
      {"likelihood",
       0,
       [&] { return target_log_likelihood(logits, target, in.count).sum; },
       {logits}},
  };
  ThreadPool pool(1);
  times::Sgemm sgemm(pool);
  Step tsp(pool, ProblemKind::tsp, in), cvrp(pool, ProblemKind::cvrp, in);
  Times peak, tsp_times, cvrp_times;
  sgemm.run();
  tsp.run();
  cvrp.run();
  for (const Part& part : parts) part.run();
  for (int round = 0; round < 2 * times::kRounds; ++round) {
    times::time_once(peak, [&] { sgemm.run(); });
    times::time_once(tsp_times, [&] { tsp.run(); });
    times::time_once(cvrp_times, [&] { cvrp.run(); });
    for (Part& part : parts) {
      for (int again = 0; again < 2; ++again) times::time_once(part.times, [&] { part.run(); });
    }
  }
  std::printf("%ld tokens in %zu sequences; sgemm %.1f GF/s\n", tokens,
              in.sequences.first.size() - 1, sgemm.rate(peak));
  const auto show = [&](const char* name, double token_flops, double count, const Times& times) {
    const double rate = 3 * token_flops * count / times.cpu / 1e9;
    std::printf("%-32s %7.2f ms  %6.2f MFLOP a token  %5.1f%% of sgemm\n", name, 1e3 * times.cpu,
                3e-6 * token_flops, 100 * rate / sgemm.rate(peak));
  };
  show("step of the TSP's policy", tsp.flops(), tsp.tokens(), tsp_times);
  show("step of the CVRP's policy", cvrp.flops(), cvrp.tokens(), cvrp_times);
  for (const Part& part : parts) {
    show(part.name, part.flops, static_cast<double>(tokens), part.times);
  }
  return 0;
}
