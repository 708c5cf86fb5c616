#include "problems/cvrp/expert/genetic_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "core/problem/capacity.h"
#include "problems/cvrp/expert/split.h"

namespace eco {

namespace {

constexpr std::uint64_t kFirstGeneration = 4 * Population::kSmallest;
constexpr std::uint64_t kPatience = 20'000;  // children without progress before a fresh start
constexpr double kRepairProbability = 0.5;
constexpr double kRepairFactor = 10;
constexpr std::uint32_t kPenaltyPeriod = 100;
constexpr double kTargetFeasible = 0.2;

double first_penalty(const Instance& instance, const DistanceTable& distance) {
  double longest = 0;
  std::int64_t largest = 1;
  for (std::size_t i = 1; i < instance.size(); ++i) {
    longest = std::max(longest, distance(0, i));
    largest = std::max(largest, instance.demands[i]);
  }
  return longest / static_cast<double>(largest);
}

CustomerRoutes customer_routes(const Solution& solution) {
  CustomerRoutes routes;
  for (const Route& route : to_routes(solution)) {
    auto& customers = routes.emplace_back();
    for (const NodeId node : route) customers.push_back(static_cast<std::uint32_t>(node.index()));
  }
  return routes;
}

// Direction of the middle of the route as seen from the depot; routes that are neighbours in this
// order are neighbours in space, so crossing giant tours keeps whole regions together.
double direction_of(const Instance& instance, const std::vector<std::uint32_t>& route) {
  if (!instance.has_points()) return 0;
  double x = 0, y = 0;
  for (const std::uint32_t customer : route) {
    x += instance.points[customer].x - instance.points[0].x;
    y += instance.points[customer].y - instance.points[0].y;
  }
  return std::atan2(y, x);
}

// Order crossover: a stretch of one giant tour, the rest in the order of the other.
std::vector<std::uint32_t> crossover(const Individual& a, const Individual& b, Rng& rng) {
  const std::size_t customers = a.giant_tour.size();
  const auto draw = [&] { return rng.below(static_cast<std::uint32_t>(customers)); };
  const std::size_t begin = draw(), length = 1 + draw();
  std::vector<unsigned char> taken(customers + 1, 0);
  std::vector<std::uint32_t> child(customers);
  for (std::size_t i = 0; i < length; ++i) {
    const std::size_t place = (begin + i) % customers;
    child[place] = a.giant_tour[place];
    taken[child[place]] = 1;
  }
  std::size_t place = (begin + length) % customers;
  for (std::size_t i = 0; i < customers; ++i) {
    const std::uint32_t customer = b.giant_tour[(begin + length + i) % customers];
    if (taken[customer] != 0) continue;
    child[place] = customer;
    place = (place + 1) % customers;
  }
  return child;
}

}  // namespace

GeneticSearch::GeneticSearch(const Instance& instance, const DistanceTable& distance,
                             const NeighbourLists& neighbours, std::span<const Solution> first,
                             std::uint64_t seed, std::size_t threads)
    : instance_(instance),
      distance_(distance),
      seed_(seed),
      first_(first.begin(), first.end()),
      pool_(threads),
      best_(individual_of(customer_routes(first[0]))),
      penalty_(first_penalty(instance, distance)),
      random_until_(first.size() < Population::kSmallest ? first.size() + kFirstGeneration : 0) {
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    educations_.emplace_back(instance, distance, neighbours);
  }
}

Solution GeneticSearch::best() const {
  Routes routes;
  for (const auto& customers : best_.routes) {
    Route& route = routes.emplace_back();
    for (const std::uint32_t customer : customers) route.emplace_back(customer);
  }
  return from_routes(routes);
}

Individual GeneticSearch::individual_of(CustomerRoutes routes) const {
  Individual individual;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t r = 0; r < routes.size(); ++r) {
    order.emplace_back(direction_of(instance_, routes[r]), r);
  }
  std::sort(order.begin(), order.end());
  individual.next.assign(instance_.size(), 0);
  individual.previous.assign(instance_.size(), 0);
  for (const auto& [direction, r] : order) {
    std::uint32_t previous = 0;
    std::int64_t load = 0;
    for (const std::uint32_t customer : routes[r]) {
      individual.length += distance_(previous, customer);
      individual.previous[customer] = previous;
      individual.next[previous] = customer;
      individual.giant_tour.push_back(customer);
      load += instance_.demands[customer];
      previous = customer;
    }
    individual.length += distance_(previous, 0);
    individual.next[previous] = 0;
    individual.excess += excess(load, instance_.capacity);
  }
  individual.routes = std::move(routes);
  return individual;
}

void GeneticSearch::add(Individual individual) {
  if (!individual.feasible()) {
    infeasible_.add(std::move(individual), penalty_);
    return;
  }
  if (individual.length < best_.length * (1.0 - 1e-12)) {
    best_ = individual;
    progress_at_ = born_;
  }
  feasible_.add(std::move(individual), penalty_);
}

void GeneticSearch::add(Child child) {
  ++recent_;
  if (child.individual.feasible()) ++recent_feasible_;
  if (child.repaired) add(std::move(*child.repaired));
  add(std::move(child.individual));
  if (recent_ >= kPenaltyPeriod) adapt_penalty();
}

GeneticSearch::Child GeneticSearch::educated(CustomerRoutes routes, Education& education,
                                             Rng& rng) const {
  education.improve(routes, penalty_, rng);
  Child child{individual_of(std::move(routes)), std::nullopt};
  if (!child.individual.feasible() && rng.uniform() < kRepairProbability) {
    CustomerRoutes repaired = child.individual.routes;
    education.improve(repaired, kRepairFactor * penalty_, rng);
    Individual candidate = individual_of(std::move(repaired));
    if (candidate.feasible()) child.repaired = std::move(candidate);
  }
  return child;
}

void GeneticSearch::adapt_penalty() {
  const double share = static_cast<double>(recent_feasible_) / static_cast<double>(recent_);
  if (share < kTargetFeasible - 0.05) penalty_ *= 1.2;
  if (share > kTargetFeasible + 0.05) penalty_ *= 0.85;
  recent_ = recent_feasible_ = 0;
  infeasible_.set_penalty(penalty_);
}

void GeneticSearch::step(const std::function<bool(std::size_t)>& over) {
  if (born_ - progress_at_ > kPatience) {
    feasible_.clear();
    infeasible_.clear();
    progress_at_ = born_;
    random_until_ = born_ + kFirstGeneration;
  }
  std::array<std::optional<Child>, kBrood> brood;
  pool_.parallel_for(kBrood, [&](std::size_t i, std::size_t worker) {
    if (over(i)) return;
    Rng rng(seed_, born_ + i);
    brood[i] = educated(routes_of(born_ + i, rng), educations_[worker], rng);
  });
  born_ += kBrood;
  for (std::optional<Child>& child : brood) {
    if (child) add(std::move(*child));
  }
}

CustomerRoutes GeneticSearch::routes_of(std::uint64_t number, Rng& rng) const {
  if (number < first_.size()) return customer_routes(first_[number]);
  std::vector<std::uint32_t> giant_tour;
  if (number < random_until_ || feasible_.size() + infeasible_.size() == 0) {
    giant_tour.resize(instance_.customers());
    std::iota(giant_tour.begin(), giant_tour.end(), 1U);
    rng.shuffle(std::span(giant_tour));
  } else {
    const Individual& mother = select_parent(rng);
    giant_tour = crossover(mother, select_parent(rng), rng);
  }
  return split(instance_, distance_, giant_tour, penalty_);
}

const Individual& GeneticSearch::select_parent(Rng& rng) const {
  const auto draw = [&]() -> std::pair<const Population*, std::size_t> {
    const auto all = static_cast<std::uint32_t>(feasible_.size() + infeasible_.size());
    const std::size_t i = rng.below(all);
    if (i < feasible_.size()) return {&feasible_, i};
    return {&infeasible_, i - feasible_.size()};
  };
  const auto [one, i] = draw();
  const auto [two, j] = draw();
  return one->fitness(i) <= two->fitness(j) ? (*one)[i] : (*two)[j];
}

}  // namespace eco
