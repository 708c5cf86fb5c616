#pragma once
// The machine's own peak, against which training is measured: oneDNN's product, which takes all
// lanes of any processor (Debian's OpenBLAS half of them on AMD with AVX-512).

#include <vector>

#include "core/base/thread_pool.h"
#include "times.h"
#include "train/ops/kernels/kernels.h"

namespace eco::times {

// Large products, with all threads at it at once: what the machine can do.
class Sgemm {
 public:
  explicit Sgemm(ThreadPool& pool) : pool_(pool) {
    for (std::size_t i = 0; i < pool.size(); ++i) {
      a_.emplace_back(kSize * kSize, 0.5F);
      b_.emplace_back(kSize * kSize, 0.25F);
      c_.emplace_back(kSize * kSize);
    }
  }
  void run() {
    pool_.parallel_for(kEach * pool_.size(), [&](std::size_t, std::size_t worker) {
      train::kernels::multiply({kSize,
                                kSize,
                                kSize,
                                {a_[worker].data(), kSize},
                                {b_[worker].data(), kSize},
                                c_[worker].data(),
                                kSize});
    });
  }
  // GFLOP/s of one thread's CPU time.
  [[nodiscard]] double rate(const Times& times) const {
    return 2.0 * kSize * kSize * kSize * kEach * static_cast<double>(pool_.size()) / times.cpu /
           1e9;
  }

 private:
  static constexpr std::size_t kSize = 1024;
  static constexpr std::size_t kEach = 16;
  ThreadPool& pool_;
  std::vector<std::vector<float>> a_, b_, c_;
};

}  // namespace eco::times
