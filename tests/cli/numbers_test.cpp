// Every option that takes a number, found in the help of every verb: what makes no sense is refused
// as wrong usage, and nothing crashes or never ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "cli/run.h"

namespace eco {
namespace {

struct NumericOption {
  std::string name, type;
};

// Of lines like "  -w,--weights FILE=x   Text": the long name and the type, without its default.
std::vector<NumericOption> numeric_options(const std::string& verb) {
  const RunResult help = run_eco({verb, "--help"});
  EXPECT_EQ(help.code, 0) << verb;
  std::vector<NumericOption> options;
  std::istringstream lines(help.out);
  const std::regex pattern(R"(^ +(?:-\w,)?(--[\w-]+) ([^ =]+).*)");
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, pattern)) continue;
    const std::string type = match[2];
    // The conversions of the parsing library wrap -1 round and take nan.
    EXPECT_TRUE(type.find("INT") == std::string::npos && type != "FLOAT")
        << verb << " " << match[1] << " takes a " << type;
    for (const char* numeric : {"N", "X", "SECONDS", "N|max", "N|off", "SHARE|off"}) {
      if (type == numeric) options.push_back({match[1], type});
    }
  }
  return options;
}

class Numbers : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* problem : {"tsp", "cvrp"}) {
      ASSERT_EQ(run_eco({"generate", problem, "--nodes", "8", "--count", "2", "--out",
                         folder_.path(problem) + std::string(".txt")})
                    .code,
                0);
    }
    ASSERT_EQ(run_eco({"solve", folder_.path("tsp.txt"), "--method", "nn", "--out", tour_}).code,
              0);
  }

  // A command of the verb that works and ends soon.
  std::vector<std::string> command(const std::string& verb) {
    const std::string tsp = folder_.path("tsp.txt"), cvrp = folder_.path("cvrp.txt");
    const std::string out = folder_.path("out.txt");
    const std::map<std::string, std::vector<std::string>> commands{
        {"generate", {"cvrp", "--distribution", "clustered", "--nodes", "5", "--out", out}},
        {"convert", {tsp, out}},
        {"check", {tsp, tour_}},
        {"solve", {cvrp}},
        {"label", {"--generate", "cvrp", "--count", "2", "--nodes", "5", "--out", out}},
        {"eval", {tsp}},
        {"bench", {"soak", "--count", "1"}},
        {"info", {tsp}}};
    const auto found = commands.find(verb);
    if (found == commands.end()) return {};
    std::vector<std::string> words{verb};
    words.insert(words.end(), found->second.begin(), found->second.end());
    return words;
  }

  RunResult run(const std::string& verb, const std::string& option, const std::string& value) {
    std::vector<std::string> words = command(verb);
    const auto given = std::find(words.begin(), words.end(), option);
    if (given != words.end()) words.erase(given, given + 2);
    words.insert(words.end(), {option, value});
    return run_eco(words);
  }

  void expect_refused(const std::string& verb, const std::string& option,
                      const std::string& value) {
    const RunResult result = run(verb, option, value);
    EXPECT_EQ(result.code, 2) << verb << " " << option << " " << value << ": " << result.err;
    EXPECT_TRUE(contains(result.err, option)) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_LT(result.err.size(), 250U) << "no bound of hundreds of digits: " << result.err;
  }

  void expect_refused_or_done(const std::string& verb, const std::string& option,
                              const std::string& value) {
    const RunResult result = run(verb, option, value);
    EXPECT_TRUE(result.code == 0 || result.code == 2)
        << verb << " " << option << " " << value << ": " << result.code << " " << result.err;
  }

  TemporaryFolder folder_;
  std::string tour_ = folder_.path("first.tour");
};

// Those that take no file of instances, and so no numbers but the common ones.
bool has_no_own_numbers(const std::string& verb) {
  return verb == "train" || verb == "plot" || verb == "completion";
}

std::vector<std::string> verbs() {
  std::vector<std::string> names;
  std::istringstream lines(run_eco({"--help"}).out);
  std::string line;
  while (std::getline(lines, line) && line != "Verbs:") {
  }
  while (std::getline(lines, line) && !line.empty()) {
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

TEST_F(Numbers, OfEveryOptionOfEveryVerbAreCheckedAtTheDoor) {
  const std::string huge = "18446744073709551614";  // 2^64 - 2
  std::size_t walked = 0;
  ASSERT_GT(verbs().size(), 8U);
  for (const std::string& verb : verbs()) {
    if (has_no_own_numbers(verb)) continue;
    ASSERT_FALSE(command(verb).empty()) << verb << " has no command to try its options with";
    ASSERT_EQ(run_eco(command(verb)).code, 0) << verb;
    for (const auto& [option, type] : numeric_options(verb)) {
      ++walked;
      expect_refused(verb, option, "-1");
      expect_refused(verb, option, "1x");
      if (type.find("off") == std::string::npos) expect_refused(verb, option, "");
      const bool whole = type.starts_with("N");
      expect_refused(verb, option, whole ? "1.5" : "nan");
      if (whole && option != "--seed") expect_refused(verb, option, huge);
      if (type == "SECONDS") {
        expect_refused(verb, option, "0");
        for (const char* endless : {"1e10", "1e300", "inf"}) {
          EXPECT_EQ(run(verb, option, endless).code, 0) << verb << " " << option << " " << endless;
        }
      } else if (verb != "bench") {
        expect_refused_or_done(verb, option, "0");
        expect_refused_or_done(verb, option, huge);
      }
    }
  }
  EXPECT_GT(walked, 40U) << "the help was not understood";
}

TEST_F(Numbers, AreDecimal) {
  // Eight nodes: 010 is not 8, and 0x8 is nothing.
  const RunResult ten = run("generate", "--nodes", "010");
  ASSERT_EQ(ten.code, 0) << ten.err;
  EXPECT_TRUE(contains(run_eco({"info", folder_.path("out.txt")}).out, "nodes             11"));
  EXPECT_EQ(run("generate", "--nodes", "0x8").code, 2);
}

TEST_F(Numbers, AreRefusedWithTheRangeThatIsMeant) {
  EXPECT_TRUE(contains(run("solve", "--time-limit", "0").err,
                       "--time-limit: found '0', expected a number above 0"));
  EXPECT_TRUE(contains(run("solve", "--index", "-1").err,
                       "--index: found '-1', expected a whole number from 0 on"));
  EXPECT_TRUE(contains(run("generate", "--nodes", "0").err,
                       "--nodes: found '0', expected a whole number from 1 to 99999999"));
  EXPECT_TRUE(contains(run("eval", "--batch", "0").err,
                       "--batch: found '0', expected a whole number from 1 to"));
}

}  // namespace
}  // namespace eco
