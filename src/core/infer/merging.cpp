#include "core/infer/merging.h"

#include <algorithm>
#include <atomic>

#include "core/base/error.h"
#include "core/infer/merging_blocks.h"
#include "core/infer/step_counter.h"
#include "core/search/construct/curve.h"

namespace eco {

namespace {

// Tokens that a worker has under way together, so that products have many rows.
constexpr std::size_t kTokensTogether = 2048;
constexpr double kSecondsToLink = 1.5e-6;  // a node, greedily

bool finished(const Fragments& state) {
  return state.open_nodes() == 0 || (!state.has_depot() && state.links_left() == 0);
}

}  // namespace

// A rollout under way.
struct MergingConstructor::PartialSolution {
  explicit PartialSolution(const MergingTask& given)
      : task(&given), state(*given.instance), view(*given.instance), rng(given.seed, given.stream) {
    for (const Edge& link : given.start) state.add(link.a, link.b);
  }

  // Makes the links of a round; false if the rollout is at its end.
  bool commit(const Choices& choices, Committer& committer) {
    const std::size_t open = state.open_nodes();
    committer.commit(state, choices, task->rule, &rng, task->allowed);
    task->rollout->encoded += choices.node.size();
    if (task->counter != nullptr) task->counter->add(open - state.open_nodes());
    if (task->keep_rounds) {
      task->rollout->rounds.emplace_back(committer.merges().begin(), committer.merges().end());
    }
    return !committer.merges().empty() && !finished(state);
  }

  // With a guide, nothing made means that nothing right is left to make; without, it is the CVRP
  // with nothing left but to go home.
  void finish(bool complete) {
    if (!state.has_depot() || !complete) link_greedily(state);
    task->rollout->complete = complete;
    task->rollout->solution = state.finish();
  }

  const MergingTask* task;
  Fragments state;
  View view;
  Rng rng;
};

// What one thread works with.
struct MergingConstructor::Worker {
  explicit Worker(const PackedModel& model) : config(model.config), network(model) {}

  void clear() { input.clear(config.depot(), config.candidates); }
  // What may be linked in a state: its open nodes (all, or those given) and their candidates.
  void propose(const PartialSolution& partial, std::span<const NodeId> nodes) {
    builder.append(partial.state, partial.view, nodes, input);
  }
  // False if the deadline came first.
  bool score(const Deadline& deadline) { return network.run(input, log_probabilities, deadline); }

  const ModelConfig& config;
  MergeNetwork network;
  MergeInputBuilder builder;
  MergeInput input;
  std::vector<float> log_probabilities;
  Committer committer;
};

MergingConstructor::MergingConstructor(const PackedModel& model, std::size_t threads,
                                       std::size_t block_nodes)
    : model_(model), block_nodes_(block_nodes) {
  for (std::size_t i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(model));
}

MergingConstructor::~MergingConstructor() = default;

void MergingConstructor::check(const DecodeOptions& options) const {
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::usage,
                std::string(what) + " weights with constructor = sequential (preset paper)");
  };
  if (options.method == Decode::beam) refuse("beam search needs");
  if (options.method == Decode::multistart) refuse("multistart needs");
  if (options.method == Decode::reconstruct) refuse("reconstruct needs");
  if (options.candidates) refuse("candidates need");
  if (options.top_k) refuse("top_k needs");
}

// The state, and what is chosen among; what is encoded at a time is bounded.
std::size_t MergingConstructor::bytes(std::size_t nodes) const {
  return nodes * (12 * model_.config.candidates + 400);
}

void MergingConstructor::run(std::span<const ConstructionTask> tasks, const DecodeOptions& options,
                             ThreadPool& pool, const Deadline& deadline) {
  std::vector<MergingTask> all;
  for (const ConstructionTask& task : tasks) {
    for (std::size_t sample = 0; sample < task.rollouts.size(); ++sample) {
      MergingTask& one = all.emplace_back();
      one.instance = task.instance;
      one.rule = rule_of(options.effort.value_or(Effort::balanced));
      if (options.method == Decode::sample) {
        one.rule.temperature = kNoise * options.temperature.value_or(1);
      }
      one.keep_rounds = options.keep_rounds;
      one.seed = options.seed;
      one.stream = task.stream(sample);
      one.rollout = &task.rollouts[sample];
      one.counter = options.counter;
    }
  }
  build(all, pool, deadline);
}

void MergingConstructor::build(std::span<const MergingTask> tasks, ThreadPool& pool,
                               const Deadline& deadline) {
  std::vector<const MergingTask*> whole;
  for (const MergingTask& task : tasks) {
    if (2 * task.instance->size() > 3 * block_nodes_) {
      build_in_blocks(task, pool, deadline);
    } else {
      whole.push_back(&task);
    }
  }
  build_together(whole, pool, deadline);
}

void MergingConstructor::build_together(std::span<const MergingTask* const> tasks, ThreadPool& pool,
                                        const Deadline& deadline) {
  std::atomic<std::size_t> next{0};
  const std::size_t fair = (tasks.size() + pool.size() - 1) / pool.size();
  pool.parallel_for(std::min(pool.size(), tasks.size()), [&](std::size_t, std::size_t index) {
    Worker& w = *workers_[index];
    std::vector<std::unique_ptr<PartialSolution>> under_way;
    std::size_t tokens = 0;
    for (;;) {
      while (tokens < kTokensTogether && under_way.size() < fair) {
        const std::size_t task = next.fetch_add(1);
        if (task >= tasks.size()) break;
        under_way.push_back(std::make_unique<PartialSolution>(*tasks[task]));
        tokens += tasks[task]->instance->size();
      }
      std::erase_if(under_way, [](const auto& partial) {
        if (finished(partial->state)) partial->finish(true);
        return finished(partial->state);
      });
      if (under_way.empty()) {
        if (next >= tasks.size()) break;
        tokens = 0;  // all of them were finished as they came
        continue;
      }
      w.clear();
      for (const auto& partial : under_way) w.propose(*partial, {});
      if (!w.score(deadline)) break;
      for (std::size_t i = 0; i < under_way.size(); ++i) {
        if (under_way[i]->commit(choices_of(w.input, i, w.log_probabilities), w.committer))
          continue;
        under_way[i]->finish(true);
        under_way[i].reset();
      }
      std::erase(under_way, nullptr);
      tokens = 0;
      for (const auto& partial : under_way) tokens += partial->state.open_nodes();
    }
    for (const auto& partial : under_way) partial->finish(false);
    // The deadline came: what nobody has begun.
    for (std::size_t task = next.fetch_add(1); task < tasks.size(); task = next.fetch_add(1)) {
      PartialSolution(*tasks[task]).finish(false);
    }
  });
}

void MergingConstructor::build_in_blocks(const MergingTask& task, ThreadPool& pool,
                                         const Deadline& whole) {
  // What is left at the end is linked greedily, which takes its time too.
  const Deadline deadline =
      whole.sooner_by(kSecondsToLink * static_cast<double>(task.instance->size()));
  if (deadline.reached() && task.start.empty()) {
    task.rollout->solution = curve_solution(*task.instance);
    task.rollout->complete = false;
    return;
  }
  PartialSolution partial(task);
  BlockedChoices choices(model_.config.depot(), model_.config.candidates, block_nodes_);
  for (;;) {
    const std::size_t blocks = choices.divide(partial.state, deadline);
    std::atomic<bool> in_time{!deadline.reached()};
    pool.parallel_for(blocks, [&](std::size_t block, std::size_t index) {
      Worker& w = *workers_[index];
      if (!in_time) return;
      w.clear();
      w.propose(partial, choices.seen_in(block));
      if (w.score(deadline)) {
        choices.take(block, w.input, w.log_probabilities);
      } else {
        in_time = false;
      }
    });
    if (!in_time) return partial.finish(false);
    if (!partial.commit(choices.view(), workers_[0]->committer)) return partial.finish(true);
  }
}

}  // namespace eco
