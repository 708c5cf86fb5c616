// The command line: a table of verbs, and the translation of errors into exit codes.

#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "eco/options.h"
#include "eco/suggest.h"
#include "eco/verb.h"

// Every verb, in the order of `eco --help`. NAME lives in NAME.cpp as `Verb NAME_verb()`.
#define ECO_VERBS(VERB) \
  VERB(generate)        \
  VERB(convert)         \
  VERB(check)           \
  VERB(solve)           \
  VERB(label)           \
  VERB(eval)            \
  VERB(bench)           \
  VERB(info)            \
  VERB(train)           \
  VERB(plot)            \
  VERB(completion)

namespace eco::cli {

#define ECO_DECLARE(name) Verb name##_verb();
ECO_VERBS(ECO_DECLARE)
#undef ECO_DECLARE

std::span<const Verb> all_verbs() {
#define ECO_CALL(name) name##_verb(),
  static const std::array verbs{ECO_VERBS(ECO_CALL)};
#undef ECO_CALL
  return verbs;
}

namespace {

constexpr int kDefect = 70;  // EX_SOFTWARE: neither the user's fault nor the machine's

void print_overview(std::FILE* out) {
  fmt::print(out, "eco {}: neural routing (TSP, CVRP)\n\nUsage: eco VERB [OPTIONS]\n\nVerbs:\n",
             ECO_VERSION);
  for (const Verb& verb : all_verbs()) fmt::print(out, "  {:<12}{}\n", verb.name, verb.summary);
  fmt::print(out,
             "\n  eco VERB --help    its options and an example\n"
             "  eco --version\n");
}

int fail(std::string_view where, std::string_view message, int code) {
  (void)std::fflush(stdout);
  fmt::print(stderr, "{}: {}\n", where, message);
  return code;
}

// What was wrong with the arguments. An unknown option comes first: it is often the misspelt form
// of the one that CLI11 then finds missing.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with('-')) return "unexpected argument '" + word + "'";
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> options;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& known : option->get_lnames()) options.push_back("--" + known);
    }
    const std::vector<std::string_view> known(options.begin(), options.end());
    return "unknown option '" + name + "'" + did_you_mean(name, known);
  }
  return error.what();
}

int run(const Verb& verb, int argc, char** argv) {
  const std::string title = "eco " + std::string(verb.name);
  CLI::App app(std::string(verb.summary), title);
  app.footer("Example:\n  " + std::string(verb.example));
  const Body body = verb.setup(app);
  CommonOptions common;
  if (verb.common_options) add_common_options(app, common);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(title, explain(app, error) + "\nTry '" + title + " --help'.",
                static_cast<int>(ErrorKind::usage));
  }
  try {
    watch_for_interrupts();
    const int code = body(Session(common, interrupts()));
    if (std::fflush(stdout) != 0) throw Error(ErrorKind::resource, "cannot write to stdout");
    return code;
  } catch (const Error& error) {
    return fail(title, error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    return fail(title, "out of memory", static_cast<int>(ErrorKind::resource));
  } catch (const std::exception& error) {
    return fail(title, error.what(), kDefect);
  }
}

int dispatch(int argc, char** argv) {
  constexpr int kUsage = static_cast<int>(ErrorKind::usage);
  if (argc < 2) {
    print_overview(stderr);
    return kUsage;
  }
  const std::string_view word = argv[1];
  if (word == "--version") {
    fmt::print("eco {}\n", ECO_VERSION);
    return 0;
  }
  if (word == "--help" || word == "-h" || word == "help") {
    print_overview(stdout);
    return 0;
  }
  std::vector<std::string_view> names;
  for (const Verb& verb : all_verbs()) {
    if (verb.name == word) return run(verb, argc - 1, argv + 1);
    names.push_back(verb.name);
  }
  const std::string what = word.starts_with('-') ? "unknown option '" : "unknown verb '";
  return fail("eco",
              what + std::string(word) + "'" + did_you_mean(word, names) + "\nTry 'eco --help'.",
              kUsage);
}

}  // namespace
}  // namespace eco::cli

int main(int argc, char** argv) {
  return eco::cli::dispatch(argc, argv);
}
