// eco-train: makes the weights that eco uses. The two verbs are the two stages of the paper.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "train/config/train_config.h"
#include "train/loop/stage.h"

namespace {

constexpr const char* kExamples = R"(Examples:
  eco-train sft --config recipes/smoke.conf --out run
  eco-train improve --config recipes/smoke.conf --out run      continues from run/sft
  eco-train sft --config recipes/tsp-best.conf --set sft.minutes=60 --set data.sizes=50,100 --out run
  eco-train sft --config recipes/tsp-best.conf --out run --resume
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
