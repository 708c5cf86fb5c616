#include "core/infer/merging.h"

#include <algorithm>
#include <atomic>

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
struct MergingDecoder::Job {
  explicit Job(const MergingTask& given)
      : task(&given),
        state(*given.instance),
        box(bounding_box(given.instance->points)),
        rng(given.seed, given.stream) {
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
  Box box;
  Rng rng;
};

// What one thread works with.
struct MergingDecoder::Worker {
  explicit Worker(const PackedModel& model) : network(model) {}

  MergeNetwork network;
  MergeInputBuilder builder;
  MergeInput input;
  std::vector<float> log_probabilities;
  Committer committer;
};

MergingDecoder::MergingDecoder(const PackedModel& model, std::size_t threads,
                               std::size_t block_nodes)
    : model_(model), block_nodes_(block_nodes) {
  for (std::size_t i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(model));
}

MergingDecoder::~MergingDecoder() = default;

void MergingDecoder::run(std::span<const MergingTask> tasks, ThreadPool& pool,
                         const Deadline& deadline) {
  std::vector<const MergingTask*> whole;
  for (const MergingTask& task : tasks) {
    if (2 * task.instance->size() > 3 * block_nodes_) {
      run_in_blocks(task, pool, deadline);
    } else {
      whole.push_back(&task);
    }
  }
  run_together(whole, pool, deadline);
}

void MergingDecoder::run_together(std::span<const MergingTask* const> tasks, ThreadPool& pool,
                                  const Deadline& deadline) {
  std::atomic<std::size_t> next{0};
  const std::size_t fair = (tasks.size() + pool.size() - 1) / pool.size();
  pool.parallel_for(std::min(pool.size(), tasks.size()), [&](std::size_t, std::size_t index) {
    Worker& w = *workers_[index];
    const bool depot = model_.config.depot();
    std::vector<std::unique_ptr<Job>> jobs;
    std::size_t tokens = 0;
    for (;;) {
      while (tokens < kTokensTogether && jobs.size() < fair) {
        const std::size_t task = next.fetch_add(1);
        if (task >= tasks.size()) break;
        jobs.push_back(std::make_unique<Job>(*tasks[task]));
        tokens += tasks[task]->instance->size();
      }
      std::erase_if(jobs, [](const auto& job) {
        if (finished(job->state)) job->finish(true);
        return finished(job->state);
      });
      if (jobs.empty()) {
        if (next >= tasks.size()) break;
        tokens = 0;  // all of them were finished as they came
        continue;
      }
      w.input.clear(depot, model_.config.candidates);
      for (const auto& job : jobs) w.builder.append(job->state, job->box, {}, w.input);
      if (!w.network.run(w.input, w.log_probabilities, deadline)) break;
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (jobs[i]->commit(choices_of(w.input, i, w.log_probabilities), w.committer)) continue;
        jobs[i]->finish(true);
        jobs[i].reset();
      }
      std::erase(jobs, nullptr);
      tokens = 0;
      for (const auto& job : jobs) tokens += job->state.open_nodes();
    }
    for (const auto& job : jobs) job->finish(false);
    // The deadline came: what nobody has begun.
    for (std::size_t task = next.fetch_add(1); task < tasks.size(); task = next.fetch_add(1)) {
      Job(*tasks[task]).finish(false);
    }
  });
}

void MergingDecoder::run_in_blocks(const MergingTask& task, ThreadPool& pool,
                                   const Deadline& whole) {
  // What is left at the end is linked greedily, which takes its time too.
  const Deadline deadline =
      whole.sooner_by(kSecondsToLink * static_cast<double>(task.instance->size()));
  if (deadline.reached() && task.start.empty()) {
    task.rollout->solution = curve_solution(*task.instance);
    task.rollout->complete = false;
    return;
  }
  Job job(task);
  BlockedChoices choices(model_.config.depot(), model_.config.candidates, block_nodes_);
  for (;;) {
    const std::size_t blocks = choices.divide(job.state, deadline);
    std::atomic<bool> in_time{!deadline.reached()};
    pool.parallel_for(blocks, [&](std::size_t block, std::size_t index) {
      Worker& w = *workers_[index];
      if (!in_time) return;
      w.input.clear(model_.config.depot(), model_.config.candidates);
      w.builder.append(job.state, job.box, choices.seen_in(block), w.input);
      if (w.network.run(w.input, w.log_probabilities, deadline)) {
        choices.take(block, w.input, w.log_probabilities);
      } else {
        in_time = false;
      }
    });
    if (!in_time) return job.finish(false);
    if (!job.commit(choices.view(), workers_[0]->committer)) return job.finish(true);
  }
}

}  // namespace eco
