#include "core/instance/generate.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/instance/demands.h"
#include "core/instance/placement.h"

namespace eco {

namespace {

template <class Value, std::size_t count>
using Names = std::array<std::pair<Value, std::string_view>, count>;

constexpr Names<Distribution, 6> kDistributions{{{Distribution::uniform, "uniform"},
                                                 {Distribution::clustered, "clustered"},
                                                 {Distribution::mixture, "mixture"},
                                                 {Distribution::x, "x"},
                                                 {Distribution::board, "board"},
                                                 {Distribution::panel, "panel"}}};
constexpr Names<DepotPlacement, 3> kDepots{{{DepotPlacement::random, "random"},
                                            {DepotPlacement::centre, "centre"},
                                            {DepotPlacement::corner, "corner"}}};
constexpr Names<CustomerPlacement, 3> kCustomers{{{CustomerPlacement::random, "random"},
                                                  {CustomerPlacement::clustered, "clustered"},
                                                  {CustomerPlacement::mixed, "mixed"}}};
constexpr Names<DemandClass, 8> kDemands{{{DemandClass::paper, "paper"},
                                          {DemandClass::unit, "unit"},
                                          {DemandClass::small_wide, "1-10"},
                                          {DemandClass::small_tight, "5-10"},
                                          {DemandClass::large_wide, "1-100"},
                                          {DemandClass::large_tight, "50-100"},
                                          {DemandClass::quadrant, "quadrant"},
                                          {DemandClass::few_large, "few-large"}}};

template <class Value, std::size_t count>
std::string_view name_in(const Names<Value, count>& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return "?";
}

template <class Value, std::size_t count>
std::optional<Value> value_in(const Names<Value, count>& names, std::string_view name) {
  for (const auto& [value, known] : names) {
    if (known == name) return value;
  }
  return std::nullopt;
}

// What is left open in the options, decided for one instance.
struct Plan {
  DepotPlacement depot = DepotPlacement::random;
  CustomerPlacement customers = CustomerPlacement::random;
  DemandClass demands = DemandClass::paper;
  std::size_t clusters = 0;
};

// Always the same number of draws, so that fixing one attribute leaves the others as they were.
Plan make_plan(const GeneratorOptions& options, Rng& rng) {
  Plan plan;
  const std::size_t clusters = 3 + rng.below(6);
  if (options.distribution == Distribution::x) {
    plan.depot = kDepots[rng.below(kDepots.size())].first;
    plan.customers = kCustomers[rng.below(kCustomers.size())].first;
    plan.demands = kDemands[1 + rng.below(kDemands.size() - 1)].first;  // the X set's seven
  }
  plan.clusters = options.clusters > 0 ? options.clusters : clusters;
  plan.depot = options.depot.value_or(plan.depot);
  plan.customers = options.customers.value_or(plan.customers);
  plan.demands = options.demands.value_or(plan.demands);
  return plan;
}

void place_on_grid(const Plan& plan, const GeneratorOptions& options, Rng& rng,
                   std::vector<Point>& points) {
  GridPlacer placer(points);
  if (facts_of(options.kind).depot) {
    switch (plan.depot) {
      case DepotPlacement::centre:
        placer.take({kGridSide / 2, kGridSide / 2});
        break;
      case DepotPlacement::corner:
        placer.take({0, 0});
        break;
      case DepotPlacement::random:
        placer.place_uniform(rng, 1);
    }
  }
  std::size_t clustered = 0;
  if (plan.customers == CustomerPlacement::clustered) clustered = options.nodes;
  if (plan.customers == CustomerPlacement::mixed) clustered = options.nodes / 2;
  placer.place_clustered(rng, clustered, plan.clusters);
  placer.place_uniform(rng, options.nodes - clustered);
}

void place_in_unit_square(const Plan& plan, const GeneratorOptions& options, Rng& rng,
                          std::vector<Point>& points) {
  if (facts_of(options.kind).depot) {
    switch (plan.depot) {
      case DepotPlacement::centre:
        points.push_back({0.5, 0.5});
        break;
      case DepotPlacement::corner:
        points.push_back({0, 0});
        break;
      case DepotPlacement::random:
        place_uniform(rng, 1, points);
    }
  }
  switch (options.distribution) {
    case Distribution::clustered:
      return place_clustered(rng, options.nodes, plan.clusters, points);
    case Distribution::mixture:
      return place_mixture(rng, options.nodes, plan.clusters, points);
    case Distribution::board:
      return place_board(rng, options.nodes, plan.clusters, points);
    case Distribution::panel:
      return place_panel(rng, options.nodes, plan.clusters, points);
    case Distribution::uniform:
    case Distribution::x:
      return place_uniform(rng, options.nodes, points);
  }
}

void add_demands(const Plan& plan, const GeneratorOptions& options, double side, Rng& rng,
                 Instance& instance) {
  instance.demands = draw_demands(rng, plan.demands, instance.points, side);
  const bool by_routes =
      options.route_size || options.demands.has_value() || options.distribution == Distribution::x;
  if (options.capacity) {
    instance.capacity = *options.capacity;
  } else if (by_routes) {
    const double drawn = draw_route_size(rng);
    instance.capacity = capacity_for(options.route_size.value_or(drawn), instance.demands);
  } else {
    instance.capacity = default_capacity(options.nodes);
  }
}

std::string describe(const Plan& plan, const GeneratorOptions& options) {
  std::string text = "eco generate " + std::string(to_string(options.kind)) + ", " +
                     std::string(to_string(options.distribution)) + ", seed " +
                     std::to_string(options.seed);
  if (options.distribution == Distribution::x) {
    text += ", customers " + std::string(to_string(plan.customers));
  }
  if (facts_of(options.kind).depot) {
    text += ", depot " + std::string(to_string(plan.depot)) + ", demands " +
            std::string(to_string(plan.demands));
  }
  return text;
}

void require(bool condition, const std::string& message) {
  if (!condition) throw Error(ErrorKind::usage, message);
}

}  // namespace

void validate(const GeneratorOptions& options) {
  const bool depot = facts_of(options.kind).depot;
  require(options.nodes >= 1, "an instance needs at least one node");
  require(options.nodes < kMaxNodes, "at most " + std::to_string(kMaxNodes - 1) + " nodes");
  require(depot || (!options.depot && !options.demands && !options.capacity && !options.route_size),
          "depot, demands, capacity and route size belong to the CVRP");
  require(!options.customers || options.distribution == Distribution::x,
          "the placement of customers is an attribute of the distribution x");
  require(options.clusters == 0 || options.distribution != Distribution::uniform,
          "a uniform distribution has no clusters");
  require(!options.capacity || !options.route_size,
          "capacity and route size exclude each other: one follows from the other");
  require(!options.route_size || *options.route_size >= 1, "a route has at least one customer");
  if (depot && options.capacity) {
    const auto demands = options.demands.value_or(
        options.distribution == Distribution::x ? DemandClass::large_wide : DemandClass::paper);
    require(*options.capacity >= largest_demand(demands),
            "capacity " + std::to_string(*options.capacity) + " is below the largest demand " +
                std::to_string(largest_demand(demands)));
  }
}

Instance generate(const GeneratorOptions& options, std::uint64_t index) {
  validate(options);
  Rng rng(options.seed, index);
  const Plan plan = make_plan(options, rng);
  const bool grid = options.distribution == Distribution::x;

  Instance instance;
  instance.kind = options.kind;
  instance.name = std::string(to_string(options.kind)) + std::to_string(options.nodes) + "-" +
                  std::string(to_string(options.distribution)) + "-s" +
                  std::to_string(options.seed) + "-" + std::to_string(index);
  instance.comment = describe(plan, options);
  instance.rounding = grid ? Rounding::nint : Rounding::none;
  instance.points.reserve(options.nodes + 1);
  if (grid) {
    place_on_grid(plan, options, rng, instance.points);
  } else {
    place_in_unit_square(plan, options, rng, instance.points);
  }
  if (facts_of(options.kind).depot) {
    add_demands(plan, options, grid ? kGridSide : 1.0, rng, instance);
  }
  validate(instance);
  return instance;
}

std::string_view to_string(Distribution distribution) {
  return name_in(kDistributions, distribution);
}
std::string_view to_string(DepotPlacement depot) {
  return name_in(kDepots, depot);
}
std::string_view to_string(CustomerPlacement customers) {
  return name_in(kCustomers, customers);
}
std::string_view to_string(DemandClass demands) {
  return name_in(kDemands, demands);
}
std::optional<Distribution> distribution_from(std::string_view name) {
  return value_in(kDistributions, name);
}
std::optional<DepotPlacement> depot_placement_from(std::string_view name) {
  return value_in(kDepots, name);
}
std::optional<CustomerPlacement> customer_placement_from(std::string_view name) {
  return value_in(kCustomers, name);
}
std::optional<DemandClass> demand_class_from(std::string_view name) {
  return value_in(kDemands, name);
}

}  // namespace eco
