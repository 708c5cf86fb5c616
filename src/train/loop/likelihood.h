#pragma once
// Gradient of the mean negative log-likelihood of labelled examples, cut into parts for the
// threads.

#include "core/base/thread_pool.h"
#include "train/data/sft_sampler.h"
#include "train/nn/gradient.h"

namespace eco::train {

// Mean over the choices that count, in nats; its gradient is left in workers.gradient().
double nll_gradient(const SftExamples& examples, const ModelConfig& model, std::size_t parts,
                    GradientWorkers& workers, ThreadPool& pool);

}  // namespace eco::train
