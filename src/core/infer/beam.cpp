#include "core/infer/beam.h"

#include <algorithm>
#include <cmath>

#include "core/infer/partial_solution.h"
#include "core/infer/step_counter.h"
#include "core/infer/step_scorer.h"
#include "core/kernels/norm.h"

namespace eco {

namespace {

template <class State>
class Beam {
 public:
  Beam(const PackedModel& model, Decoder& decoder, const PointerEncoding::View& encoded,
       const DecodeOptions& options, std::size_t width, const Deadline& deadline)
      : model_(model),
        decoder_(decoder),
        width_(width),
        counter_(options.counter),
        scorer_(model, decoder, width, encoded.order->size(), deadline) {
    // Two sets of decoder states: the parents' and the children's.
    decoder.prepare(2 * width, State::most_steps(encoded.order->size()));
    partial_.push_back(
        {PartialSolution<State>(encoded, options.candidates, model.config.detours()), 0.0, 0});
  }

  void run(const Deadline& deadline, std::span<Rollout> rollouts) {
    while (!deadline.reached() &&
           std::any_of(partial_.begin(), partial_.end(), [](const auto& p) { return !done(p); })) {
      if (!step()) break;
      if (counter_ != nullptr) counter_->add(width_);
    }
    // Fewer solutions than beams exist only for the smallest instances: the last is repeated.
    for (std::size_t i = 0; i < rollouts.size(); ++i) {
      deliver(partial_[std::min(i, partial_.size() - 1)], rollouts[i]);
    }
  }

 private:
  struct Partial {
    PartialSolution<State> row;
    double log_probability;
    std::uint32_t slot;  // of the decoder
  };
  struct Extension {
    std::size_t parent;
    std::uint32_t choice;  // unused if the parent is done: it stays as it is
    double log_probability;
  };

  static bool done(const Partial& partial) { return partial.row.state().done(); }

  // False: the deadline came first, and nothing is changed.
  bool step() {
    active_.clear();
    slots_.clear();
    for (std::size_t i = 0; i < partial_.size(); ++i) {
      if (done(partial_[i])) continue;
      scorer_.set(active_.size(), partial_[i].row);
      active_.push_back(i);
      slots_.push_back(partial_[i].slot);
    }
    scorer_.step(slots_);
    if (!extend()) return false;
    select();
    return true;
  }

  // Every way to go on from every partial solution.
  bool extend() {
    extensions_.clear();
    for (std::size_t i = 0; i < partial_.size(); ++i) {
      if (done(partial_[i])) extensions_.push_back({i, 0, partial_[i].log_probability});
    }
    for (std::size_t r = 0; r < active_.size(); ++r) {
      Partial& parent = partial_[active_[r]];
      if (!model_.config.chooses_first() &&
          parent.row.state().takes_first(parent.row.encoded().order->front())) {
        extensions_.push_back({active_[r], 0, parent.log_probability});
        continue;
      }
      const auto feasible = parent.row.propose(feasible_);
      const std::span<const float> logits = scorer_.logits(r, feasible);
      if (logits.empty()) return false;
      const ExpSum total = exp_sum(logits);
      const double base = parent.log_probability - total.max - std::log(double{total.sum});
      for (std::size_t j = 0; j < feasible.size(); ++j) {
        extensions_.push_back({active_[r], feasible[j], base + double{logits[j]}});
      }
    }
    return true;
  }

  // The most probable ones become the partial solutions of the next step.
  void select() {
    const std::size_t kept = std::min(width_, extensions_.size());
    std::partial_sort(extensions_.begin(), extensions_.begin() + static_cast<std::ptrdiff_t>(kept),
                      extensions_.end(), [](const Extension& a, const Extension& b) {
                        if (a.log_probability != b.log_probability) {
                          return a.log_probability > b.log_probability;
                        }
                        return a.parent != b.parent ? a.parent < b.parent : a.choice < b.choice;
                      });
    std::vector<Partial> next;
    next.reserve(kept);
    const std::uint32_t first = first_child_;
    for (std::size_t i = 0; i < kept; ++i) {
      const Extension& extension = extensions_[i];
      const Partial& parent = partial_[extension.parent];
      next.push_back(
          {parent.row, extension.log_probability, static_cast<std::uint32_t>(first + i)});
      if (done(parent)) continue;
      decoder_.copy(parent.slot, next.back().slot);
      next.back().row.commit(extension.choice);
    }
    partial_ = std::move(next);
    first_child_ = first == 0 ? static_cast<std::uint32_t>(width_) : 0;
  }

  void deliver(const Partial& partial, Rollout& rollout) const {
    State state = partial.row.state();
    rollout.complete = state.done();
    if (!rollout.complete) {
      state.complete(*partial.row.encoded().order);
    }
    rollout.solution = state.solution();
    rollout.log_probability = partial.log_probability;
  }

  const PackedModel& model_;
  Decoder& decoder_;
  std::size_t width_;
  StepCounter* counter_;
  StepScorer scorer_;
  std::uint32_t first_child_ = static_cast<std::uint32_t>(width_);
  std::vector<Partial> partial_;
  std::vector<Extension> extensions_;
  std::vector<std::size_t> active_;
  std::vector<std::uint32_t> slots_, feasible_;
};

}  // namespace

void decode_beam(const PackedModel& model, Decoder& decoder, const PointerEncoding::View& encoded,
                 const DecodeOptions& options, const Deadline& deadline,
                 std::span<Rollout> rollouts) {
  with_problem(encoded.instance->kind, [&]<class State>() {
    Beam<State>(model, decoder, encoded, options, rollouts.size(), deadline)
        .run(deadline, rollouts);
  });
}

}  // namespace eco
