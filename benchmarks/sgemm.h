#pragma once
// The machine's own peak, against which training is measured.

#include <vector>

#include "core/base/thread_pool.h"
#include "times.h"
#include "train/torch.h"

namespace eco::times {

// Large products, with all threads at it at once: what the machine can do.
class Sgemm {
 public:
  explicit Sgemm(ThreadPool& pool) : pool_(pool) {
    for (std::size_t i = 0; i < pool.size(); ++i) {
      a_.push_back(at::randn({kSize, kSize}));
      b_.push_back(at::randn({kSize, kSize}));
      c_.push_back(at::empty({kSize, kSize}));
    }
  }
  void run() {
    pool_.parallel_for(kEach * pool_.size(), [&](std::size_t, std::size_t worker) {
      const at::NoGradGuard guard;
      at::mm_out(c_[worker], a_[worker], b_[worker]);
    });
  }
  // GFLOP/s of one thread's CPU time.
  [[nodiscard]] double rate(const Times& times) const {
    return 2.0 * kSize * kSize * kSize * kEach * static_cast<double>(pool_.size()) / times.cpu /
           1e9;
  }

 private:
  static constexpr std::int64_t kSize = 1024;
  static constexpr std::size_t kEach = 16;
  ThreadPool& pool_;
  std::vector<at::Tensor> a_, b_, c_;
};

}  // namespace eco::times
