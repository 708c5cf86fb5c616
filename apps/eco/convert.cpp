// eco convert: from any format that is read to any that is written.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/problem/check.h"
#include "core/problem/problem.h"
#include "eco/options.h"
#include "eco/progress.h"
#include "eco/read_one.h"
#include "eco/reading_options.h"
#include "eco/rounding.h"
#include "eco/verb.h"
#include "io/reader.h"
#include "io/svg.h"
#include "io/weights.h"
#include "io/writer.h"

namespace eco::cli {

namespace {

struct ConvertOptions {
  std::string in, out, solution;
  std::optional<std::uint64_t> index;
  io::ReadOptions reading;
  bool half = false;               // weights files only, as the next
  std::vector<std::string> notes;  // key=value
};

constexpr std::string_view kWeightsExtension = ".safetensors";

std::string extension_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

bool shows_one_solution(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".tour" || extension == ".sol" || extension == ".svg" ||
         extension == ".csv" || extension == ".geojson";
}

void check_given(const Instance& instance, const Solution& solution,
                 const ConvertOptions& options) {
  const CheckResult result = check(instance, solution);
  if (result.feasible) return;
  throw input_error({options.solution.empty() ? options.in : options.solution, 0},
                    "infeasible: " + result.reason);
}

Instance first_of(io::InstanceReader& reader, const std::string& file) {
  std::optional<Instance> instance = reader.next();
  if (!instance) throw input_error({file, 0}, "no instance in the file");
  return *std::move(instance);
}

// The solution that goes with the instance: the one given, or the one it carries.
std::optional<Solution> solution_for(const Instance& instance, const ConvertOptions& options) {
  if (options.solution.empty()) return instance.reference;
  return io::read_solution(options.solution, instance);
}

// Targets that show one instance and its solution.
void convert_one(const ConvertOptions& options, io::InstanceReader& reader,
                 const Session& session) {
  const Instance instance = read_one(reader, options.in, options.index, session);
  const std::optional<Solution> solution = solution_for(instance, options);
  if (extension_of(options.out) == ".svg") {
    if (solution) check_given(instance, *solution, options);
    io::write_svg(options.out, instance, solution ? &*solution : nullptr);
    return;
  }
  if (!solution) {
    throw input_error({options.in, 0}, "an instance without a solution",
                      "one that carries it, or --solution FILE");
  }
  check_given(instance, *solution, options);
  io::write_solution(options.out, instance, *solution);
}

std::pair<std::string, std::string> key_and_value(const std::string& option,
                                                  const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorKind::usage, option + " " + eco::quoted(text) + ": expected KEY=VALUE");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// Weights stay the same network; how they are stored and what is noted beside them may change.
int convert_weights(const ConvertOptions& options) {
  if (options.index || !options.solution.empty() || options.reading.rounding) {
    throw Error(ErrorKind::usage, "--index, --solution and --round are for instances, not weights");
  }
  io::Metadata notes;
  const Weights weights = io::load_weights(options.in, &notes);
  for (const std::string& note : options.notes) {
    const auto [key, value] = key_and_value("--note", note);
    notes[key] = value;
  }
  io::save_weights(options.out, weights, notes,
                   options.half ? io::StoredAs::f16 : io::StoredAs::f32);
  return 0;
}

int convert(const ConvertOptions& options, const Session& session) {
  if (extension_of(options.out) == kWeightsExtension) return convert_weights(options);
  if (options.half || !options.notes.empty()) {
    throw Error(ErrorKind::usage, "--half and --note are for weights files (.safetensors)");
  }
  const auto reader = io::open_instances(options.in, options.reading);
  if (shows_one_solution(options.out)) {
    convert_one(options, *reader, session);
    return 0;
  }
  const bool only_one = options.index.has_value() || !options.solution.empty();
  Instance instance = only_one ? read_one(*reader, options.in, options.index, session)
                               : first_of(*reader, options.in);
  if (!options.solution.empty()) {
    instance.reference = solution_for(instance, options);
    check_given(instance, *instance.reference, options);
    instance.reference_cost = cost(instance, *instance.reference);
  }
  const auto writer = io::create_instances(options.out, instance.kind);
  warn_if_rounding_is_lost(session, instance.rounding, options.out);
  writer->write(instance);
  Progress progress(session, "convert", 0);
  while (!only_one) {
    session.throw_if_interrupted();
    const std::optional<Instance> next = reader->next();
    if (!next) break;
    writer->write(*next);
    progress.advance();
  }
  writer->commit();
  return 0;
}

Body setup_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertOptions>();
  app.add_option("in", options->in, "File to read; - is stdin")->required();
  app.add_option(
         "out", options->out,
         "File to write; the name gives the format "
         "(.tsp .vrp .txt .json, also .gz; .tour .sol .csv .geojson for the solution alone; "
         ".svg)")
      ->required();
  add_count(app, "--index", options->index, {}, "Only this instance of the file, from 0");
  app.add_option("--solution", options->solution, "Attach this solution to the instance");
  add_reading_options(app, options->reading);
  app.add_flag("--half", options->half, "Weights (.safetensors): store numbers in 16 bits");
  app.add_option("--note", options->notes,
                 "Weights: note something beside them, e.g. train.hours=12; may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all();
  return [options](const Session& session) { return convert(*options, session); };
}

}  // namespace

Verb convert_verb() {
  return {"convert", "Convert instances and solutions between formats",
          "eco convert city.vrp city.json\n"
          "  eco convert cvrp100.txt seventh.sol --index 6\n"
          "  eco convert city.vrp city.svg --solution city.sol\n"
          "  eco convert last.safetensors tsp-best.safetensors --half --note train.hours=12",
          setup_convert};
}

}  // namespace eco::cli
