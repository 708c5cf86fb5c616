#include "train/loss/merge_preference.h"

#include <gtest/gtest.h>

#include "core/base/rng.h"
#include "core/instance/generate.h"
#include "train/data/expert.h"
#include "train/loss/preference.h"

namespace eco::train {
namespace {

// Three states of 5, 0 and 4 tokens with 3 candidates each; the second and the last have a pair.
MergeBatch random_batch(Rng& rng) {
  MergeBatch batch;
  batch.sequences.first = {0, 5, 9, 13};
  batch.difference = at::zeros({13, 3});
  for (const std::int64_t row : {5, 7, 9, 10, 12}) {
    batch.difference[row][rng.below(3)] += 1;
    batch.difference[row][rng.below(3)] -= 1;
  }
  batch.difference[6][0] = 1;
  batch.difference[6][2] = -1;
  batch.difference[11][1] = 2;  // a customer alone on its route: the depot twice
  batch.difference[11][0] = -1;
  batch.difference[11][2] = -1;
  return batch;
}

at::Tensor random_logits(Rng& rng) {
  at::Tensor logits = at::empty({13, 3});
  float* values = logits.data_ptr<float>();
  for (int i = 0; i < 39; ++i) values[i] = static_cast<float>(rng.normal());
  return logits;
}

// [states], by LibTorch.
at::Tensor ratios_of(const at::Tensor& log_probs, const MergeBatch& batch) {
  const at::Tensor rows = (log_probs * batch.difference).sum(1);
  return at::stack({rows.slice(0, 5, 9).sum(), rows.slice(0, 9, 13).sum()});
}

TEST(MergePreference, LossAndSlopesAreThoseOfLibTorch) {
  using Plain = at::Tensor (*)(const at::Tensor& ratio, const at::Tensor& base);
  struct Case {
    std::unique_ptr<MarginLoss> loss;
    Plain plain;
  };
  std::vector<Case> cases;
  cases.push_back({dpo_loss(0.4), [](const at::Tensor& ratio, const at::Tensor& base) {
                     return -at::log(at::sigmoid(0.4 * (ratio - base)));
                   }});
  cases.push_back({logistic_ranking(), [](const at::Tensor& ratio, const at::Tensor&) {
                     return -at::log(at::sigmoid(ratio));
                   }});
  cases.push_back({hinge_ranking(1), [](const at::Tensor& ratio, const at::Tensor&) {
                     return at::clamp_min(1 - ratio, 0);
                   }});
  for (const Case& one : cases) {
    for (const bool normalised : {false, true}) {
      Rng rng(3);
      const MergeBatch batch = random_batch(rng);
      const at::Tensor logits = random_logits(rng).requires_grad_();
      const at::Tensor log_probs = at::log_softmax(logits, 1);
      const at::Tensor reference = at::log_softmax(random_logits(rng), 1);

      const auto now = pair_ratios(log_probs.detach(), batch);
      const auto before = pair_ratios(reference, batch);
      EXPECT_EQ(now[0].links, 0);
      const MergePreference made = merge_preference(*one.loss, normalised, batch, now, before);
      EXPECT_EQ(made.pairs, 2);

      at::Tensor ratio = ratios_of(log_probs, batch), base = ratios_of(reference, batch);
      if (normalised) {
        const at::Tensor links = at::tensor({now[1].links, now[2].links}, at::kFloat);
        ratio = ratio / links;
        base = base / links;
      }
      const at::Tensor loss = one.plain(ratio, base);
      EXPECT_NEAR(made.loss, loss.sum().item<double>(), 1e-5);
      const at::Tensor wanted = torch::autograd::grad({loss.sum()}, {log_probs}, {}, true)[0];
      EXPECT_TRUE(at::allclose(made.slope, wanted, 1e-4, 1e-6));
    }
  }
}

TEST(MergePreference, OnlyLinksInWhichTheTwoDifferCount) {
  for (const ProblemKind kind : {ProblemKind::tsp, ProblemKind::cvrp}) {
    GeneratorOptions options;
    options.kind = kind;
    options.nodes = 12;
    Instance instance = generate(options, 1);
    label_instance(instance, 200, 1);
    const Partners winner(instance, *instance.reference);
    Solution other = *instance.reference;
    // Two neighbours change places: three links in the tour, or more at the depot.
    std::size_t at = 4;
    while (kind == ProblemKind::cvrp &&
           (other.sequence[at] == kDepot || other.sequence[at + 1] == kDepot)) {
      ++at;
    }
    std::swap(other.sequence[at], other.sequence[at + 1]);
    const Partners loser(instance, other);
    const Fragments state(instance);
    MergeInput input;
    MergeInputBuilder builder;
    input.clear(instance.has_depot(), instance.size());
    builder.append(state, View(instance), {}, input);
    std::vector<float> difference;
    append_difference(state, winner, &loser, input, difference);
    double winners = 0, losers = 0;
    for (std::size_t row = 0; row < input.tokens(); ++row) {
      for (std::size_t slot = 0; slot < input.count[row]; ++slot) {
        const NodeId a = input.node[row],
                     b = input.node[input.candidates[row * input.width + slot]];
        const float value = difference[row * input.width + slot];
        winners += value > 0 ? value : 0;
        losers -= value < 0 ? value : 0;
        EXPECT_TRUE(value <= 0 || (winner.linked(a, b) && !loser.linked(a, b)));
        EXPECT_TRUE(value >= 0 || (loser.linked(a, b) && !winner.linked(a, b)));
      }
    }
    EXPECT_EQ(winners, losers);
    EXPECT_GT(winners, 0);
    std::vector<float> none;
    append_difference(state, winner, nullptr, input, none);
    EXPECT_EQ(none, std::vector<float>(none.size(), 0.0F));
  }
}

}  // namespace
}  // namespace eco::train
