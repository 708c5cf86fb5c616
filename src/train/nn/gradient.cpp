#include "train/nn/gradient.h"

#include <malloc.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

extern "C" void openblas_set_num_threads(int threads);

namespace eco::train {

namespace {

// Adds the gradients of parts in the order of the parts, whichever is ready first: early ones wait.
// Some are added together, piece by piece, so that the sum is read and written once for all of
// them.
class OrderedSum {
 public:
  OrderedSum(std::size_t parts, const std::vector<at::Tensor>& values, float* sum)
      : values_(values), sum_(sum), waiting_(parts) {}

  void add(std::size_t part, std::vector<at::Tensor> gradients) {
    const std::lock_guard lock(mutex_);
    waiting_[part] = std::move(gradients);
    while (ready_ < waiting_.size() && !waiting_[ready_].empty()) ++ready_;
    if (ready_ - next_ < kTogether && ready_ < waiting_.size()) return;
    float* to = sum_;
    for (std::size_t i = 0; i < values_.size(); to += values_[i].numel(), ++i) add_to_sum(i, to);
    for (; next_ < ready_; ++next_) waiting_[next_] = {};
  }

 private:
  static constexpr std::size_t kTogether = 4;
  static constexpr std::int64_t kPiece = 2048;

  // All ready parts' gradients of one value.
  void add_to_sum(std::size_t value, float* to) {
    std::vector<at::Tensor> gradients;
    for (std::size_t part = next_; part < ready_; ++part) {
      const at::Tensor& gradient = waiting_[part][value];
      if (gradient.defined()) gradients.push_back(gradient.contiguous());  // else it has no effect
    }
    const std::int64_t count = values_[value].numel();
    for (std::int64_t first = 0; first < count; first += kPiece) {
      const std::int64_t end = std::min(first + kPiece, count);
      for (const at::Tensor& gradient : gradients) {
        const float* from = gradient.data_ptr<float>();
        for (std::int64_t j = first; j < end; ++j) to[j] += from[j];
      }
    }
  }

  const std::vector<at::Tensor>& values_;
  float* sum_;
  std::mutex mutex_;
  std::vector<std::vector<at::Tensor>> waiting_;
  std::size_t next_ = 0, ready_ = 0;  // parts before next_ are in the sum, before ready_ may be
};

}  // namespace

GradientWorkers::GradientWorkers(const Policy& policy, ThreadPool& pool)
    : pool_(pool), gradient_(at::zeros_like(policy.flat())) {
  for (std::size_t i = 0; i < pool.size(); ++i) replicas_.push_back(policy.replica());
}

double GradientWorkers::run(std::size_t parts, const Loss& loss) {
  gradient_.zero_();
  std::vector<double> losses(parts);
  statistics_.assign(parts, {});
  OrderedSum sum(parts, replicas_[0].values(), gradient_.data_ptr<float>());
  pool_.parallel_for(parts, [&](std::size_t part, std::size_t worker) {
    const Policy& replica = replicas_[worker];
    const at::Tensor value = loss(replica, part);
    losses[part] = value.item<double>();
    statistics_[part] = replica.take_statistics();
    sum.add(part, torch::autograd::grad({value}, replica.values(), {}, /*retain_graph=*/false,
                                        /*create_graph=*/false, /*allow_unused=*/true));
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void GradientWorkers::update_statistics(Policy& policy) const {
  constexpr double kMomentum = 0.1;
  const at::NoGradGuard guard;
  std::vector<at::Tensor> sums(policy.values().size());
  std::vector<double> counts(sums.size(), 0.0);
  for (const auto& part : statistics_) {
    for (const Policy::Statistic& one : part) {
      at::Tensor& sum = sums[one.index];
      sum = sum.defined() ? sum + one.value : one.value;
      ++counts[one.index];
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!sums[i].defined()) continue;
    const at::Tensor running = policy.values()[i].detach();  // the same storage
    running.add_(sums[i] / counts[i] - running, kMomentum);
  }
}

void for_each_part(ThreadPool& pool, std::size_t parts,
                   const std::function<void(std::size_t)>& body) {
  pool.parallel_for(parts, [&](std::size_t part, std::size_t) {
    const at::NoGradGuard guard;
    body(part);
  });
}

void set_up_process() {
  at::set_num_threads(1);
  openblas_set_num_threads(1);
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
}

}  // namespace eco::train
