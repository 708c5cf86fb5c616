#include "train/nn/gradient.h"

#include <algorithm>
#include <cstring>

extern "C" void openblas_set_num_threads(int threads);

namespace eco::train {

namespace {

constexpr std::size_t kGroup = 16;        // parts whose gradients are held at once
constexpr std::int64_t kRange = 1 << 15;  // parameters added up by one work item

// Gradients of all values, one after the other; zero where the loss does not depend on one.
void flatten(const std::vector<at::Tensor>& gradients, const std::vector<at::Tensor>& values,
             float* out) {
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto bytes = static_cast<std::size_t>(values[i].numel()) * sizeof(float);
    if (gradients[i].defined()) {
      std::memcpy(out, gradients[i].contiguous().data_ptr<float>(), bytes);
    } else {
      std::memset(out, 0, bytes);
    }
    out += values[i].numel();
  }
}

}  // namespace

GradientWorkers::GradientWorkers(const Policy& policy, ThreadPool& pool)
    : policy_(policy), pool_(pool), gradient_(at::zeros_like(policy.flat())) {
  for (std::size_t i = 0; i < pool.size(); ++i) replicas_.push_back(policy.replica());
}

double GradientWorkers::run(std::size_t parts, const Loss& loss) {
  gradient_.zero_();
  std::vector<double> losses(parts);
  for (std::size_t first = 0; first < parts; first += kGroup) {
    const std::size_t group = std::min(kGroup, parts - first);
    while (part_values_.size() < group) part_values_.push_back(at::empty_like(policy_.flat()));
    pool_.parallel_for(group, [&](std::size_t i, std::size_t worker) {
      const Policy& replica = replicas_[worker];
      const at::Tensor value = loss(replica, first + i);
      losses[first + i] = value.item<double>();
      flatten(torch::autograd::grad({value}, replica.values(), {}, /*retain_graph=*/false,
                                    /*create_graph=*/false, /*allow_unused=*/true),
              replica.values(), part_values_[i].data_ptr<float>());
    });
    add_in_order(group);
  }
  double sum = 0;
  for (const double value : losses) sum += value;
  return sum;
}

void GradientWorkers::add_in_order(std::size_t parts) {
  const std::int64_t size = gradient_.numel();
  pool_.parallel_for(static_cast<std::size_t>((size + kRange - 1) / kRange),
                     [&](std::size_t item, std::size_t) {
                       const std::int64_t begin = static_cast<std::int64_t>(item) * kRange;
                       const std::int64_t end = std::min(begin + kRange, size);
                       float* sum = gradient_.data_ptr<float>();
                       for (std::size_t part = 0; part < parts; ++part) {
                         const float* from = part_values_[part].data_ptr<float>();
                         for (std::int64_t i = begin; i < end; ++i) sum[i] += from[i];
                       }
                     });
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
