#include "train/nn/gradient.h"

#include <mutex>
#include <numeric>
#include <utility>

extern "C" void openblas_set_num_threads(int threads);

namespace eco::train {

namespace {

// Adds the gradients of parts in the order of the parts, whichever is ready first: early ones wait.
class OrderedSum {
 public:
  OrderedSum(std::size_t parts, const std::vector<at::Tensor>& values, float* sum)
      : values_(values), sum_(sum), waiting_(parts) {}

  void add(std::size_t part, std::vector<at::Tensor> gradients) {
    const std::lock_guard lock(mutex_);
    waiting_[part] = std::move(gradients);
    for (; next_ < waiting_.size() && !waiting_[next_].empty(); ++next_) {
      add_to_sum(waiting_[next_]);
      waiting_[next_] = {};
    }
  }

 private:
  void add_to_sum(const std::vector<at::Tensor>& gradients) {
    float* to = sum_;
    for (std::size_t i = 0; i < gradients.size(); to += values_[i].numel(), ++i) {
      if (!gradients[i].defined()) continue;  // the loss does not depend on this value
      const at::Tensor gradient = gradients[i].contiguous();
      const float* from = gradient.data_ptr<float>();
      for (std::int64_t j = 0; j < gradient.numel(); ++j) to[j] += from[j];
    }
  }

  const std::vector<at::Tensor>& values_;
  float* sum_;
  std::mutex mutex_;
  std::vector<std::vector<at::Tensor>> waiting_;
  std::size_t next_ = 0;
};

}  // namespace

GradientWorkers::GradientWorkers(const Policy& policy, ThreadPool& pool)
    : pool_(pool), gradient_(at::zeros_like(policy.flat())) {
  for (std::size_t i = 0; i < pool.size(); ++i) replicas_.push_back(policy.replica());
}

double GradientWorkers::run(std::size_t parts, const Loss& loss) {
  gradient_.zero_();
  std::vector<double> losses(parts);
  OrderedSum sum(parts, replicas_[0].values(), gradient_.data_ptr<float>());
  pool_.parallel_for(parts, [&](std::size_t part, std::size_t worker) {
    const Policy& replica = replicas_[worker];
    const at::Tensor value = loss(replica, part);
    losses[part] = value.item<double>();
    sum.add(part, torch::autograd::grad({value}, replica.values(), {}, /*retain_graph=*/false,
                                        /*create_graph=*/false, /*allow_unused=*/true));
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void for_each_part(ThreadPool& pool, std::size_t parts,
                   const std::function<void(std::size_t)>& body) {
  pool.parallel_for(parts, [&](std::size_t part, std::size_t) {
    const at::NoGradGuard guard;
    body(part);
  });
}

void use_one_thread_per_worker() {
  at::set_num_threads(1);
  openblas_set_num_threads(1);
}

}  // namespace eco::train
