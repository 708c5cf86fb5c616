#include "train/loss/preference.h"

#include <algorithm>
#include <cmath>

namespace eco::train {

namespace {

class LogisticLoss : public MarginLoss {
 public:
  [[nodiscard]] at::Tensor loss(const at::Tensor& margin) const final {
    return -at::log_sigmoid(margin);
  }
  [[nodiscard]] Value at(double margin) const final {
    const double rest = margin > 0 ? std::exp(-margin) / (1 + std::exp(-margin))
                                   : 1 / (1 + std::exp(margin));  // 1 - sigmoid(margin)
    return {std::log1p(std::exp(-std::abs(margin))) + std::max(-margin, 0.0), -rest};
  }
};

class DpoLoss final : public LogisticLoss {
 public:
  explicit DpoLoss(double beta) : beta_(beta) {}
  [[nodiscard]] bool has_reference() const override { return true; }
  [[nodiscard]] double scale() const override { return beta_; }

 private:
  double beta_;
};

class HingeLoss final : public MarginLoss {
 public:
  explicit HingeLoss(double wanted) : wanted_(wanted) {}
  [[nodiscard]] at::Tensor loss(const at::Tensor& margin) const override {
    return at::relu(wanted_ - margin);
  }
  [[nodiscard]] Value at(double margin) const override {
    return margin < wanted_ ? Value{wanted_ - margin, -1} : Value{0, 0};
  }

 private:
  double wanted_;
};

}  // namespace

at::Tensor implicit_margin(const at::Tensor& winner, const at::Tensor& loser,
                           const at::Tensor& reference_winner, const at::Tensor& reference_loser,
                           double beta) {
  return ((winner - reference_winner) - (loser - reference_loser)) * beta;
}

std::unique_ptr<MarginLoss> dpo_loss(double beta) {
  return std::make_unique<DpoLoss>(beta);
}

std::unique_ptr<MarginLoss> logistic_ranking() {
  return std::make_unique<LogisticLoss>();
}

std::unique_ptr<MarginLoss> hinge_ranking(double wanted) {
  return std::make_unique<HingeLoss>(wanted);
}

}  // namespace eco::train
