#include "core/infer/pointer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/infer/choose.h"
#include "core/infer/complete.h"
#include "core/kernels/norm.h"
#include "core/kernels/score.h"
#include "core/model/instance_tokens.h"
#include "core/problem/problem.h"

namespace eco {

namespace {

// What the two problems do differently under the pointer: their forced steps, the dynamic features
// and the mask. `open`: positions that may still be visited, ascending.
template <class State>
struct PointerProblem;

template <>
struct PointerProblem<TspState> {
  // The first node is given, not chosen.
  static bool forced_start(const TspState& state) { return state.steps() == 0; }
  static std::uint32_t first_open() { return 0; }
  static void dynamic(const TspState&, const Instance&, float*) {}
  static std::span<const std::uint32_t> feasible(const TspState&, const PointerEncoding::View&,
                                                 const std::vector<std::uint32_t>& open,
                                                 std::vector<std::uint32_t>&) {
    return open;
  }
  static void finish(TspState&) {}
};

template <>
struct PointerProblem<CvrpState> {
  static bool forced_start(const CvrpState&) { return false; }
  static std::uint32_t first_open() {
    return 1;
  }  // position 0 is the depot's, open by its own rule
  static void dynamic(const CvrpState& state, const Instance& instance, float* out) {
    out[0] = static_cast<float>(static_cast<double>(state.remaining_capacity()) /
                                static_cast<double>(instance.capacity));
    out[1] = state.current() == kDepot ? 1.0F : 0.0F;
  }
  static std::span<const std::uint32_t> feasible(const CvrpState& state,
                                                 const PointerEncoding::View& encoded,
                                                 const std::vector<std::uint32_t>& open,
                                                 std::vector<std::uint32_t>& out) {
    out.clear();
    if (state.feasible(kDepot)) out.push_back(0);
    for (const std::uint32_t position : open) {
      if (state.feasible((*encoded.order)[position])) out.push_back(position);
    }
    return out;
  }
  static void finish(CvrpState& state) {
    if (state.customers_left() == 0 && !state.done()) state.step(kDepot);
  }
};

template <class State>
class Group {
 public:
  using Problem = PointerProblem<State>;

  Group(const PackedModel& model, Decoder& decoder, std::span<const PointerTask> tasks,
        const DecodeOptions& options)
      : model_(model), decoder_(decoder), tasks_(tasks), choose_(options) {
    std::size_t longest = 0;
    rows_.reserve(tasks.size());
    for (const PointerTask& task : tasks) {
      const std::size_t nodes = task.encoded.order->size();
      longest = std::max(longest, nodes);
      rows_.push_back({State(*task.encoded.instance), {}, 0, Rng(options.seed, task.stream), 0.0});
      std::vector<std::uint32_t>& open = rows_.back().open;
      open.resize(nodes - Problem::first_open());
      std::iota(open.begin(), open.end(), Problem::first_open());
    }
    // A CVRP sequence has at most one depot a customer.
    decoder.prepare(tasks.size(), 2 * longest + 1);
    z_ = AlignedBuffer<float>(tasks.size() * model.config.dim);
    query_ = AlignedBuffer<float>(tasks.size() * model.config.dim);
    dynamic_.resize(tasks.size() * std::max<std::size_t>(1, model.config.dynamic_features()));
    logits_.resize(longest);
  }

  void run(const Deadline& deadline) {
    for (std::uint32_t slot = 0; slot < rows_.size(); ++slot) {
      Problem::finish(rows_[slot].state);
      if (!rows_[slot].state.done()) active_.push_back(slot);
    }
    while (!active_.empty() && !deadline.reached()) {
      step();
      std::erase_if(active_, [&](std::uint32_t slot) { return rows_[slot].state.done(); });
    }
    for (std::size_t slot = 0; slot < rows_.size(); ++slot) deliver(slot);
  }

 private:
  struct Row {
    State state;
    std::vector<std::uint32_t> open;
    std::uint32_t position;  // of the last node
    Rng rng;
    double log_probability;
  };

  void step() {
    const std::size_t dim = model_.config.dim, features = model_.config.dynamic_features();
    for (std::size_t r = 0; r < active_.size(); ++r) {
      const Row& row = rows_[active_[r]];
      const PointerEncoding::View& encoded = tasks_[active_[r]].encoded;
      float* z = z_.data() + r * dim;
      const float* previous =
          row.state.steps() == 0 ? model_.start.data() : encoded.h + row.position * dim;
      std::copy_n(previous, dim, z);
      add_to(dim, encoded.mean, z);
      Problem::dynamic(row.state, *encoded.instance, dynamic_.data() + r * features);
    }
    if (features > 0) {
      gemm(active_.size(), dynamic_.data(), features, model_.dynamic, z_.data(), dim,
           Epilogue::add);
    }
    decoder_.step(active_, z_.data());
    gemm(active_.size(), z_.data(), dim, model_.query, query_.data(), dim);
    for (std::size_t r = 0; r < active_.size(); ++r) move(active_[r], query_.data() + r * dim);
  }

  void move(std::uint32_t slot, const float* query) {
    Row& row = rows_[slot];
    const PointerTask& task = tasks_[slot];
    if (Problem::forced_start(row.state)) {
      visit(row, task,
            static_cast<std::uint32_t>(task.guide != nullptr ? guided(task, row) : task.start));
      return;
    }
    const std::span<const std::uint32_t> feasible =
        Problem::feasible(row.state, task.encoded, row.open, feasible_);
    const std::span<float> logits(logits_.data(), feasible.size());
    score_open(feasible, model_.config.dim, query, task.encoded.keys, task.encoded.bias,
               logits.data());
    Choice choice;
    if (task.guide != nullptr) {
      const auto wanted = std::find(feasible.begin(), feasible.end(), guided(task, row));
      assert(wanted != feasible.end());
      choice.index = static_cast<std::size_t>(wanted - feasible.begin());
      choice.log_probability = log_probability(logits, choice.index);
      note(task, feasible, logits, choice);
    } else {
      choice = choose_(logits, row.rng);
    }
    row.log_probability += choice.log_probability;
    visit(row, task, feasible[choice.index]);
  }

  void visit(Row& row, const PointerTask& task, std::uint32_t position) {
    const auto found = std::lower_bound(row.open.begin(), row.open.end(), position);
    if (found != row.open.end() && *found == position) row.open.erase(found);
    row.position = position;
    row.state.step((*task.encoded.order)[position]);
    Problem::finish(row.state);
  }

  // Position of the node that the guide visits next.
  static std::uint32_t guided(const PointerTask& task, const Row& row) {
    const NodeId node = task.guide->sequence[row.state.solution().sequence.size()];
    const auto& order = *task.encoded.order;
    return static_cast<std::uint32_t>(std::find(order.begin(), order.end(), node) - order.begin());
  }

  static void note(const PointerTask& task, std::span<const std::uint32_t> feasible,
                   std::span<const float> logits, const Choice& choice) {
    StepScore& score = task.scores->emplace_back();
    for (const std::uint32_t position : feasible) {
      score.choices.push_back((*task.encoded.order)[position]);
    }
    score.via.assign(feasible.size(), 0);
    score.logits.assign(logits.begin(), logits.end());
    score.node = score.choices[choice.index];
    score.log_probability = choice.log_probability;
  }

  void deliver(std::size_t slot) {
    Row& row = rows_[slot];
    Rollout& rollout = *tasks_[slot].rollout;
    rollout.complete = row.state.done();
    if (!rollout.complete) {
      complete(row.state, *tasks_[slot].encoded.instance, *tasks_[slot].encoded.order);
    }
    rollout.solution = row.state.solution();
    rollout.log_probability = row.log_probability;
  }

  const PackedModel& model_;
  Decoder& decoder_;
  std::span<const PointerTask> tasks_;
  Chooser choose_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> active_, feasible_;
  AlignedBuffer<float> z_, query_;
  std::vector<float> dynamic_, logits_;
};

}  // namespace

PointerEncoding::PointerEncoding(const PackedModel& model, Encoder& encoder,
                                 std::span<const Instance* const> instances)
    : dim_(model.config.dim), instances_(instances.begin(), instances.end()) {
  std::vector<float> features;
  std::vector<TokenSequence> sequences;
  std::vector<std::vector<std::uint32_t>> hilbert;  // keeps what the sequences point to
  std::size_t tokens = 0;
  for (const Instance* instance : instances) {
    InstanceTokens input = instance_tokens(model.config, *instance);
    orders_.push_back(std::move(input.order));
    features.insert(features.end(), input.features.begin(), input.features.end());
    first_.push_back(tokens);
    sequences.push_back({tokens, instance->size(), hilbert.emplace_back(std::move(input.hilbert))});
    tokens += instance->size();
  }
  h_ = AlignedBuffer<float>(tokens * dim_);
  keys_ = AlignedBuffer<float>(tokens * dim_);
  bias_ = AlignedBuffer<float>(tokens);
  mean_ = AlignedBuffer<float>(instances.size() * dim_);
  encoder.encode(features, sequences, h_.data(), mean_.data());
  gemm(tokens, h_.data(), dim_, model.key, keys_.data(), dim_);
  for (std::size_t i = 0; i < tokens; ++i) {
    bias_[i] = dot(dim_, model.node_bias.data(), h_.data() + i * dim_);
  }
}

PointerEncoding::View PointerEncoding::view(std::size_t i) const {
  const std::size_t row = first_[i];
  return {instances_[i],          &orders_[i],
          h_.data() + row * dim_, keys_.data() + row * dim_,
          bias_.data() + row,     mean_.data() + i * dim_};
}

void decode_pointer(const PackedModel& model, Decoder& decoder, std::span<const PointerTask> tasks,
                    const DecodeOptions& options, const Deadline& deadline) {
  with_problem(model.config.problem,
               [&]<class State>() { Group<State>(model, decoder, tasks, options).run(deadline); });
}

}  // namespace eco
