#include <gtest/gtest.h>

#include <cstdio>

#include "cli/run.h"
#include "paths.h"

namespace eco {
namespace {

// Usage errors: code 2, nothing on stdout, the reason on stderr.
void expect_usage_error(const std::vector<std::string>& arguments, const std::string& reason) {
  const RunResult result = run_eco(arguments);
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, reason)) << result.err;
}

TEST(Usage, WithoutArgumentsTheVerbsAreListedOnStderr) {
  expect_usage_error({}, "generate");
}

TEST(Usage, HelpGoesToStdoutAndNamesEveryVerb) {
  const RunResult help = run_eco({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* verb : {"generate", "convert", "check", "info", "train", "completion"}) {
    EXPECT_TRUE(contains(help.out, verb)) << verb;
  }
}

TEST(Usage, EveryVerbHasHelpWithAnExample) {
  for (const char* verb : {"generate", "convert", "check", "info", "completion"}) {
    const RunResult help = run_eco({verb, "--help"});
    EXPECT_EQ(help.code, 0) << verb;
    EXPECT_TRUE(contains(help.out, "Example:")) << verb;
    EXPECT_TRUE(contains(help.out, "eco " + std::string(verb))) << verb;
  }
}

TEST(Usage, VersionIsThreeNumbers) {
  const RunResult result = run_eco({"--version"});
  EXPECT_EQ(result.code, 0);
  int major = -1, minor = -1, patch = -1;
  EXPECT_EQ(std::sscanf(result.out.c_str(), "eco %d.%d.%d\n", &major, &minor, &patch), 3);
}

TEST(Usage, MisspeltWordsGetTheNearestKnownOne) {
  expect_usage_error({"genrate"}, "unknown verb 'genrate'. Did you mean 'generate'?");
  expect_usage_error({"generate", "tsp", "--nods", "5"}, "Did you mean '--nodes'?");
  expect_usage_error({"generate", "tsp", "--nodes=5", "--treads=1"}, "Did you mean '--threads'?");
  expect_usage_error({"generate", "tsp", "--nodes", "5", "--distribution", "unifrom"},
                     "Did you mean 'uniform'?");
  expect_usage_error({"qqqq"}, "unknown verb 'qqqq'\n");
}

TEST(Usage, WrongValuesAreRefused) {
  expect_usage_error({"generate", "tsp", "--nodes", "0"}, "--nodes");
  expect_usage_error({"generate", "tsp", "--nodes", "-3"}, "--nodes");
  expect_usage_error({"generate", "tsp", "--nodes", "ten"}, "--nodes");
  expect_usage_error({"generate", "tsp"}, "--nodes");
  expect_usage_error({"generate", "tsp", "--nodes", "5", "--capacity", "9"}, "CVRP");
  expect_usage_error({"generate", "tsp", "--nodes", "5", "surplus"}, "surplus");
  expect_usage_error({"check"}, "instance");
}

TEST(Train, SaysHowToGetTheTrainerIfItIsNotThere) {
  TemporaryFolder folder;  // a copy of eco with nothing beside it, and no PATH
  std::filesystem::copy(program_path("eco"), folder.path("eco"));
  const RunResult result =
      run_program({"/usr/bin/env", "PATH=/nonexistent", folder.path("eco"), "train", "sft"});
  EXPECT_EQ(result.code, 4);
  EXPECT_TRUE(contains(result.err, "eco-train was not found")) << result.err;
}

TEST(Train, HandsItsArgumentsOverToTheTrainerBesideIt) {
  TemporaryFolder folder;
  std::filesystem::copy(program_path("eco"), folder.path("eco"));
  std::filesystem::permissions(folder.write("eco-train", "#!/bin/sh\necho \"$@\"; exit 7\n"),
                               std::filesystem::perms::owner_all);
  const RunResult result =
      run_program({folder.path("eco"), "train", "sft", "--config", "a b", "--help"});
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.out, "sft --config a b --help\n");
}

TEST(Completion, ScriptsForEveryShellKnowTheVerbsAndOptions) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const RunResult result = run_eco({"completion", shell});
    EXPECT_EQ(result.code, 0);
    EXPECT_TRUE(contains(result.out, "generate")) << shell;
    EXPECT_TRUE(contains(result.out, "distribution")) << shell;
    EXPECT_TRUE(contains(result.out, "uniform clustered mixture x board panel")) << shell;
  }
  expect_usage_error({"completion", "tcsh"}, "expected bash, zsh or fish");
}

TEST(Completion, TheBashScriptIsValidAndCompletes) {
  TemporaryFolder folder;
  const std::string script = folder.write("eco.bash", run_eco({"completion", "bash"}).out);
  EXPECT_EQ(run_program({"bash", "-n", script}).code, 0);
  const auto complete = [&](const std::string& words) {
    return run_program({"bash", "-c",
                        "source '" + script + "'; COMP_WORDS=(" + words +
                            "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _eco; echo ${COMPREPLY[@]}"})
        .out;
  };
  EXPECT_EQ(complete("eco gen"), "generate\n");
  EXPECT_EQ(complete("eco generate --dist"), "--distribution\n");
  EXPECT_EQ(complete("eco generate --depot c"), "centre corner\n");
}

}  // namespace
}  // namespace eco
