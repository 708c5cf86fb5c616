#include "core/infer/pointer.h"

#include <algorithm>
#include <cassert>

#include "core/infer/choose.h"
#include "core/infer/partial_solution.h"
#include "core/infer/step_counter.h"
#include "core/infer/step_scorer.h"
#include "core/kernels/norm.h"
#include "core/model/instance_tokens.h"

namespace eco {

namespace {

template <class State>
class PointerGroup {
 public:
  PointerGroup(const PackedModel& model, Decoder& decoder, std::span<const PointerTask> tasks,
               const DecodeOptions& options, const Deadline& deadline)
      : tasks_(tasks),
        choose_(options),
        counter_(options.counter),
        scorer_(model, decoder, tasks.size(), longest_of(tasks), deadline) {
    rows_.reserve(tasks.size());
    for (const PointerTask& task : tasks) {
      rows_.push_back(
          {PartialSolution<State>(task.encoded, options.candidates, model.config.detours()),
           Rng(options.seed, task.stream), 0.0});
    }
    decoder.prepare(tasks.size(), State::most_steps(longest_of(tasks)));
  }

  void run(const Deadline& deadline) {
    for (std::uint32_t slot = 0; slot < rows_.size(); ++slot) {
      if (!rows_[slot].row.state().done()) active_.push_back(slot);
    }
    while (!active_.empty() && !deadline.reached()) {
      step();
      if (counter_ != nullptr) counter_->add(active_.size());
      std::erase_if(active_, [&](std::uint32_t slot) { return rows_[slot].row.state().done(); });
    }
    for (std::size_t slot = 0; slot < rows_.size(); ++slot) deliver(slot);
  }

 private:
  struct PointerRollout {
    PartialSolution<State> row;
    Rng rng;
    double log_probability;
  };

  static std::size_t longest_of(std::span<const PointerTask> tasks) {
    std::size_t longest = 0;
    for (const PointerTask& task : tasks) longest = std::max(longest, task.encoded.order->size());
    return longest;
  }

  void step() {
    for (std::size_t r = 0; r < active_.size(); ++r) scorer_.set(r, rows_[active_[r]].row);
    scorer_.step(active_);
    for (std::size_t r = 0; r < active_.size(); ++r) move(active_[r], r);
  }

  void move(std::uint32_t slot, std::size_t r) {
    PartialSolution<State>& row = rows_[slot].row;
    const PointerTask& task = tasks_[slot];
    if (task.start && row.state().takes_first((*task.encoded.order)[*task.start])) {
      const std::size_t start = task.guide != nullptr ? guided(task, row) : *task.start;
      row.commit(static_cast<std::uint32_t>(start));
      return;
    }
    if (row.state().steps() < task.given) {
      row.commit(guided(task, row));
      return;
    }
    const std::span<const std::uint32_t> feasible = row.propose(feasible_);
    const std::span<const float> logits = scorer_.logits(r, feasible);
    if (logits.empty()) return;  // the deadline
    Choice choice;
    if (task.scores != nullptr) {
      const auto wanted = std::find(feasible.begin(), feasible.end(), guided(task, row));
      assert(wanted != feasible.end());
      choice.index = static_cast<std::size_t>(wanted - feasible.begin());
      choice.log_probability = log_probability(logits, choice.index);
      note(task, row, feasible, logits, choice);
    } else {
      choice = choose_(logits, rows_[slot].rng);
    }
    rows_[slot].log_probability += choice.log_probability;
    row.commit(feasible[choice.index]);
  }

  // What the guide does next.
  static std::uint32_t guided(const PointerTask& task, const PartialSolution<State>& row) {
    return row.choice_of(std::span(*task.guide).subspan(row.state().steps()));
  }

  static void note(const PointerTask& task, const PartialSolution<State>& row,
                   std::span<const std::uint32_t> feasible, std::span<const float> logits,
                   const Choice& choice) {
    StepScore& score = task.scores->emplace_back();
    for (const std::uint32_t one : feasible) score.choices.push_back(row.node_of(one));
    score.logits.assign(logits.begin(), logits.end());
    score.node = score.choices[choice.index];
    score.log_probability = choice.log_probability;
  }

  void deliver(std::size_t slot) {
    State& state = rows_[slot].row.state();
    Rollout& rollout = *tasks_[slot].rollout;
    rollout.complete = state.done();
    if (!rollout.complete) {
      state.complete(*tasks_[slot].encoded.order);
    }
    rollout.solution = state.solution();
    rollout.log_probability = rows_[slot].log_probability;
  }

  std::span<const PointerTask> tasks_;
  Chooser choose_;
  StepCounter* counter_;
  StepScorer scorer_;
  std::vector<PointerRollout> rows_;
  std::vector<std::uint32_t> active_, feasible_;
};

}  // namespace

void PointerEncoding::encode(const PackedModel& model, Encoder& encoder,
                             std::span<const Instance* const> instances, const Deadline& deadline) {
  dim_ = model.config.dim;
  instances_.assign(instances.begin(), instances.end());
  orders_.clear();
  first_.clear();
  std::vector<float> features;
  std::vector<TokenSequence> sequences;
  std::size_t tokens = 0;
  for (const Instance* instance : instances) {
    InstanceTokens input = instance_tokens(model.config, *instance);
    orders_.push_back(std::move(input.order));
    features.insert(features.end(), input.features.begin(), input.features.end());
    first_.push_back(tokens);
    sequences.push_back({tokens, instance->size(), {}});
    tokens += instance->size();
  }
  const auto grow = [](AlignedBuffer<float>& buffer, std::size_t size) {
    if (buffer.size() < size) buffer = AlignedBuffer<float>(size);
  };
  grow(h_, tokens * dim_);
  grow(keys_, tokens * dim_);
  grow(bias_, tokens);
  grow(mean_, instances.size() * dim_);
  width_ = model.config.glimpse() ? model.glimpse.width() : 0;
  grow(context_, tokens * width_);
  grow(graph_, width_ > 0 ? instances.size() * dim_ : 0);
  if (!encoder.encode(features, sequences, h_.data(), mean_.data(), deadline)) return;
  if (model.config.heavy()) return;  // reads H itself
  constexpr std::size_t kTokensBetweenClockReads = 4096;
  for (std::size_t first = 0; first < tokens && !deadline.reached();
       first += kTokensBetweenClockReads) {
    const std::size_t end = std::min(tokens, first + kTokensBetweenClockReads);
    gemm(end - first, h_.data() + first * dim_, dim_, model.key, keys_.data() + first * dim_, dim_);
    for (std::size_t i = first; i < end; ++i) {
      bias_[i] = dot(dim_, model.node_bias.data(), h_.data() + i * dim_);
    }
    if (width_ == 0) continue;
    gemm(end - first, h_.data() + first * dim_, dim_, model.glimpse.node,
         context_.data() + first * width_, width_);
  }
  if (model.glimpse.graph.outputs() > 0) {
    gemm(instances.size(), mean_.data(), dim_, model.glimpse.graph, graph_.data(), dim_);
  }
}

PointerEncoding::View PointerEncoding::view(std::size_t i) const {
  const std::size_t row = first_[i];
  return {instances_[i],
          &orders_[i],
          h_.data() + row * dim_,
          keys_.data() + row * dim_,
          bias_.data() + row,
          mean_.data() + i * dim_,
          context_.data() + row * width_,
          width_ > 0 ? graph_.data() + i * dim_ : nullptr};
}

void decode_pointer(const PackedModel& model, Decoder& decoder, std::span<const PointerTask> tasks,
                    const DecodeOptions& options, const Deadline& deadline) {
  with_problem(tasks.front().encoded.instance->kind, [&]<class State>() {
    PointerGroup<State>(model, decoder, tasks, options, deadline).run(deadline);
  });
}

}  // namespace eco
