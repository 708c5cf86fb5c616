#include <algorithm>
#include <cassert>

#include "core/base/error.h"
#include "core/infer/decode.h"
#include "core/model/candidates.h"
#include "core/model/features.h"
#include "core/model/subproblem.h"
#include "core/model/window.h"
#include "train/data/batch.h"
#include "train/data/tensor_row.h"

namespace eco::train {

namespace {

// One worker's buffers, kept between segments.
struct Workspace {
  SubProblem sub;
  CandidateWalk walk;
  std::vector<std::size_t> token_of;  // node -> token, valid for unvisited nodes
};

class SegmentBatchMaker {
 public:
  SegmentBatchMaker(const ModelConfig& config, std::size_t segments, std::size_t tokens,
                    std::size_t steps)
      : k_(config.candidates),
        actions_(config.actions()),
        dynamic_(config.dynamic_features()),
        inputs_(candidate_feature_count(config.problem)) {
    const auto b = static_cast<std::int64_t>(segments), l = static_cast<std::int64_t>(tokens);
    const auto t = static_cast<std::int64_t>(steps), k = static_cast<std::int64_t>(k_);
    batch_.features =
        at::empty({b, l, static_cast<std::int64_t>(config.token_features())}, at::kFloat);
    batch_.hilbert = at::empty({b, l}, at::kLong);
    batch_.destination = at::empty({b}, at::kLong);
    batch_.current = at::empty({b, t}, at::kLong);
    batch_.dynamic = at::empty({b, t, static_cast<std::int64_t>(dynamic_)}, at::kFloat);
    batch_.candidates = at::zeros({b, t, k}, at::kLong);
    batch_.candidate_features =
        at::zeros({b, t, k, static_cast<std::int64_t>(inputs_)}, at::kFloat);
    batch_.distances = at::zeros({b, t, k}, at::kFloat);
    batch_.count = at::empty({b, t}, at::kInt);
    batch_.allowed = at::zeros({b, t, k * static_cast<std::int64_t>(actions_)}, at::kBool);
    batch_.label = at::full({b, t}, -1, at::kLong);
  }

  void add(std::size_t b, const Segment& segment, Workspace& work) {
    work.sub.build(*segment.instance, {segment.current, segment.unvisited, segment.destination,
                                       segment.remaining, segment.cut});
    const SubProblem& sub = work.sub;
    std::copy(sub.features().begin(), sub.features().end(), row<float>(batch_.features, b));
    std::copy(sub.hilbert().begin(), sub.hilbert().end(), row<std::int64_t>(batch_.hilbert, b));
    row<std::int64_t>(batch_.destination, b)[0] = static_cast<std::int64_t>(sub.destination());
    work.token_of.resize(segment.instance->size());
    for (std::size_t token = 0; token < sub.size(); ++token) {
      if (token != sub.current() && token != sub.destination()) {
        work.token_of[sub.nodes()[token].index()] = token;
      }
    }
    work.walk.start(sub, k_);
    const std::size_t steps = static_cast<std::size_t>(batch_.label.size(1));
    for (std::size_t t = 0; t < steps; ++t) {
      if (t >= segment.path.size()) {  // it stays where the path left the window
        describe_step(b, t, work.walk, sub.current(), false);
        continue;
      }
      const bool via = !segment.via.empty() && segment.via[t] != 0;
      const std::size_t token = work.token_of[segment.path[t].index()];
      describe_step(b, t, work.walk, token, via);
      work.walk.step(token, via);
    }
  }

  [[nodiscard]] SegmentBatch take() { return std::move(batch_); }

 private:
  void describe_step(std::size_t b, std::size_t t, CandidateWalk& walk, std::size_t chosen,
                     bool via) {
    row<std::int64_t>(batch_.current, b)[t] = static_cast<std::int64_t>(walk.current());
    walk.dynamic({row<float>(batch_.dynamic, b) + t * dynamic_, dynamic_});
    walk.propose();
    const auto tokens = walk.tokens();
    row<std::int32_t>(batch_.count, b)[t] = static_cast<std::int32_t>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), row<std::int64_t>(batch_.candidates, b) + t * k_);
    std::copy(walk.features().begin(), walk.features().end(),
              row<float>(batch_.candidate_features, b) + t * k_ * inputs_);
    std::copy(walk.distances().begin(), walk.distances().end(),
              row<float>(batch_.distances, b) + t * k_);
    bool* allowed = row<bool>(batch_.allowed, b) + t * k_ * actions_;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      allowed[i * actions_] = walk.direct(i);
      if (actions_ > 1) allowed[i * actions_ + 1] = walk.via_depot();
      if (tokens[i] != chosen) continue;
      const std::size_t action = i * actions_ + (via ? 1 : 0);
      if (allowed[action]) {
        row<std::int64_t>(batch_.label, b)[t] = static_cast<std::int64_t>(action);
      }
    }
  }

  std::size_t k_, actions_, dynamic_, inputs_;
  SegmentBatch batch_;
};

// A solution as the candidate scorer writes it: nodes, and which are reached by way of the depot.
struct Plan {
  std::vector<NodeId> nodes;
  std::vector<std::uint8_t> via;  // empty for the TSP
};

Plan plan_of(const Instance& instance, const Solution& solution) {
  if (instance.kind == ProblemKind::tsp) {
    return {{solution.sequence.begin() + 1, solution.sequence.end()}, {}};
  }
  Plan plan;
  for (const Route& route : to_routes(solution)) {
    for (const NodeId node : route) {
      plan.via.push_back(node == route.front() && !plan.nodes.empty() ? 1 : 0);
      plan.nodes.push_back(node);
    }
  }
  return plan;
}

}  // namespace

std::vector<Segment> rolling_segments(const ModelConfig& config, const Instance& instance,
                                      const Solution& solution) {
  const Plan plan = plan_of(instance, solution);
  const NodeId home = instance.kind == ProblemKind::tsp ? solution.sequence.front() : kDepot;
  std::vector<Segment> segments;
  Segment state{&instance, home, home, {}, instance.capacity, {}, {}};
  std::size_t done = 0;
  while (done < plan.nodes.size()) {
    const std::size_t left = plan.nodes.size() - done;
    const std::size_t seen = config.window == 0 ? left : std::min(left, config.window);
    const std::size_t steps = segment_steps(config.reencode, seen);
    Segment segment = state;
    const auto from = plan.nodes.begin() + static_cast<std::ptrdiff_t>(done);
    segment.unvisited.assign(from, plan.nodes.end());
    segment.path.assign(from, from + static_cast<std::ptrdiff_t>(steps));
    segment.cut = seen < left;
    if (segment.cut) {
      segment.unvisited =
          window_of(instance, segment.current, segment.unvisited, seen, segment.path);
    }
    for (std::size_t i = done; i < done + steps; ++i) {
      if (instance.kind == ProblemKind::cvrp) {
        segment.via.push_back(plan.via[i]);
        if (plan.via[i] != 0) state.remaining = instance.capacity;
        state.remaining -= instance.demands[plan.nodes[i].index()];
      }
      state.current = plan.nodes[i];
    }
    done += steps;
    segments.push_back(std::move(segment));
  }
  return segments;
}

SegmentBatch make_segment_batch(const ModelConfig& config, std::span<const Segment> segments,
                                ThreadPool& pool) {
  assert(!segments.empty());
  const std::size_t tokens = segments[0].unvisited.size() + 2;
  std::size_t steps = 1;
  for (const Segment& segment : segments) {
    if (segment.unvisited.size() + 2 != tokens || segment.instance->kind != config.problem) {
      throw Error(ErrorKind::usage, "a batch needs segments of one problem and size");
    }
    steps = std::max(steps, segment.path.size());
  }
  SegmentBatchMaker maker(config, segments.size(), tokens, steps);
  std::vector<Workspace> workspaces(pool.size());
  pool.parallel_for(segments.size(), [&](std::size_t b, std::size_t worker) {
    maker.add(b, segments[b], workspaces[worker]);
  });
  return maker.take();
}

}  // namespace eco::train
