// eco label: near-optimal solutions for many instances, in parallel, in order, resumable.

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/ordered_pipeline.h"
#include "core/base/thread_pool.h"
#include "core/instance/generate.h"
#include "core/problem/check.h"
#include "eco/expert_options.h"
#include "eco/options.h"
#include "eco/outputs.h"
#include "eco/progress.h"
#include "eco/rounding.h"
#include "eco/verb.h"
#include "io/byte_source.h"
#include "io/reader.h"
#include "io/resumable_file.h"
#include "io/scanner.h"
#include "io/writer.h"

namespace eco::cli {

namespace {

struct LabelOptions {
  std::string file, out;
  ExpertChoice expert;
  bool restart = false;
  std::optional<Rounding> rounding;

  std::optional<ProblemKind> generate;  // instead of a file
  GeneratorOptions generator;
  std::size_t count = 0;
};

// Where instances come from, and what a resumed run has to agree on about it.
struct Source {
  std::function<std::optional<Instance>()> next;
  std::string identity;
  std::size_t total = 0;  // 0: unknown
  bool repeatable = true;
};

Source generated(const LabelOptions& options) {
  validate(options.generator);
  Source source;
  source.total = options.count;
  source.identity =
      fmt::format("generate {} {} nodes {} capacity {} count {}", to_string(options.generator.kind),
                  to_string(options.generator.distribution), options.generator.nodes,
                  options.generator.capacity.value_or(0), options.count);
  source.next = [generator = options.generator, count = options.count,
                 index = std::size_t{0}]() mutable -> std::optional<Instance> {
    if (index == count) return std::nullopt;
    return generate(generator, index++);
  };
  return source;
}

Source from_file(const LabelOptions& options) {
  Source source;
  source.identity = options.file;
  source.repeatable = std::filesystem::is_regular_file(options.file);
  std::size_t lines = 0;
  if (source.repeatable) {
    // One pass for the hash, so that a resumed run cannot mix two inputs, and for the line count.
    const auto bytes = io::open_bytes(options.file);
    std::uint64_t hash = io::kHashStart;
    std::vector<char> buffer(1U << 16U);
    char last = '\n';
    while (const std::size_t size = bytes->read(buffer.data(), buffer.size())) {
      const std::string_view part(buffer.data(), size);
      hash = io::hash_bytes(part, hash);
      lines += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
      last = part.back();
    }
    if (last != '\n') ++lines;
    source.identity += fmt::format(" {:016x}", hash);
  }
  if (options.rounding) source.identity += fmt::format(" round {}", to_string(*options.rounding));
  io::ReadOptions reading;
  reading.rounding = options.rounding;
  std::shared_ptr<io::InstanceReader> reader = io::open_instances(options.file, reading);
  const io::Format format = reader->format();
  if (format == io::Format::tsp_lines || format == io::Format::cvrp_lines) source.total = lines;
  source.next = [reader] { return reader->next(); };
  return source;
}

std::string identity_of(const LabelOptions& options, const Source& source, const Session& session) {
  const ExpertOptions& expert = options.expert.options;
  std::string identity = fmt::format("eco {} label {} expert {} iterations {} seconds {} seed {}",
                                     ECO_VERSION, source.identity, options.expert.name,
                                     expert.iterations, expert.seconds, session.common().seed);
  if (!expert.solver_path.empty()) identity += " solver " + expert.solver_path;
  return identity;
}

struct Label {
  std::string line;
  double cost = 0;
};

// Solves, checks and writes out one instance.
class Labeller {
 public:
  Labeller(const LabelOptions& options, const Session& session)
      : options_(options), session_(session) {}

  Label operator()(Instance&& instance, std::size_t index) {
    try {
      std::call_once(looked_, [&] { warn_if_rounding_erases(session_, instance); });
      const Expert& expert = expert_named(options_.expert.name, instance.kind);
      const io::Format format = io::format_by_name(options_.out, instance.kind);
      ExpertOptions call = options_.expert.options;
      call.seed = instance_seed(session_.common().seed, index);
      call.cancel = session_.stop();
      Solution solution = expert.solve(instance, call);
      Label label;
      label.cost = require_feasible(instance, solution);
      instance.reference = std::move(solution);
      instance.reference_cost = label.cost;
      label.line = io::instance_text(instance, format);
      if (format != io::Format::json) warn_of_rounding(instance);
      return label;
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("instance {}: {}", index, error.what()));
    }
  }

 private:
  void warn_of_rounding(const Instance& instance) {
    if (instance.rounding == Rounding::none) return;
    std::call_once(warned_, [&] {
      session_.log(LogLevel::warn,
                   "{}: lines of this format do not say that distances are rounded ({}); "
                   "a name in .jsonl keeps it",
                   options_.out, to_string(instance.rounding));
    });
  }

  const LabelOptions& options_;
  const Session& session_;
  std::once_flag warned_, looked_;
};

// Of the formats with many instances; both problems have the same names for them.
void check_name(std::string_view out) {
  const std::string full(out);
  if (out.ends_with(".gz")) out.remove_suffix(3);
  if (out.ends_with(".txt") || out.ends_with(".json") || out.ends_with(".jsonl")) return;
  throw Error(ErrorKind::usage,
              "--out " + full + ": labels go to a file in .txt or .jsonl (each also with .gz)");
}

void skip(Source& source, std::size_t items, const std::string& file) {
  for (std::size_t i = 0; i < items; ++i) {
    if (!source.next()) throw input_error({file, 0}, "fewer instances than are labelled already");
  }
}

int label(LabelOptions options, const Session& session) {
  options.expert.check();
  check_name(options.out);
  const std::array inputs{NamedFile{"file", options.file}};
  const std::array outputs{NamedFile{"--out", options.out}};
  check_outputs(inputs, outputs, session);
  if (options.generate.has_value() == !options.file.empty()) {
    throw Error(ErrorKind::usage, "expected either an instance file or --generate");
  }
  if (options.generate) {
    options.generator.kind = *options.generate;
    options.generator.seed = session.common().seed;
    (void)expert_named(options.expert.name, *options.generate);
  }
  Source source = options.generate ? generated(options) : from_file(options);
  io::ResumableFile out(options.out, identity_of(options, source, session), options.restart);
  const std::size_t resumed = out.items();
  if (resumed > 0) {
    if (!source.repeatable) {
      throw Error(ErrorKind::usage, options.out +
                                        ": an unfinished run is there, and this input cannot be "
                                        "read again from its start; give --restart to discard it");
    }
    session.log(LogLevel::info, "{}: going on after {} labels of an earlier run", options.out,
                resumed);
    skip(source, resumed, options.file);
  }

  const auto start = std::chrono::steady_clock::now();
  double cost_sum = 0;
  {
    Progress progress(session, "label", source.total > resumed ? source.total - resumed : 0);
    Labeller labeller(options, session);
    PipelineLimits limits;
    limits.threads = session.common().threads == 0 ? available_cores() : session.common().threads;
    limits.window = 8 * limits.threads;
    limits.cancel = session.stop();
    ordered_pipeline(
        limits, source.next,
        [&](Instance&& instance, std::size_t i) {
          return labeller(std::move(instance), resumed + i);
        },
        [&](Label&& done, std::size_t) {
          out.append(done.line);
          cost_sum += done.cost;
          progress.advance();
        });
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (session.stop().stop_requested()) {
    std::string message = fmt::format("interrupted after {} labels", out.items());
    if (out.items() > 0 && source.repeatable) {
      message += fmt::format("; they are kept in {}: the same command goes on from there",
                             out.partial_path());
    }
    throw Error(ErrorKind::interrupted, message);
  }
  if (out.items() == 0) throw input_error({options.file, 0}, "no instance in the file");
  out.commit();

  const std::size_t fresh = out.items() - resumed;
  if (session.common().json) {
    nlohmann::ordered_json json{{"file", options.out},
                                {"instances", out.items()},
                                {"resumed", resumed},
                                {"expert", options.expert.name},
                                {"seed", session.common().seed},
                                {"seconds", seconds},
                                {"instances_per_second", static_cast<double>(fresh) / seconds}};
    if (resumed == 0) json["mean_cost"] = cost_sum / static_cast<double>(fresh);
    session.print("{}\n", json.dump());
  } else {
    session.log(LogLevel::info, "{}: {} labels in {:.1f} s ({:.0f} a second)", options.out,
                out.items(), seconds, static_cast<double>(fresh) / seconds);
  }
  return 0;
}

Body setup_label(CLI::App& app) {
  const auto options = std::make_shared<LabelOptions>();
  app.add_option("file", options->file, "Instance file of any format");
  app.add_option("--out", options->out, "File of labelled instances: .txt or .jsonl, also .gz")
      ->required();
  add_expert_options(app, options->expert);
  add_seconds(app, "--seconds", options->expert.options.seconds,
              "Time for each instance; the result then depends on the machine");
  app.add_flag("--restart", options->restart, "Discard what an unfinished run has left");
  add_choice(app, "--round", options->rounding, rounding_from,
             {"none", "nint", "ceil", "trunc", "dimacs"},
             "Rounding of distances, where the format's convention is not meant");

  GeneratorOptions& generator = options->generator;
  CLI::Option* generate = add_choice(app, "--generate", options->generate, problem_from,
                                     problem_choices(), "Label random instances instead of a file");
  add_count(app, "--nodes", generator.nodes, {1, kMaxNodes - 1},
            "With --generate: nodes or customers")
      ->needs(generate);
  CLI::Option* count =
      add_count(app, "--count", options->count, {1, kMostSteps}, "With --generate: instances")
          ->default_str("")
          ->needs(generate);
  generate->needs(count);
  add_choice(app, "--distribution", generator.distribution, distribution_from,
             {"uniform", "clustered", "mixture", "x", "board", "panel"},
             "With --generate [uniform]")
      ->needs(generate);
  add_count(app, "--capacity", generator.capacity, {1, io::kMaxQuantity},
            "With --generate cvrp [by size]")
      ->needs(generate);
  return [options](const Session& session) { return label(*options, session); };
}

}  // namespace

Verb label_verb() {
  return {"label", "Solve many instances by an expert, in parallel and resumable",
          "eco label tsp100.txt --out labelled.txt\n"
          "  eco label --generate cvrp --nodes 100 --count 10000 --seed 7 --out cvrp100.txt\n"
          "  eco label tsp1000.txt --expert lkh --solver-path ~/LKH/LKH --out labelled.txt",
          setup_label};
}

}  // namespace eco::cli
