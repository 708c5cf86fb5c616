#include "core/infer/rolling.h"

#include <algorithm>
#include <cmath>

#include "core/infer/choose.h"
#include "core/infer/partial_path.h"
#include "core/infer/rolling_work.h"
#include "core/infer/route_value.h"
#include "core/infer/step_counter.h"
#include "core/kernels/norm.h"
#include "core/ordering/ordering.h"

namespace eco {

namespace {

// CVRP: so much of a route is decoded from one encoding, however few customers remain, and of a
// longer one the routes tried are judged by it.
constexpr std::size_t kRouteSteps = 64;

// What a thread of a group needs to turn logits into actions.
struct Mover {
  explicit Mover(const DecodeOptions& options) : choose(options) {}

  Chooser choose;
  std::vector<RollingAction> allowed;
  std::vector<float> logits;  // of the allowed actions
};

// The allowed actions of a lane; `offset`: where its logits start, moved on to the next lane's.
void collect_actions(const Lane& lane, std::size_t actions, std::span<const float> logits,
                     std::size_t& offset, Mover& mover) {
  mover.allowed.clear();
  mover.logits.clear();
  for (std::size_t j = 0; j < lane.walk.tokens().size(); ++j) {
    for (std::size_t action = 0; action < actions; ++action, ++offset) {
      if (!(action == 0 ? lane.walk.direct(j) : lane.walk.via_depot())) continue;
      mover.allowed.push_back({lane.walk.tokens()[j], action != 0});
      mover.logits.push_back(logits[offset]);
    }
  }
}

void take(const Walk& walk, Lane& lane, const RollingAction& action, double log_probability) {
  lane.nodes.push_back(walk.sub.nodes()[action.token]);
  lane.via_depot.push_back(action.via_depot ? 1 : 0);
  lane.log_probability += log_probability;
  lane.walk.step(action.token, action.via_depot);
  --lane.steps_left;
  if (lane.walk.unvisited() == 0) lane.steps_left = 0;
}

// The most probable ways to begin a route, and how sure the policy is that one begins here.
void open_route(Lane& lane, const Mover& mover, std::size_t count) {
  const bool first = lane.walk.at_depot();  // then every action begins the first route
  const ExpSum total = exp_sum(mover.logits);
  const double log_total = total.max + std::log(double{total.sum});
  double certainty = 0;
  lane.openings.clear();
  for (std::size_t i = 0; i < mover.allowed.size(); ++i) {
    if (!first && !mover.allowed[i].via_depot) continue;
    const double log_probability = mover.logits[i] - log_total;
    lane.openings.push_back({mover.allowed[i], log_probability});
    certainty += std::exp(log_probability);
  }
  lane.confidence += std::log(certainty);
  ++lane.decisions;
  const auto better = [](const Lane::Opening& a, const Lane::Opening& b) {
    return a.log_probability > b.log_probability;
  };
  std::stable_sort(lane.openings.begin(), lane.openings.end(), better);
  if (lane.openings.size() > count) lane.openings.resize(count);
  lane.steps_left = 0;
}

// The rollouts of one group, of one problem. The sub-problems of a round are dealt out to the
// works, one thread each, and meet again at its end.
template <class Path>
class RollingGroup {
 public:
  RollingGroup(const PackedModel& model, std::span<const RollingTask> tasks,
               const DecodeOptions& options, std::span<RollingWork* const> works)
      : model_(model), tasks_(tasks), options_(options), works_(works) {
    if (model.config.problem == ProblemKind::cvrp) branches_ = options.ends;
    for (const RollingTask& task : tasks) {
      Row& row = rows_.emplace_back(Row{Path(*task.instance, task.start, options.window),
                                        {},
                                        {},
                                        0.0,
                                        {},
                                        RouteValue(*task.instance)});
      for (std::uint64_t end = 0; end < 2; ++end) {
        row.rng.emplace_back(options.seed, task.stream + end);
      }
      if (task.guide != nullptr) row.guide = path_steps(task.instance->kind, *task.guide);
    }
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
      if (std::any_of(works_.begin(), works_.end(), unfinished)) break;
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
    RouteValue value;  // CVRP

    // What the guide does next.
    [[nodiscard]] std::span<const NodeId> next_steps(std::size_t count) const {
      if (guide.nodes.empty()) return {};
      return std::span(guide.nodes).subspan(guide.nodes.size() - path.unvisited(), count);
    }
  };

  static bool unfinished(const RollingWork* work) { return !work->active.empty(); }

  // The next sub-problems of all unfinished rollouts; false if there are none, or no time for them.
  bool open_round(const Deadline& deadline) {
    for (RollingWork* work : works_) work->clear(options_.candidates, branches_);
    std::size_t dealt = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Path& path = rows_[i].path;
      if (path.done()) continue;
      const std::size_t steps =
          segment_steps(options_.reencode, std::min(path.unvisited(), options_.window));
      const SubProblem* forward = nullptr;
      for (std::size_t end = 0; end < path.ends(options_.ends); ++end) {
        Walk& walk = works_[dealt++ % works_.size()]->add_walk();
        const SubProblemInput input = path.sub_problem(end, rows_[i].next_steps(steps));
        if (end == 0 || path.cut()) {
          if (!walk.sub.build(*tasks_[i].instance, input, deadline)) return false;
          forward = &walk.sub;
        } else {
          walk.sub.build_reversed(*forward);
        }
        walk.owner = i;
        walk.steps = walk.longest = steps;
        if (branches_ > 1) walk.longest = std::max(2 * walk.steps, kRouteSteps);
        walk.segment = {
            input.current, input.destination, end, path.unvisited(), input.remaining, {}, {}, 0.0};
      }
    }
    return dealt > 0;
  }

  // Encodes and decodes the sub-problems of one work.
  void decode(std::size_t index, const Deadline& deadline) {
    RollingWork& work = *works_[index];
    if (work.walks() == 0 || !work.encode(deadline)) return;
    while (!work.active.empty() && !deadline.reached()) {
      work.step();
      std::size_t offset = 0;
      for (const std::uint32_t slot : work.active) {
        Lane& lane = work.lane_of(slot);
        collect_actions(lane, model_.config.actions(), work.logits, offset, movers_[index]);
        move(work.walk_of(slot), lane, movers_[index]);
      }
      std::erase_if(work.active, [&](std::uint32_t s) { return work.lane_of(s).steps_left == 0; });
      for (std::size_t i = 0; i < work.walks(); ++i) meet(work, i);
    }
  }

  // One step of a lane.
  void move(Walk& walk, Lane& lane, Mover& mover) {
    if (tasks_[walk.owner].guide != nullptr) {
      follow(walk, lane, mover);
      return;
    }
    const Choice choice = mover.choose(mover.logits, rows_[walk.owner].rng[walk.segment.end]);
    const RollingAction action = mover.allowed[choice.index];
    if (branches_ > 1 && (action.via_depot || lane.walk.at_depot())) {
      open_route(lane, mover, branches_);
      return;
    }
    lane.confidence += choice.log_probability;
    ++lane.decisions;
    // The first step is made however doubtful it is.
    if (walk.certain == lane.nodes.size() &&
        (walk.certain == 0 || std::exp(choice.log_probability) >= 1 - options_.doubt)) {
      ++walk.certain;
      walk.certain_log_probability += choice.log_probability;
    }
    take(walk, lane, action, choice.log_probability);
  }

  // Once all lanes of a walk wait: keeps the most valuable one (of equals the first) and goes on
  // with it. Where it has completed a route, that is by as many lanes as there are openings.
  void meet(RollingWork& work, std::size_t index) {
    Walk& walk = work.walk(index);
    const auto begin = walk.lanes.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(walk.branches);
    if (walk.branches == 0 || std::any_of(begin, end, [](auto& l) { return l.steps_left > 0; })) {
      return;
    }
    const auto best = std::max_element(begin, end, [&](const Lane& a, const Lane& b) {
      return value_of(walk, a) < value_of(walk, b);
    });
    if (best != begin)
      work.copy(work.slot(index, static_cast<std::size_t>(best - begin)), work.slot(index, 0));
    Lane& lane = walk.lanes[0];
    keep(lane, walk.segment);
    const std::size_t made = walk.segment.nodes.size();
    const bool complete = !lane.openings.empty();
    // Between two routes half of the steps due are enough; that is the better place to stop.
    // Where all is to be decoded from this encoding there is none.
    const bool due = complete ? 2 * made >= walk.steps && walk.steps < walk.segment.unvisited
                              : made >= walk.longest;
    if (lane.walk.unvisited() == 0 || (due && made > 0)) {
      walk.branches = 0;
      return;
    }
    lane.steps_left = walk.longest - made;
    walk.branches = 1;
    if (complete) fork(work, index);
    for (std::size_t i = 0; i < walk.branches; ++i) {
      if (walk.lanes[i].steps_left > 0) work.active.push_back(work.slot(index, i));
    }
    if (complete) meet(work, index);  // all of them may have come to their end by one step
  }

  [[nodiscard]] double value_of(const Walk& walk, const Lane& lane) const {
    return rows_[walk.owner].value(lane.nodes, lane.mean_confidence(), lane.walk.lost_room(),
                                   !lane.openings.empty());
  }

  // The steps of a lane become the segment's.
  static void keep(Lane& lane, Segment& segment) {
    segment.nodes.insert(segment.nodes.end(), lane.nodes.begin(), lane.nodes.end());
    segment.via_depot.insert(segment.via_depot.end(), lane.via_depot.begin(), lane.via_depot.end());
    segment.log_probability += lane.log_probability;
    lane.nodes.clear();
    lane.via_depot.clear();
    lane.walk.settle();
    lane.log_probability = lane.confidence = 0;
    lane.decisions = 0;
  }

  // A lane for each opening, one step made. What an opening costs in probability says nothing about
  // the route that it leads to, so it does not count as confidence.
  static void fork(RollingWork& work, std::size_t index) {
    Walk& walk = work.walk(index);
    const std::vector<Lane::Opening> openings = std::move(walk.lanes[0].openings);
    walk.lanes[0].openings.clear();
    walk.lanes[0].steps_left = std::min(walk.lanes[0].steps_left, kRouteSteps);
    walk.lanes[0].walk.part();
    walk.branches = openings.size();
    for (std::size_t i = 1; i < walk.branches; ++i)
      work.copy(work.slot(index, 0), work.slot(index, i));
    for (std::size_t i = 0; i < walk.branches; ++i) {
      take(walk, walk.lanes[i], openings[i].action, openings[i].log_probability);
    }
  }

  // The action of the guide, which may not be among the candidates; notes what the policy thinks.
  void follow(const Walk& walk, Lane& lane, const Mover& mover) {
    const Row& row = rows_[walk.owner];
    const std::size_t step = row.guide.nodes.size() - walk.segment.unvisited + lane.nodes.size();
    const auto tokens = walk.sub.nodes();
    RollingAction action{0, row.guide.via_depot[step] != 0};
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
    for (const RollingAction& choice : mover.allowed) {
      score.choices.push_back(tokens[choice.token]);
      score.via.push_back(choice.via_depot ? 1 : 0);
    }
    score.logits = mover.logits;
    take(walk, lane, action, score.log_probability);
  }

  // Keeps the more probable end of each rollout; of equals the first.
  void close_round() {
    std::vector<Walk*> best(rows_.size(), nullptr);
    for (RollingWork* work : works_) {
      for (std::size_t i = 0; i < work->walks(); ++i) {
        Walk*& kept = best[work->walk(i).owner];
        const Segment& segment = work->walk(i).segment;
        if (kept == nullptr || segment.log_probability > kept->segment.log_probability ||
            (segment.log_probability == kept->segment.log_probability &&
             segment.end < kept->segment.end)) {
          kept = &work->walk(i);
        }
      }
    }
    for (Walk* walk : best) {
      if (walk == nullptr) continue;
      Row& row = rows_[walk->owner];
      put_off(*walk);
      row.path.extend(walk->segment);
      if (options_.counter != nullptr) options_.counter->add(walk->segment.nodes.size());
      row.log_probability += walk->segment.log_probability;
      row.segments.push_back(std::move(walk->segment));
    }
  }

  // Leaves doubtful steps to the next encoding, if there is one.
  void put_off(Walk& walk) const {
    Segment& segment = walk.segment;
    if (options_.doubt == 1 || tasks_[walk.owner].guide != nullptr) return;
    if (segment.nodes.size() == segment.unvisited || walk.certain >= segment.nodes.size()) return;
    segment.nodes.resize(walk.certain);
    segment.via_depot.resize(walk.certain);
    segment.log_probability = walk.certain_log_probability;
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
  std::span<RollingWork* const> works_;
  std::size_t branches_ = 1;   // CVRP: routes tried where one begins
  std::vector<Mover> movers_;  // one a work
  std::vector<Row> rows_;
};

void run_group(std::span<RollingWork* const> works, std::span<const RollingTask> tasks,
               const DecodeOptions& options, ThreadPool* pool, const Deadline& deadline) {
  const PackedModel& model = works[0]->model;
  if (model.config.problem == ProblemKind::cvrp) {
    RollingGroup<CvrpPath>(model, tasks, options, works).run(pool, deadline);
  } else {
    RollingGroup<TspPath>(model, tasks, options, works).run(pool, deadline);
  }
}

}  // namespace

RollingDecoder::RollingDecoder(const PackedModel& model)
    : work_(std::make_unique<RollingWork>(model)) {}
RollingDecoder::~RollingDecoder() = default;
RollingDecoder::RollingDecoder(RollingDecoder&&) noexcept = default;

void RollingDecoder::run(std::span<const RollingTask> tasks, const DecodeOptions& options,
                         const Deadline& deadline) {
  RollingWork* const work = work_.get();
  run_group({&work, 1}, tasks, options, nullptr, deadline);
}

void RollingDecoder::run_together(std::span<RollingDecoder> decoders, ThreadPool& pool,
                                  std::span<const RollingTask> tasks, const DecodeOptions& options,
                                  const Deadline& deadline) {
  std::vector<RollingWork*> works;
  works.reserve(decoders.size());
  for (RollingDecoder& decoder : decoders) works.push_back(decoder.work_.get());
  run_group(works, tasks, options, &pool, deadline);
}

}  // namespace eco
