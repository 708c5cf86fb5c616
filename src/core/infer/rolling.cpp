#include "core/infer/rolling.h"

#include <algorithm>
#include <deque>

#include "core/infer/choose.h"
#include "core/infer/partial_path.h"
#include "core/infer/step_counter.h"
#include "core/kernels/norm.h"
#include "core/model/candidate_scorer.h"
#include "core/model/candidates.h"
#include "core/model/decoder.h"
#include "core/model/encoder.h"
#include "core/ordering/ordering.h"

namespace eco {

// One sub-problem on its way from an encoding to the next.
struct Walk {
  SubProblem sub;
  CandidateWalk walk;
  std::size_t owner = 0;  // index of the rollout
  std::size_t first = 0;  // row of its first token
  std::size_t steps = 0;  // still to be made
  Segment segment;
};

// Everything that a group of sub-problems needs besides the rollouts themselves. Buffers grow to
// the largest round and are kept.
struct RollingDecoder::Work {
  explicit Work(const PackedModel& packed)
      : model(packed), encoder(packed), decoder(packed), scorer(packed) {}

  const PackedModel& model;
  Encoder encoder;
  Decoder decoder;
  CandidateScorer scorer;

  std::deque<Walk> walks;  // the first `used` belong to the round
  std::size_t used = 0;
  std::size_t candidates = 0;  // a step
  std::vector<float> features, h, mean, keys, nodes, bias, destination, base, z, dynamic, logits;
  std::vector<TokenSequence> sequences;
  std::vector<std::uint32_t> active;
  std::vector<std::vector<std::uint32_t>> rows;  // token rows of the candidates, by active walk
  std::vector<CandidateSet> sets;

  Walk& next_walk() {
    if (used == walks.size()) walks.emplace_back();
    return walks[used++];
  }
  // False if the deadline came first.
  bool encode(const Deadline& deadline);
  void step_decoder();
};

bool RollingDecoder::Work::encode(const Deadline& deadline) {
  const std::size_t dim = model.config.dim, width = model.config.candidate_dim;
  features.clear();
  sequences.clear();
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < used; ++i) {
    const SubProblem& sub = walks[i].sub;
    walks[i].first = tokens;
    sequences.push_back({tokens, sub.size(), sub.hilbert()});
    features.insert(features.end(), sub.features().begin(), sub.features().end());
    tokens += sub.size();
  }
  h.resize(tokens * dim);
  keys.resize(tokens * dim);
  nodes.resize(tokens * width);
  bias.resize(tokens);
  mean.resize(used * dim);
  if (!encoder.encode(features, sequences, h.data(), mean.data(), deadline)) return false;
  constexpr std::size_t kTokensBetweenClockReads = 4096;
  for (std::size_t first = 0; first < tokens; first += kTokensBetweenClockReads) {
    if (deadline.reached()) return false;
    const std::size_t end = std::min(tokens, first + kTokensBetweenClockReads);
    const float* from = h.data() + first * dim;
    gemm(end - first, from, dim, model.key, keys.data() + first * dim, dim);
    gemm(end - first, from, dim, model.candidate->node, nodes.data() + first * width, width);
    for (std::size_t i = first; i < end; ++i) {
      bias[i] = dot(dim, model.node_bias.data(), h.data() + i * dim);
    }
  }
  // What every step of a walk adds to its decoder input: g + W_s h_s.
  destination.resize(used * dim);
  for (std::size_t i = 0; i < used; ++i) {
    const std::size_t row = walks[i].first + walks[i].sub.destination();
    std::copy_n(h.data() + row * dim, dim, destination.data() + i * dim);
  }
  base = mean;
  gemm(used, destination.data(), dim, model.candidate->destination, base.data(), dim,
       Epilogue::add);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < used; ++i) {
    longest = std::max(longest, walks[i].steps);
    walks[i].walk.start(walks[i].sub, candidates);
  }
  decoder.prepare(used, longest);
  return true;
}

// z_t of the active walks, the decoder's step, the candidates and their logits.
void RollingDecoder::Work::step_decoder() {
  const std::size_t dim = model.config.dim, width = model.config.dynamic_features();
  z.resize(active.size() * dim);
  dynamic.resize(active.size() * width);
  rows.resize(std::max(rows.size(), active.size()));
  sets.clear();
  for (std::size_t r = 0; r < active.size(); ++r) {
    Walk& walk = walks[active[r]];
    float* input = z.data() + r * dim;
    std::copy_n(base.data() + active[r] * dim, dim, input);
    add_to(dim, h.data() + (walk.first + walk.walk.current()) * dim, input);
    if (walk.segment.nodes.empty()) add_to(dim, model.start.data(), input);
    walk.walk.dynamic(std::span(dynamic).subspan(r * width, width));
    walk.walk.propose();
    rows[r].clear();
    for (const std::uint32_t token : walk.walk.tokens()) {
      rows[r].push_back(static_cast<std::uint32_t>(walk.first + token));
    }
    sets.push_back({rows[r], walk.walk.features(), walk.walk.distances()});
  }
  gemm(active.size(), dynamic.data(), width, model.dynamic, z.data(), dim, Epilogue::add);
  decoder.step(active, z.data());
  scorer.score(sets, z.data(), {keys.data(), nodes.data(), bias.data()}, logits);
}

namespace {

// What a thread of a group needs to turn logits into actions.
struct Mover {
  struct Action {
    std::uint32_t token;
    bool via_depot;
    friend bool operator==(const Action&, const Action&) = default;
  };
  explicit Mover(const DecodeOptions& options) : choose(options) {}

  Chooser choose;
  std::vector<Action> allowed;
  std::vector<float> logits;  // of the allowed actions
};

// The rollouts of one group, of one problem. The sub-problems of a round are dealt out to the
// works, one thread each, and meet again at its end.
template <class Path, class Work>
class RollingGroup {
 public:
  RollingGroup(const PackedModel& model, std::span<const RollingTask> tasks,
               const DecodeOptions& options, std::span<Work* const> works)
      : model_(model), tasks_(tasks), options_(options), works_(works) {
    for (const RollingTask& task : tasks) {
      Row& row = rows_.emplace_back(Row{Path(*task.instance, task.start), {}, {}, 0.0, {}});
      for (std::uint64_t end = 0; end < 2; ++end) {
        row.rng.emplace_back(options.seed, task.stream + end);
      }
      if (task.guide != nullptr) row.guide = path_steps(task.instance->kind, *task.guide);
    }
    for (Work* work : works) work->candidates = options.candidates;
    movers_.assign(works.size(), Mover(options));
  }

  // pool: null if there is one work only.
  void run(ThreadPool* pool, const Deadline& deadline) {
    while (open_round(deadline) && !deadline.reached()) {
      if (pool != nullptr) {
        pool->parallel_for(works_.size(), [&](std::size_t i, std::size_t) { decode(i, deadline); });
      } else {
        decode(0, deadline);
      }
      // A round that the deadline cut short is dropped.
      if (std::any_of(works_.begin(), works_.end(), [](Work* w) { return !w->active.empty(); })) {
        break;
      }
      close_round();
    }
    deliver();
  }

 private:
  struct Row {
    Path path;
    std::vector<Rng> rng;  // one an end
    std::vector<Segment> segments;
    double log_probability;
    PathSteps guide;
  };

  // The next sub-problems of all unfinished rollouts; false if there are none, or no time for them.
  bool open_round(const Deadline& deadline) {
    for (Work* work : works_) work->used = 0;
    std::size_t dealt = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Path& path = rows_[i].path;
      if (path.done()) continue;
      const SubProblem* forward = nullptr;
      for (std::size_t end = 0; end < path.ends(options_.ends); ++end) {
        Walk& walk = works_[dealt++ % works_.size()]->next_walk();
        const SubProblemInput input = path.sub_problem(end);
        if (end == 0) {
          if (!walk.sub.build(*tasks_[i].instance, input, deadline)) return false;
          forward = &walk.sub;
        } else {
          walk.sub.build_reversed(*forward);
        }
        walk.owner = i;
        walk.steps = segment_steps(options_.reencode, path.unvisited());
        walk.segment = {
            input.current, input.destination, end, path.unvisited(), input.remaining, {}, {}, 0.0};
      }
    }
    return dealt > 0;
  }

  // Encodes and decodes the sub-problems of one work.
  void decode(std::size_t index, const Deadline& deadline) {
    Work& work = *works_[index];
    work.active.clear();
    for (std::uint32_t i = 0; i < work.used; ++i) work.active.push_back(i);
    if (work.used == 0 || !work.encode(deadline)) return;
    while (!work.active.empty() && !deadline.reached()) {
      work.step_decoder();
      std::size_t offset = 0;
      for (const std::uint32_t walk : work.active) {
        move(work.walks[walk], movers_[index], work.logits, offset);
      }
      std::erase_if(work.active, [&](std::uint32_t i) { return work.walks[i].steps == 0; });
    }
  }

  // One step of a walk; `offset`: where its logits start, moved on to the next walk's.
  void move(Walk& walk, Mover& mover, std::span<const float> logits, std::size_t& offset) {
    const std::size_t actions = model_.config.actions(), count = walk.walk.tokens().size();
    mover.allowed.clear();
    mover.logits.clear();
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t action = 0; action < actions; ++action, ++offset) {
        if (!(action == 0 ? walk.walk.direct(j) : walk.walk.via_depot())) continue;
        mover.allowed.push_back({walk.walk.tokens()[j], action != 0});
        mover.logits.push_back(logits[offset]);
      }
    }
    Mover::Action action{};
    if (tasks_[walk.owner].guide != nullptr) {
      action = follow(walk, mover);
    } else {
      const Choice choice = mover.choose(mover.logits, rows_[walk.owner].rng[walk.segment.end]);
      action = mover.allowed[choice.index];
      walk.segment.log_probability += choice.log_probability;
    }
    walk.segment.nodes.push_back(walk.sub.nodes()[action.token]);
    walk.segment.via_depot.push_back(action.via_depot ? 1 : 0);
    walk.walk.step(action.token, action.via_depot);
    --walk.steps;
  }

  // The action of the guide, which may not be among the candidates; notes what the policy thinks.
  Mover::Action follow(Walk& walk, const Mover& mover) {
    const Row& row = rows_[walk.owner];
    const std::size_t step = row.guide.nodes.size() - walk.walk.unvisited();
    const auto tokens = walk.sub.nodes();
    Mover::Action action{0, row.guide.via_depot[step] != 0};
    for (std::uint32_t token = 0; token < tokens.size(); ++token) {
      if (tokens[token] == row.guide.nodes[step]) action.token = token;
    }
    StepScore& score = tasks_[walk.owner].scores->emplace_back();
    score.node = row.guide.nodes[step];
    score.via_depot = action.via_depot;
    const auto found = std::find(mover.allowed.begin(), mover.allowed.end(), action);
    if (found != mover.allowed.end()) {
      score.log_probability =
          log_probability(mover.logits, static_cast<std::size_t>(found - mover.allowed.begin()));
    }
    for (const Mover::Action& choice : mover.allowed) {
      score.choices.push_back(tokens[choice.token]);
      score.via.push_back(choice.via_depot ? 1 : 0);
    }
    score.logits = mover.logits;
    walk.segment.log_probability += score.log_probability;
    return action;
  }

  // Keeps the more probable end of each rollout; of equals the first.
  void close_round() {
    std::vector<Walk*> best(rows_.size(), nullptr);
    for (Work* work : works_) {
      for (std::size_t i = 0; i < work->used; ++i) {
        Walk*& kept = best[work->walks[i].owner];
        const Segment& segment = work->walks[i].segment;
        if (kept == nullptr || segment.log_probability > kept->segment.log_probability ||
            (segment.log_probability == kept->segment.log_probability &&
             segment.end < kept->segment.end)) {
          kept = &work->walks[i];
        }
      }
    }
    for (Walk* walk : best) {
      if (walk == nullptr) continue;
      Row& row = rows_[walk->owner];
      row.path.extend(walk->segment);
      if (options_.counter != nullptr) options_.counter->add(walk->segment.nodes.size());
      row.log_probability += walk->segment.log_probability;
      row.segments.push_back(std::move(walk->segment));
    }
  }

  void deliver() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Row& row = rows_[i];
      Rollout& rollout = *tasks_[i].rollout;
      rollout.complete = row.path.done();
      if (!rollout.complete) {
        row.path.complete(canonical_order(*tasks_[i].instance, Ordering::hilbert));
      }
      rollout.solution = row.path.solution();
      rollout.log_probability = row.log_probability;
      rollout.segments = std::move(row.segments);
    }
  }

  const PackedModel& model_;
  std::span<const RollingTask> tasks_;
  DecodeOptions options_;
  std::span<Work* const> works_;
  std::vector<Mover> movers_;  // one a work
  std::vector<Row> rows_;
};

template <class Work>
void run_group(std::span<Work* const> works, std::span<const RollingTask> tasks,
               const DecodeOptions& options, ThreadPool* pool, const Deadline& deadline) {
  const PackedModel& model = works[0]->model;
  if (model.config.problem == ProblemKind::cvrp) {
    RollingGroup<CvrpPath, Work>(model, tasks, options, works).run(pool, deadline);
  } else {
    RollingGroup<TspPath, Work>(model, tasks, options, works).run(pool, deadline);
  }
}

}  // namespace

RollingDecoder::RollingDecoder(const PackedModel& model) : work_(std::make_unique<Work>(model)) {}
RollingDecoder::~RollingDecoder() = default;
RollingDecoder::RollingDecoder(RollingDecoder&&) noexcept = default;

void RollingDecoder::run(std::span<const RollingTask> tasks, const DecodeOptions& options,
                         const Deadline& deadline) {
  Work* const work = work_.get();
  run_group<Work>({&work, 1}, tasks, options, nullptr, deadline);
}

void RollingDecoder::run_together(std::span<RollingDecoder> decoders, ThreadPool& pool,
                                  std::span<const RollingTask> tasks, const DecodeOptions& options,
                                  const Deadline& deadline) {
  std::vector<Work*> works;
  works.reserve(decoders.size());
  for (RollingDecoder& decoder : decoders) works.push_back(decoder.work_.get());
  run_group<Work>(works, tasks, options, &pool, deadline);
}

}  // namespace eco
