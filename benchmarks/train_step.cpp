// How close a training step comes to what the machine can do: one supervised step (forward,
// backward, sum of gradients, AdamW) on two threads, against the machine's own sgemm in the same
// run, and against the same step with plain tensor operations. docs/training-ops.md has the count
// of useful FLOPs. Times are CPU seconds of the threads (CLOCK_PROCESS_CPUTIME_ID), so that other
// programs on the machine disturb less; wall-clock is printed beside them.
//
//   bench_train_step [threads] [nodes] [batch] [part]
//
// Preset `paper`; with `part`, only with that many instances a part.

#include <cstdio>
#include <numeric>

#include "adamw.h"
#include "arguments.h"
#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "sgemm.h"
#include "times.h"
#include "train/nn/gradient.h"
#include "train/nn/policy.h"
#include "train/ops/ops.h"

namespace {

using namespace eco;
using namespace eco::train;
using eco::times::AdamW;
using eco::times::measure;
using eco::times::Sgemm;
using eco::times::Times;

// Useful multiply-adds of a forward pass times two; a step costs three times that.
struct Flops {
  const ModelConfig& c;
  [[nodiscard]] double layer(bool selective) const {
    const double d = static_cast<double>(c.dim), e = static_cast<double>(c.inner());
    const double s = 16.0, r = static_cast<double>(c.dt_rank());
    double sum = 2 * d * 2 * e + 2 * e * 4 + 2 * e * d;
    sum += selective ? 2 * e * (r + 2 * s) + 2 * r * e + 9 * e * s : 4 * e * s;
    if (c.ffn) sum += 4 * d * static_cast<double>(c.ffn_ratio) * d;
    return sum;
  }
  [[nodiscard]] double encoder_token() const {
    const double d = static_cast<double>(c.dim), f = static_cast<double>(c.token_features());
    return static_cast<double>(c.encoder_layers) * layer(true) + 2 * f * d + 2 * d * d;
  }
  // `choices`: nodes that are scored at the step, on average.
  [[nodiscard]] double decoder_step(double choices) const {
    const double d = static_cast<double>(c.dim);
    return static_cast<double>(c.decoder_layers) * layer(false) + 2 * d * d + 2 * d * choices;
  }
};

std::vector<Instance> make_instances(ProblemKind problem, std::size_t nodes, std::size_t count) {
  GeneratorOptions options;
  options.kind = problem;
  options.nodes = nodes;
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < count; ++i) instances.push_back(generate(options, i));
  return instances;
}

Solution random_tour(std::size_t nodes, Rng& rng) {
  Solution tour;
  for (std::size_t i = 0; i < nodes; ++i) tour.sequence.emplace_back(i);
  rng.shuffle(std::span(tour.sequence));
  return tour;
}

// A step on the same parts with fused and with plain operations, and large products beside them.
// `flops`: useful ones of all parts, forward.
template <class Batch>
void compare(const Policy& policy, ThreadPool& pool, const std::vector<Batch>& parts, double tokens,
             double flops) {
  GradientWorkers workers(policy, pool);
  AdamW optimiser(policy);
  Sgemm sgemm(pool);
  const auto step = [&](Ops ops) {
    set_ops(ops);
    workers.run(parts.size(), [&](const Policy& replica, std::size_t part) {
      return -replica.log_probabilities(parts[part]).sum();
    });
    optimiser.step(policy, workers.gradient());
    set_ops(Ops::fused);
  };
  constexpr int kFused = 6;  // steps, to take about as long as a plain one
  auto [peak, fused, plain] = measure([&] { sgemm.run(); },
                                      [&] {
                                        for (int i = 0; i < kFused; ++i) step(Ops::fused);
                                      },
                                      [&] { step(Ops::plain); });
  fused.cpu /= kFused;
  fused.wall /= kFused;
  std::printf("  sgemm%72.1f GF/s a thread\n", sgemm.rate(peak));
  const auto show = [&](const char* name, const Times& times) {
    const double rate = 3 * flops / times.cpu / 1e9;
    std::printf(
        "  %-14s %8.1f ms cpu %8.1f ms wall %9.0f tokens/s %8.1f GF/s a thread, %4.1f%% of sgemm\n",
        name, 1e3 * times.cpu, 1e3 * times.wall,
        tokens * static_cast<double>(pool.size()) / times.cpu, rate, 100 * rate / sgemm.rate(peak));
  };
  show("fused ops", fused);
  show("plain ops", plain);
  std::printf("  fused / plain: %.1fx\n", plain.cpu / fused.cpu);
}

// `part` instances a part: the smaller, the more the plain operations suffer from their overhead.
void paper(ThreadPool& pool, std::size_t nodes, std::size_t batch, std::size_t part) {
  const ModelConfig config = paper_preset(ProblemKind::tsp);
  const Policy policy(config, 1);
  const auto instances = make_instances(ProblemKind::tsp, nodes, batch);
  Rng rng(1);
  std::vector<PointerBatch> parts;
  for (std::size_t first = 0; first < batch; first += part) {
    std::vector<const Instance*> in;
    std::vector<Solution> tours;
    std::vector<std::size_t> owner;
    for (std::size_t i = first; i < std::min(first + part, batch); ++i) {
      owner.push_back(in.size());
      in.push_back(&instances[i]);
      tours.push_back(random_tour(nodes, rng));
    }
    std::vector<const Solution*> out;
    for (const Solution& tour : tours) out.push_back(&tour);
    parts.push_back(make_pointer_batch(config, in, out, owner, pool));
  }
  const Flops count{config};
  const double n = static_cast<double>(nodes), tokens = static_cast<double>(batch) * n;
  const double flops = tokens * (count.encoder_token() + count.decoder_step(n / 2));
  std::printf("paper, batch %zu in parts of %zu\n", batch, part);
  compare(policy, pool, parts, tokens, flops);
}

// Forward and backward of the scan alone, for a part of so many sequences.
void scan(std::int64_t batch, std::int64_t length) {
  const std::int64_t channels = 256;
  const auto tensor = [](at::IntArrayRef shape) { return at::randn(shape).requires_grad_(); };
  const at::Tensor v = tensor({batch, length, channels}), dt = tensor({batch, length, channels}),
                   z = tensor({batch, length, channels}), b = tensor({batch, length, 16}),
                   c = tensor({batch, length, 16}), dt_bias = tensor({channels}),
                   a_log = tensor({channels, 16}), skip = tensor({channels});
  const auto run = [&](auto operation) {
    const at::Tensor sum = operation(v, dt, dt_bias, a_log, b, c, skip, z).sum();
    torch::autograd::grad({sum}, {v, dt, dt_bias, a_log, b, c, skip, z});
  };
  const auto [fused, loop] =
      measure([&] { run(selective_scan); }, [&] { run(plain::selective_scan); });
  std::printf(
      "selective scan forward+backward, [%ld, %ld, %ld]: %.2f ms against %.1f ms for a "
      "tensor loop: %.1fx\n",
      batch, length, channels, 1e3 * fused.cpu, 1e3 * loop.cpu, loop.cpu / fused.cpu);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, 4, "bench_train_step [threads] [nodes] [batch] [part]");
  const std::size_t threads = arguments.count(1, 2), nodes = arguments.count(2, 100),
                    batch = arguments.count(3, 64), part = arguments.count(4, batch);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  set_up_process();
  ThreadPool pool(threads);
  std::printf("%zu threads; TSP%zu, batch %zu\n", threads, nodes, batch);
  if (argc > 4) {
    paper(pool, nodes, batch, part);
    return 0;
  }
  for (const std::size_t each : {1, 2, 4, 8}) paper(pool, nodes, batch, each);
  for (const std::int64_t sequences : {1, 8}) scan(sequences, static_cast<std::int64_t>(nodes));
  return 0;
}
