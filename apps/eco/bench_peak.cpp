#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "core/kernels/gemm.h"
#include "eco/bench.h"

namespace eco::cli {

namespace {

double cpu_now() {
  timespec time{};
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr std::size_t kRows = 576, kWidth = 512;

// OpenBLAS, if the machine has it: sgemm on one thread.
class Blas {
 public:
  Blas() {
    for (const char* name : {"libopenblas.so.0", "libopenblas.so"}) {
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library_ == nullptr) return;
    sgemm_ = reinterpret_cast<Sgemm>(dlsym(library_, "cblas_sgemm"));
    const auto set_threads =
        reinterpret_cast<void (*)(int)>(dlsym(library_, "openblas_set_num_threads"));
    if (set_threads != nullptr) set_threads(1);
  }
  [[nodiscard]] bool found() const { return sgemm_ != nullptr; }
  void run(const float* x, const float* w, float* y) const {
    constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;
    const int rows = kRows, width = kWidth;
    sgemm_(kRowMajor, kNoTranspose, kTranspose, rows, width, width, 1.0F, x, width, w, width, 0.0F,
           y, width);
  }

 private:
  using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                         float, float*, int);
  void* library_ = nullptr;
  Sgemm sgemm_ = nullptr;
};

std::vector<float> noise(std::size_t count) {
  Rng rng(1);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.uniform(-1, 1));
  return values;
}

}  // namespace

Timing best_time(double seconds, const std::function<void()>& body) {
  using Clock = std::chrono::steady_clock;
  Timing best{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    const double cpu = cpu_now();
    body();
    best.cpu = std::min(best.cpu, cpu_now() - cpu);
    best.wall = std::min(best.wall, std::chrono::duration<double>(Clock::now() - start).count());
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < seconds);
  return best;
}

Peak measure_peak(std::size_t threads) {
  ThreadPool pool(threads);
  Peak peak;
  peak.threads = pool.size();
  const auto weight = noise(kWidth * kWidth), x = noise(kRows * kWidth);
  const PackedLinear packed(weight, kWidth, kWidth);
  std::vector<std::vector<float>> out(pool.size(), std::vector<float>(kRows * kWidth));
  constexpr std::size_t kRepeats = 8;
  const double flops = 2.0 * kRows * kWidth * kWidth * kRepeats * static_cast<double>(pool.size());
  const auto measure = [&](const std::function<void(float*)>& product) {
    return best_time(0.5, [&] {
      pool.parallel_for(pool.size(), [&](std::size_t i, std::size_t) {
        for (std::size_t k = 0; k < kRepeats; ++k) product(out[i].data());
      });
    });
  };
  const auto note = [&](const Timing& time, const char* source, double& rate) {
    rate = flops / time.cpu / 1e9;
    if (flops / time.wall / 1e9 > peak.gflops) peak.source = source;
    peak.gflops = std::max(peak.gflops, flops / time.wall / 1e9);
    peak.gflops_per_cpu_second = std::max(peak.gflops_per_cpu_second, rate);
  };
  note(measure([&](float* y) { gemm(kRows, x.data(), kWidth, packed, y, kWidth); }), "own kernel",
       peak.own);
  const Blas blas;
  if (blas.found()) {
    note(measure([&](float* y) { blas.run(x.data(), weight.data(), y); }), "OpenBLAS", peak.blas);
  }
  return peak;
}

nlohmann::ordered_json to_json(const Peak& peak) {
  return {{"threads", peak.threads},
          {"gflops", peak.gflops},
          {"gflops_per_cpu_second", peak.gflops_per_cpu_second},
          {"source", peak.source},
          {"own_gflops_per_cpu_second", peak.own},
          {"openblas_gflops_per_cpu_second", peak.blas}};
}

}  // namespace eco::cli
