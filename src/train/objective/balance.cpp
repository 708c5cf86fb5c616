// The sequential constructor on the balance of flows over its own samples: trajectory balance and
// balance at every step (loss/balance.h), the hybrid objective of GFlowNet-HBG.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/problem/codec.h"
#include "train/loss/balance.h"
#include "train/objective/kinds.h"
#include "train/objective/sampled.h"
#include "train/pairs/advantage.h"

namespace eco::train {

namespace {

// What every step of a solution adds to its cost; the way back to the start of a tour belongs to
// the last one.
std::vector<double> step_costs(const Instance& instance, const Solution& solution) {
  const std::vector<NodeId> steps = steps_of(instance, solution);
  std::vector<double> costs(steps.size());
  if (instance.has_depot()) costs[0] = instance.distance(kDepot, steps[0]);
  for (std::size_t t = 1; t < steps.size(); ++t) {
    costs[t] = instance.distance(steps[t - 1], steps[t]);
  }
  if (!instance.has_depot() && instance.problem().closed) {
    costs.back() += instance.distance(steps.back(), steps.front());
  }
  return costs;
}

// log of one over the number of ways to write a plan down: routes in any order, each in either
// direction. Of tours all pools have as many, so they do not matter.
double log_ways(const Instance& instance, const Solution& solution) {
  if (!instance.has_depot()) return 0;
  const Routes routes = to_routes(solution);
  const auto longer = std::count_if(routes.begin(), routes.end(),
                                    [](const Route& route) { return route.size() > 1; });
  return -std::lgamma(static_cast<double>(routes.size()) + 1) -
         static_cast<double>(longer) * std::log(2.0);
}

class BalanceBuffer final : public Buffer {
 public:
  struct Part {
    SolutionBatch batch;
    at::Tensor energy, there;  // [pools, solutions, steps]
    at::Tensor written;        // [pools, solutions]
  };

  BalanceBuffer(double local, std::vector<Part> parts) : local_(local), parts_(std::move(parts)) {}

  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  [[nodiscard]] bool shuffled() const override { return true; }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    return parts_[part].batch.tokens();
  }
  [[nodiscard]] Weight weight(std::size_t part) const override {
    return {static_cast<double>(parts_[part].written.numel())};
  }
  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t index, const Weight& minibatch,
                                Observed& observed) const override {
    const Part& part = parts_[index];
    const at::Tensor now = part.batch.step_log_probabilities(policy).reshape(part.energy.sizes());
    {
      const at::NoGradGuard guard;
      const at::Tensor whole = (now + part.energy).sum(2) - part.written;
      observed.add("imbalance", whole.std(1, /*unbiased=*/false).sum().item<double>(),
                   static_cast<double>(whole.size(0)));
    }
    return balance_loss(now, part.energy, part.there, part.written, local_).sum() / minibatch.items;
  }

 private:
  double local_;
  std::vector<Part> parts_;
};

class BalanceObjective final : public SampledObjective {
 public:
  using SampledObjective::SampledObjective;
  void begin(Trainer&) override {}
  void finish(const Policy&, std::uint64_t) override {}
  void save(TrainState&) const override {}

 protected:
  std::unique_ptr<Buffer> learn_from(std::vector<Pool> pools, const Round& round,
                                     nlohmann::ordered_json& /*line*/) override {
    for_each_pool(round, pools.size(), [&](std::size_t i, Rng& rng) {
      if (rng.uniform() < improve_.alpha) refine_one(pools[i], improve_.operators, rng);
    });
    std::vector<ScoredSolution> solutions;
    std::vector<double> means;  // one a pool
    for (const Pool& pool : pools) {
      means.push_back(mean_cost(pool));
      for (const Solution& solution : pool.solutions)
        solutions.push_back({pool.instance, &solution});
    }
    std::vector<BalanceBuffer::Part> parts;
    std::size_t first = 0;
    for (const auto part : cut(solutions, improve_.samples, round.trainer)) {
      parts.push_back(make_part(part, std::span(means).subspan(first / improve_.samples),
                                round.trainer.pool()));
      first += part.size();
    }
    return std::make_unique<BalanceBuffer>(improve_.local, std::move(parts));
  }

 private:
  // Of whole pools; `means`: theirs.
  [[nodiscard]] BalanceBuffer::Part make_part(std::span<const ScoredSolution> solutions,
                                              std::span<const double> means,
                                              ThreadPool& pool) const {
    const std::size_t samples = improve_.samples;
    std::vector<std::vector<double>> costs;
    std::size_t longest = 1;
    for (const ScoredSolution& item : solutions) {
      costs.push_back(step_costs(*item.instance, *item.solution));
      longest = std::max(longest, costs.back().size());
    }
    const auto pools = static_cast<std::int64_t>(solutions.size() / samples);
    const auto each = static_cast<std::int64_t>(samples),
               steps = static_cast<std::int64_t>(longest);
    BalanceBuffer::Part part{SolutionBatch(config_.model, solutions, pool),
                             at::zeros({pools, each, steps}), at::zeros({pools, each, steps}),
                             at::zeros({pools, each})};
    for (std::size_t s = 0; s < solutions.size(); ++s) {
      float* energy = part.energy.data_ptr<float>() + s * longest;
      float* there = part.there.data_ptr<float>() + s * longest;
      const double unit = improve_.sharpness / means[s / samples];
      for (std::size_t t = 0; t < costs[s].size(); ++t) {
        energy[t] = static_cast<float>(unit * costs[s][t]);
        there[t] = 1;
      }
      part.written.data_ptr<float>()[s] =
          static_cast<float>(log_ways(*solutions[s].instance, *solutions[s].solution));
    }
    return part;
  }
};

}  // namespace

ObjectiveOwner sequential_balance(const TrainConfig& config) {
  return std::make_unique<BalanceObjective>(config);
}

}  // namespace eco::train
