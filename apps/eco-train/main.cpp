// eco-train: makes the weights that eco uses. Two verbs are the two stages of the paper, the third
// trains and measures every row of its tables.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "train/config/train_config.h"
#include "train/loop/stage.h"
#include "train/reproduce/reproduce.h"

namespace {

constexpr const char* kExamples = R"(Examples:
  eco-train sft --config recipes/smoke.conf --out run
  eco-train improve --config recipes/smoke.conf --out run      continues from run/sft
  eco-train sft --config recipes/tsp-best.conf --set sft.minutes=60 --set data.sizes=50,100 --out run
  eco-train sft --config recipes/tsp-best.conf --out run --resume
  eco-train reproduce --out tables --minutes 12                every table of the paper, theirs and ours
  eco-train --help-config                                      every key of a config file

A run leaves OUT/sft or OUT/improve: metrics.jsonl, checkpoints, best.safetensors (lowest validation gap).
Ctrl-C saves and ends with exit code 130; --resume goes on from the last checkpoint.
)";

struct Arguments {
  std::string config;
  std::vector<std::string> overrides;
  eco::train::RunOptions run;
  std::string threads, seed, ops;
};

void add_options(CLI::App& verb, Arguments& arguments) {
  verb.add_option("--config", arguments.config, "Config file (see recipes/)")->required();
  verb.add_option("--out", arguments.run.out, "Folder of the run")->required();
  verb.add_option("--set", arguments.overrides, "key=value, over the config file; repeatable")
      ->allow_extra_args(false);
  verb.add_flag("--resume", arguments.run.resume,
                "Go on from the last checkpoint in --out, if there is one");
  verb.add_option("--threads", arguments.threads, "Threads; 0: one a core");
  verb.add_option("--seed", arguments.seed, "Seed of weights and draws");
  verb.add_option("--ops", arguments.ops,
                  "fused kernels, or plain tensor operations (slow, to compare with)")
      ->type_name("fused|plain");
  verb.add_flag("--quiet", arguments.run.quiet, "No progress on stderr");
}

void add_reproduce(CLI::App& verb, eco::train::ReproduceOptions& options) {
  verb.footer(R"(Examples:
  eco-train reproduce --out tables                             all rows, 12 CPU minutes each; hours
  eco-train reproduce --out tables                             goes on where it was stopped
  eco-train reproduce --out alpha --only alpha --minutes 3 --nodes 20 --seeds 1
  eco-train reproduce --out own --tables own.tables --dry-run  the commands, and how long they take

OUT/report.md and OUT/report.html have the tables and figures. Ctrl-C loses nothing.
)");
  verb.add_option("--out", options.out, "Folder of the study")->required();
  verb.add_option("--minutes", options.minutes, "Processor time of a row, both stages together")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb.add_option("--only", options.only, "One table, by its name (see recipes/paper.tables)")
      ->type_name("TABLE");
  verb.add_option("--nodes", options.nodes, "Size of the instances")
      ->capture_default_str()
      ->check(CLI::Range(5, 100'000));
  verb.add_option("--seeds", options.seeds, "Runs of the rows that are marked as seeded")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  verb.add_option("--tables", options.tables, "Rows of your own instead of the paper's")
      ->type_name("FILE");
  verb.add_option("--set", options.overrides, "key=value for every row; repeatable")
      ->allow_extra_args(false);
  verb.add_option("--threads", options.threads, "Rows side by side, one thread each; 0: one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096));
  verb.add_flag("--dry-run", options.dry_run, "Print the commands and the estimate, run nothing");
  verb.add_flag("--quiet", options.quiet, "No progress on stderr");
}

eco::train::TrainConfig config_of(const Arguments& arguments) {
  auto entries = eco::train::read_config_file(arguments.config);
  for (const std::string& text : arguments.overrides) {
    entries.push_back(eco::train::parse_override(text));
  }
  if (!arguments.threads.empty()) entries.push_back({"threads", arguments.threads, {"--threads"}});
  if (!arguments.seed.empty()) entries.push_back({"seed", arguments.seed, {"--seed"}});
  if (!arguments.ops.empty()) entries.push_back({"ops", arguments.ops, {"--ops"}});
  return eco::train::make_train_config(entries);
}

int run(int argc, char** argv) {
  CLI::App app("Train the policies of eco.", "eco-train");
  app.footer(kExamples);
  app.set_version_flag("--version", ECO_VERSION);
  bool help_config = false;
  app.add_flag("--help-config", help_config, "Describe every key of a config file");
  Arguments arguments;
  CLI::App* sft = app.add_subcommand("sft", "Stage 1: imitate expert solutions");
  CLI::App* improve =
      app.add_subcommand("improve", "Stage 2: learn from what the policy itself does");
  add_options(*sft, arguments);
  add_options(*improve, arguments);
  eco::train::ReproduceOptions study;
  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "Every table of the paper: trains and measures all rows, writes a report");
  add_reproduce(*reproduce, study);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : static_cast<int>(eco::ErrorKind::usage);
  }
  if (help_config) {
    std::fputs(eco::train::describe_train_config().c_str(), stdout);
    return 0;
  }
  if (app.get_subcommands().empty()) {
    std::fputs(app.help().c_str(), stderr);
    return static_cast<int>(eco::ErrorKind::usage);
  }
  if (reproduce->parsed()) {
    eco::watch_for_interrupts();
    if (eco::train::reproduce(study)) return 0;
    std::fprintf(stderr, "interrupted: the same command goes on\n");
    return static_cast<int>(eco::ErrorKind::interrupted);
  }
  const eco::train::TrainConfig config = config_of(arguments);
  eco::watch_for_interrupts();
  const bool finished = sft->parsed() ? eco::train::run_sft(config, arguments.run)
                                      : eco::train::run_improve(config, arguments.run);
  if (finished) return 0;
  std::fprintf(stderr, "interrupted: saved in %s; --resume goes on\n", arguments.run.out.c_str());
  return static_cast<int>(eco::ErrorKind::interrupted);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    const bool flushed = std::cout.flush().good() && std::fflush(stdout) == 0;
    if (!flushed || std::ferror(stdout) != 0) {
      throw eco::Error(eco::ErrorKind::resource, "cannot write to stdout");
    }
    return code;
  } catch (const eco::Error& error) {
    std::fprintf(stderr, "eco-train: %s\n", error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "eco-train: out of memory (fewer sft.tokens or improve.tokens help)\n");
    return static_cast<int>(eco::ErrorKind::resource);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "eco-train: internal error: %s\n", error.what());
    return static_cast<int>(eco::ErrorKind::resource);
  }
}
