// eco generate: random instances by seed.

#include "core/instance/generate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/thread_pool.h"
#include "eco/options.h"
#include "eco/progress.h"
#include "eco/rounding.h"
#include "eco/verb.h"
#include "io/scanner.h"
#include "io/writer.h"

namespace eco::cli {

namespace {

struct GenerateOptions {
  GeneratorOptions generator;
  std::uint64_t count = 1;
  std::uint64_t first = 0;
  std::string out = "-";
};

// Standard output has no name to tell the format by: JSON where lines would lose the rounding of
// distances, else what the writer takes.
std::optional<io::Format> format_for(const GenerateOptions& options) {
  if (options.out != "-") return std::nullopt;
  if (options.generator.distribution == Distribution::x) return io::Format::json;
  return std::nullopt;
}

int generate_file(GenerateOptions options, const Session& session) {
  options.generator.seed = session.common().seed;
  validate(options.generator);
  const auto writer =
      io::create_instances(options.out, options.generator.kind, format_for(options));
  if (options.generator.distribution == Distribution::x) {
    warn_if_rounding_is_lost(session, Rounding::nint, options.out);
  }
  ThreadPool pool(session.common().threads);
  Progress progress(session, "generate", options.count);

  // A block is made in parallel and written in order; it holds about a million nodes at most.
  const std::uint64_t block =
      std::clamp<std::uint64_t>(1'000'000 / options.generator.nodes, 1, 4096);
  std::vector<Instance> instances;
  for (std::uint64_t begin = 0; begin < options.count; begin += block) {
    session.throw_if_interrupted();
    instances.resize(std::min(block, options.count - begin));
    pool.parallel_for(instances.size(), [&](std::size_t i, std::size_t) {
      instances[i] = generate(options.generator, options.first + begin + i);
    });
    for (const Instance& instance : instances) writer->write(instance);
    progress.advance(instances.size());
  }
  session.throw_if_interrupted();
  writer->commit();

  if (options.out == "-") return 0;
  if (session.common().json) {
    nlohmann::ordered_json result{{"file", options.out},
                                  {"problem", to_string(options.generator.kind)},
                                  {"distribution", to_string(options.generator.distribution)},
                                  {"nodes", options.generator.nodes},
                                  {"instances", options.count},
                                  {"first", options.first},
                                  {"seed", options.generator.seed}};
    if (options.count > 0 && instances.back().has_depot()) {
      result["capacity"] = instances.back().capacity;
    }
    session.print("{}\n", result.dump());
  } else {
    session.log(LogLevel::info, "{}: {} instance{}", options.out, options.count,
                options.count == 1 ? "" : "s");
  }
  return 0;
}

Body setup_generate(CLI::App& app) {
  const auto options = std::make_shared<GenerateOptions>();
  GeneratorOptions& generator = options->generator;
  add_choice(app, "problem", generator.kind, problem_from, problem_choices(), "What to generate")
      ->required();
  add_count(app, "--nodes", generator.nodes, {1, kMaxNodes - 1},
            "Nodes; CVRP: customers, the depot comes on top")
      ->default_str("")
      ->required();
  add_count(app, "--count", options->count, {1, kMostSteps}, "Instances");
  add_count(app, "--first", options->first, {0, kMostSteps},
            "Number of the first instance of the seed");
  app.add_option("--out", options->out,
                 "File; the name gives the format (.tsp .vrp .txt .json, also .gz). - is stdout")
      ->capture_default_str();
  add_choice(app, "--distribution", generator.distribution, distribution_from,
             {"uniform", "clustered", "mixture", "x", "board", "panel"},
             "Where nodes lie [uniform]");
  add_count(app, "--clusters", generator.clusters, {0, 1'000'000},
            "Clusters; 0 draws 3 to 8 for each instance");
  add_choice(app, "--customers", generator.customers, customer_placement_from,
             {"random", "clustered", "mixed"}, "Placement in distribution x [drawn]");
  add_choice(app, "--depot", generator.depot, depot_placement_from, {"random", "centre", "corner"},
             "CVRP: the depot [random; x: drawn]");
  add_choice(app, "--demands", generator.demands, demand_class_from,
             {"paper", "unit", "1-10", "5-10", "1-100", "50-100", "quadrant", "few-large"},
             "CVRP: demand class [paper, 1 to 9; x: drawn]");
  add_count(app, "--capacity", generator.capacity, {1, io::kMaxQuantity},
            "CVRP: vehicle capacity [by size]");
  add_number(app, "--route-size", generator.route_size, {1, static_cast<double>(kMaxNodes)},
             "CVRP: mean customers a route, from which the capacity follows");
  return [options](const Session& session) { return generate_file(*options, session); };
}

}  // namespace

Verb generate_verb() {
  return {"generate", "Make random instances by seed",
          "eco generate cvrp --nodes 100 --count 1000 --seed 7 --out cvrp100.txt\n"
          "  eco generate cvrp --nodes 400 --distribution x --depot corner --out city.vrp",
          setup_generate};
}

}  // namespace eco::cli
