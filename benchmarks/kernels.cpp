// The engine's kernels by themselves: floating-point rates of the matrix product at the shapes of
// the model, and times of the sequence kernels.

#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "core/base/rng.h"
#include "core/kernels/gemm.h"
#include "core/kernels/score.h"
#include "core/kernels/ssm.h"

namespace eco {
namespace {

std::vector<float> noise(std::size_t count, double low = -1, double high = 1) {
  Rng rng(1);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.uniform(low, high));
  return values;
}

void set_rate(benchmark::State& state, double flops) {
  state.counters["FLOP/s"] =
      benchmark::Counter(flops * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
}

// Arguments: rows, outputs, inputs.
void matrix_product(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0)),
             outputs = static_cast<std::size_t>(state.range(1)),
             inputs = static_cast<std::size_t>(state.range(2));
  const auto weight = noise(outputs * inputs), x = noise(rows * inputs);
  const PackedLinear linear(weight, outputs, inputs);
  std::vector<float> y(rows * outputs);
  for (auto _ : state) {
    gemm(rows, x.data(), inputs, linear, y.data(), outputs);
    benchmark::DoNotOptimize(y.data());
  }
  set_rate(state, 2.0 * static_cast<double>(rows * outputs * inputs));
}
BENCHMARK(matrix_product)
    ->ArgsProduct({{1, 8, 32, 64, 96}, {512}, {128}})
    ->ArgsProduct({{1, 8, 32, 64, 96}, {128}, {512}})
    ->Args({64, 40, 256})
    ->Args({512, 288, 96});

void scan(benchmark::State& state) {
  const std::size_t length = 96, channels = 256;
  const auto v = noise(length * channels), dt = noise(length * channels, 1e-3, 0.2),
             bc = noise(length * 40), gate = noise(length * channels), skip = noise(channels);
  const auto a = blocked(noise(channels * kState, -20, -0.5), channels, kState);
  std::vector<float> carried(channels * kState), y(length * channels);
  const ScanInput in{v.data(), dt.data(), bc.data() + 8, 40, gate.data(), a.data(), skip.data()};
  for (auto _ : state) {
    selective_scan(length, channels, in, carried.data(), y.data());
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(length));
}
BENCHMARK(scan);

void lti(benchmark::State& state) {
  const std::size_t rows = 64, channels = 256;
  const auto v = noise(rows * channels), gate = noise(rows * channels), skip = noise(channels),
             a = noise(channels * kState, 0, 1), cb = noise(channels * kState);
  std::vector<float> carried(rows * channels * kState), y(channels);
  for (auto _ : state) {
    for (std::size_t r = 0; r < rows; ++r) {
      lti_step(channels, v.data() + r * channels, gate.data() + r * channels, a.data(), cb.data(),
               skip.data(), carried.data() + r * channels * kState, y.data());
    }
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}
BENCHMARK(lti);

// Argument: open nodes.
void pointer(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const std::size_t dim = 128;
  const auto keys = noise(nodes * dim), bias = noise(nodes), query = noise(dim);
  std::vector<std::uint32_t> open(nodes);
  std::iota(open.begin(), open.end(), 0U);
  std::vector<float> logits(nodes);
  for (auto _ : state) {
    score_open(open, dim, query.data(), keys.data(), bias.data(), logits.data());
    benchmark::DoNotOptimize(logits.data());
  }
  set_rate(state, 2.0 * static_cast<double>(nodes * dim));
}
BENCHMARK(pointer)->Arg(50)->Arg(500)->Arg(5000);

}  // namespace
}  // namespace eco

BENCHMARK_MAIN();
