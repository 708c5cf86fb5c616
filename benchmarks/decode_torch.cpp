// What the native engine gains over LibTorch: greedy tours of preset `paper` (dense pointer, random
// weights) by the engine and by plain tensor operations on the same weights, the same instances and
// the same number of threads. The LibTorch side is what a careful user would write: batched
// tensors, the decoder's state carried from step to step and updated in place, constants made once,
// no autograd. It is timed in both ways of using threads, LibTorch's own inside each operation and
// the batch cut into one piece a thread, and compared by the faster of the two. What share of the
// machine's sgemm the faster one reaches says how much faster anything at all could be.
//
//   bench_decode_torch [threads] [seconds] [nodes batch]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "core/infer/engine.h"
#include "core/infer/flops.h"
#include "core/instance/generate.h"
#include "core/model/instance_tokens.h"
#include "times.h"
#include "train/nn/gradient.h"
#include "train/nn/policy.h"
#include "train/nn/stack.h"
#include "train/ops/ops.h"

extern "C" void openblas_set_num_threads(int threads);

namespace {

using namespace eco;
using namespace eco::train;
using at::Tensor;
using eco::times::time_once;
using eco::times::Times;

// ---- the LibTorch side -------------------------------------------------------------------------

// One S4 layer with its FFN, a step at a time. Rows are instances.
class TorchLayer {
 public:
  TorchLayer(const Policy& policy, const std::string& prefix) {
    const auto value = [&](const char* name) { return policy[prefix + name].detach(); };
    norm_ = value("norm.weight");
    in_ = value("in.weight");
    conv_ = value("conv.weight");
    conv_bias_ = value("conv.bias");
    skip_ = value("skip");
    out_ = value("out.weight");
    ffn_norm_ = value("ffn_norm.weight");
    up_ = value("ffn_up.weight");
    up_bias_ = value("ffn_up.bias");
    down_ = value("ffn_down.weight");
    down_bias_ = value("ffn_down.bias");
    const Tensor minus_a = value("a_log").exp();
    a_ = (-value("log_dt").exp().unsqueeze(1) * minus_a).exp();
    // The state is kept divided by b, as the engine keeps it: h = a h + v, y = (c b).h + skip v.
    cb_ = value("c") * (1 - a_) / minus_a;
  }

  void reset(std::int64_t rows) {
    past_ = at::zeros({rows, conv_.size(0), conv_.size(1)});
    state_ = at::zeros({rows, a_.size(0), a_.size(1)});
  }

  // x [rows, dim].
  Tensor step(const Tensor& x) {
    const std::vector<Tensor> halves = at::linear(plain::rms_norm(x, norm_), in_).chunk(2, 1);
    past_ = at::cat({past_.narrow(2, 1, past_.size(2) - 1), halves[0].unsqueeze(2)}, 2);
    const Tensor v = at::silu((past_ * conv_).sum(2) + conv_bias_);
    state_.mul_(a_).add_(v.unsqueeze(2));
    const Tensor y = ((state_ * cb_).sum(2) + skip_ * v) * at::silu(halves[1]);
    const Tensor mixed = x + at::linear(y, out_);
    const Tensor hidden = at::silu(at::linear(plain::rms_norm(mixed, ffn_norm_), up_, up_bias_));
    return mixed + at::linear(hidden, down_, down_bias_);
  }

 private:
  Tensor norm_, in_, conv_, conv_bias_, skip_, out_, a_, cb_;
  Tensor ffn_norm_, up_, up_bias_, down_, down_bias_;
  Tensor past_;   // [rows, inner, 4]
  Tensor state_;  // [rows, inner, 16]
};

struct TorchTours {
  Tensor positions;  // [instances, nodes] long: canonical positions in visiting order
  Tensor margin;     // [instances, nodes]: best logit minus second best, where they were asked for
};

// features [instances, nodes, token features].
TorchTours torch_greedy(const Policy& policy, const Tensor& features, bool margins) {
  const c10::InferenceMode guard;
  const std::int64_t rows = features.size(0), count = features.size(1);
  const Tensor nodes =
      encode(policy, at::linear(features, policy["input.weight"], policy["input.bias"]));
  const double scale = 1 / std::sqrt(static_cast<double>(nodes.size(2)));
  const Tensor keys = at::linear(nodes, policy["key.weight"]) * scale;
  const Tensor bias = at::matmul(nodes, policy["node_bias.weight"]);
  const Tensor mean = nodes.mean(1);
  std::vector<TorchLayer> layers;
  for (std::size_t i = 0; i < policy.config().decoder_layers; ++i) {
    layers.emplace_back(policy, "decoder." + std::to_string(i) + ".").reset(rows);
  }
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  Tensor visited = at::zeros({rows, count}, at::kBool);
  Tensor previous = policy["start"].detach().expand_as(mean);
  const Tensor every = at::arange(rows);
  std::vector<Tensor> tour, margin;
  for (std::int64_t t = 0; t < count; ++t) {
    Tensor x = previous + mean;
    for (TorchLayer& layer : layers) x = layer.step(x);
    Tensor choice = at::zeros({rows}, at::kLong);  // the first node is given
    if (t > 0) {
      const Tensor query =
          at::linear(plain::rms_norm(x, policy["decoder.norm.weight"]), policy["query.weight"]);
      const Tensor logits = at::baddbmm(bias.unsqueeze(2), keys, query.unsqueeze(2))
                                .squeeze(2)
                                .masked_fill_(visited, kNever);
      choice = logits.argmax(1);
      if (margins) {
        const Tensor best = std::get<0>(logits.topk(std::min<std::int64_t>(2, count), 1));
        margin.push_back(best.select(1, 0) - best.select(1, 1));
      }
    } else if (margins) {
      margin.push_back(at::zeros({rows}));
    }
    visited.scatter_(1, choice.unsqueeze(1), true);
    previous = nodes.index({every, choice});
    tour.push_back(choice);
  }
  return {at::stack(tour, 1), margins ? at::stack(margin, 1) : Tensor()};
}

// ---- measuring ---------------------------------------------------------------------------------

// The fastest run of those that start within `seconds`.
Times measure(double seconds, const std::function<void()>& body) {
  Times best;
  double spent = 0;
  while (spent < seconds) spent += time_once(best, body);
  return best;
}

void use_threads_inside_operations(std::size_t threads) {
  at::set_num_threads(static_cast<int>(threads));
  openblas_set_num_threads(static_cast<int>(threads));
}

void print(const char* name, std::size_t batch, const Times& times) {
  const double count = static_cast<double>(batch);
  std::printf("  %-34s %9.1f ms wall %9.1f ms cpu %8.2f instances/s\n", name, 1e3 * times.wall,
              1e3 * times.cpu, count / times.wall);
}

// GFLOP/s in a second of CPU time, in large products on one thread.
double sgemm_peak() {
  constexpr std::int64_t kSize = 1024;
  const c10::InferenceMode guard;
  const Tensor a = at::randn({kSize, kSize}), b = at::randn({kSize, kSize});
  Tensor c = at::empty({kSize, kSize});
  const Times times = measure(1, [&] { at::mm_out(c, a, b); });
  return 2.0 * kSize * kSize * kSize / times.cpu / 1e9;
}

// How many tours are the same, and how near to a tie the others were where they part.
void compare(const std::vector<std::vector<NodeId>>& orders, const TorchTours& torch,
             const std::vector<std::vector<Rollout>>& engine) {
  std::size_t same = 0;
  float widest = 0;
  for (std::size_t i = 0; i < engine.size(); ++i) {
    const std::vector<NodeId>& tour = engine[i][0].solution.sequence;
    const Tensor row = torch.positions.select(0, static_cast<std::int64_t>(i));
    std::size_t t = 0;
    while (t < tour.size() &&
           orders[i][static_cast<std::size_t>(row.data_ptr<std::int64_t>()[t])] == tour[t]) {
      ++t;
    }
    if (t == tour.size()) {
      ++same;
    } else {
      const Tensor margin = torch.margin.select(0, static_cast<std::int64_t>(i));
      widest = std::max(widest, margin.data_ptr<float>()[t]);
    }
  }
  std::printf("  %zu of %zu tours the same", same, engine.size());
  if (same < engine.size()) {
    std::printf("; the others part where the two best logits differ by at most %.1e", widest);
  }
  std::printf("\n");
}

void bench(const Policy& policy, Engine& engine, ThreadPool& pool, std::size_t nodes,
           std::size_t batch, double seconds) {
  std::vector<Instance> instances;
  std::vector<std::vector<NodeId>> orders;
  GeneratorOptions options;
  options.nodes = nodes;
  for (std::size_t i = 0; i < batch; ++i) instances.push_back(generate(options, i));
  std::vector<const Instance*> members;
  for (const Instance& instance : instances) members.push_back(&instance);
  const auto width = static_cast<std::int64_t>(policy.config().token_features());
  const Tensor features =
      at::empty({static_cast<std::int64_t>(batch), static_cast<std::int64_t>(nodes), width});
  float* to = features.data_ptr<float>();
  for (const Instance& instance : instances) {
    InstanceTokens tokens = instance_tokens(policy.config(), instance);
    to = std::copy(tokens.features.begin(), tokens.features.end(), to);
    orders.push_back(std::move(tokens.order));
  }

  std::printf("TSP%zu, batch %zu, %zu threads\n", nodes, batch, pool.size());
  compare(orders, torch_greedy(policy, features, /*margins=*/true), engine.run(members, {}));
  const Times native = measure(seconds, [&] { (void)engine.run(members, {}); });
  print("engine", batch, native);
  const std::vector<Tensor> pieces = features.chunk(static_cast<std::int64_t>(pool.size()), 0);
  const Times pieced = measure(seconds, [&] {
    pool.parallel_for(pieces.size(),
                      [&](std::size_t i, std::size_t) { torch_greedy(policy, pieces[i], false); });
  });
  print("LibTorch, a piece a thread", batch, pieced);
  use_threads_inside_operations(pool.size());
  const Times inside = measure(seconds, [&] { torch_greedy(policy, features, false); });
  print("LibTorch, threads inside operations", batch, inside);
  set_up_process();
  const double faster = std::min(inside.cpu, pieced.cpu), peak = sgemm_peak();
  const double flops = 1e-9 * static_cast<double>(batch) *
                       tour_flops(policy.config(), nodes, engine.resolved({})).total();
  std::printf("  engine / faster LibTorch: %.1fx by wall clock, %.1fx by cpu time\n",
              std::min(inside.wall, pieced.wall) / native.wall, faster / native.cpu);
  std::printf("  of sgemm peak (%.1f GF/s a thread): engine %.1f%%, faster LibTorch %.1f%%\n", peak,
              100 * flops / native.cpu / peak, 100 * flops / faster / peak);
}

}  // namespace

int main(int argc, char** argv) {
  const auto count = [&](int i) { return std::size_t{std::strtoul(argv[i], nullptr, 10)}; };
  const std::size_t threads = argc > 1 ? count(1) : 2;
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 2;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  set_up_process();
  set_ops(Ops::plain);
  const auto weights =
      std::make_shared<const Weights>(random_weights(paper_preset(ProblemKind::tsp), 1));
  const Policy policy(*weights);
  ThreadPool pool(threads);
  Engine engine(weights, threads);
  if (argc > 4) {
    bench(policy, engine, pool, count(3), count(4), seconds);
    return 0;
  }
  bench(policy, engine, pool, 100, 64, seconds);
  bench(policy, engine, pool, 1000, 8, seconds);
  return 0;
}
