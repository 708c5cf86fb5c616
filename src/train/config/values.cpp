#include "train/config/values.h"

#include <array>
#include <span>

namespace eco::train {

namespace {

constexpr std::array kBools = {EnumName<bool>{true, "on"},   EnumName<bool>{false, "off"},
                               EnumName<bool>{true, "true"}, EnumName<bool>{false, "false"},
                               EnumName<bool>{true, "yes"},  EnumName<bool>{false, "no"},
                               EnumName<bool>{true, "1"},    EnumName<bool>{false, "0"}};
constexpr std::array kPresets = {
    EnumName<Preset>{Preset::paper, "paper"}, EnumName<Preset>{Preset::best, "best"},
    EnumName<Preset>{Preset::am, "am"}, EnumName<Preset>{Preset::pomo, "pomo"},
    EnumName<Preset>{Preset::lehd, "lehd"}};
constexpr std::array kSchedules = {EnumName<Schedule>{Schedule::constant, "constant"},
                                   EnumName<Schedule>{Schedule::cosine, "cosine"}};
constexpr std::array kOps = {EnumName<Ops>{Ops::fused, "fused"},
                             EnumName<Ops>{Ops::plain, "plain"}};
constexpr std::array kOptimizers = {EnumName<OptimizerKind>{OptimizerKind::adam, "adam"},
                                    EnumName<OptimizerKind>{OptimizerKind::adamw, "adamw"}};
constexpr std::array kRules = {EnumName<PairRule>{PairRule::best_worst, "best-worst"},
                               EnumName<PairRule>{PairRule::random, "random"},
                               EnumName<PairRule>{PairRule::best_random, "best-random"},
                               EnumName<PairRule>{PairRule::best_anchored, "best-anchored"},
                               EnumName<PairRule>{PairRule::all_pairs, "all-pairs"}};
constexpr std::array kDraws = {EnumName<LabelDraw>{LabelDraw::replacement, "replacement"},
                               EnumName<LabelDraw>{LabelDraw::epochs, "epochs"}};
constexpr std::array kClocks = {EnumName<RunClock>{RunClock::wall, "wall"},
                                EnumName<RunClock>{RunClock::cpu, "cpu"}};

template <class Names, class T>
bool parse_name(const Names& names, std::string_view text, T& value) {
  for (const auto& entry : names) {
    if (entry.name != text) continue;
    value = entry.value;
    return true;
  }
  return false;
}

template <class Names, class T>
std::string show_name(const Names& names, T value) {
  for (const auto& entry : names) {
    if (entry.value == value) return std::string(entry.name);
  }
  return "?";
}

template <class Names>
std::string one_of(const Names& names) {
  std::string text;
  for (const auto& entry : names) text.append(text.empty() ? "one of " : ", ").append(entry.name);
  return text;
}

// Splits at commas and spaces; empty pieces do not count.
std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const auto end = text.find_first_of(", ");
    if (const auto piece = text.substr(0, end); !piece.empty()) result.push_back(piece);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return result;
}

// N[:weight][@from]
bool parse_size(std::string_view text, SizeShare& size) {
  if (const auto at = text.find('@'); at != std::string_view::npos) {
    if (!parse_value(text.substr(at + 1), size.from)) return false;
    text = text.substr(0, at);
  }
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    if (!parse_value(text.substr(colon + 1), size.weight)) return false;
    text = text.substr(0, colon);
  }
  return parse_value(text, size.nodes) && size.nodes >= 5 && size.weight > 0 && size.from >= 0 &&
         size.from < 1;
}

}  // namespace

bool parse_value(std::string_view text, bool& value) {
  return parse_name(kBools, text, value);
}
bool parse_value(std::string_view text, ProblemKind& value) {
  const std::optional<ProblemKind> problem = problem_from(text);
  if (problem) value = *problem;
  return problem.has_value();
}
bool parse_value(std::string_view text, Preset& value) {
  return parse_name(kPresets, text, value);
}
bool parse_value(std::string_view text, Schedule& value) {
  return parse_name(kSchedules, text, value);
}
bool parse_value(std::string_view text, Ops& value) {
  return parse_name(kOps, text, value);
}
bool parse_value(std::string_view text, OptimizerKind& value) {
  return parse_name(kOptimizers, text, value);
}
bool parse_value(std::string_view text, PairRule& value) {
  return parse_name(kRules, text, value);
}
bool parse_value(std::string_view text, RunClock& value) {
  return parse_name(kClocks, text, value);
}
bool parse_value(std::string_view text, LabelDraw& value) {
  return parse_name(kDraws, text, value);
}

bool parse_value(std::string_view text, std::vector<std::string>& value) {
  value.clear();
  for (const auto piece : pieces(text)) value.emplace_back(piece);
  return true;
}

bool parse_value(std::string_view text, std::vector<SizeShare>& value) {
  value.clear();
  for (const auto piece : pieces(text)) {
    SizeShare size;
    if (!parse_size(piece, size)) return false;
    value.push_back(size);
  }
  return true;
}

// NAME[:weight], ...
bool parse_value(std::string_view text, std::vector<DistributionShare>& value) {
  value.clear();
  for (const auto piece : pieces(text)) {
    DistributionShare share;
    const auto colon = piece.find(':');
    const auto distribution = distribution_from(piece.substr(0, colon));
    if (!distribution) return false;
    share.distribution = *distribution;
    if (colon != std::string_view::npos && !parse_value(piece.substr(colon + 1), share.weight)) {
      return false;
    }
    if (!(share.weight > 0)) return false;
    value.push_back(share);
  }
  return !value.empty();
}

std::string show_value(double value) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}
std::string show_value(std::size_t value) {
  return std::to_string(value);
}
std::string show_value(std::int64_t value) {
  return std::to_string(value);
}
std::string show_value(const std::string& value) {
  return value;
}
std::string show_value(bool value) {
  return show_name(kBools, value);
}
std::string show_value(ProblemKind value) {
  return std::string(to_string(value));
}
std::string show_value(Preset value) {
  return show_name(kPresets, value);
}
std::string show_value(Schedule value) {
  return show_name(kSchedules, value);
}
std::string show_value(Ops value) {
  return show_name(kOps, value);
}
std::string show_value(OptimizerKind value) {
  return show_name(kOptimizers, value);
}
std::string show_value(PairRule value) {
  return show_name(kRules, value);
}
std::string show_value(RunClock value) {
  return show_name(kClocks, value);
}
std::string show_value(LabelDraw value) {
  return show_name(kDraws, value);
}

std::string show_value(const std::vector<std::string>& value) {
  std::string text;
  for (const auto& item : value) {
    if (!text.empty()) text += ", ";
    text += item;
  }
  return text;
}

std::string show_value(const std::vector<SizeShare>& value) {
  std::string text;
  for (const auto& size : value) {
    if (!text.empty()) text += ", ";
    text += std::to_string(size.nodes);
    if (size.weight != 1) text.append(":").append(show_value(size.weight));
    if (size.from != 0) text.append("@").append(show_value(size.from));
  }
  return text;
}
std::string show_value(const std::vector<DistributionShare>& value) {
  std::string text;
  for (const DistributionShare& share : value) {
    if (!text.empty()) text += ", ";
    text += to_string(share.distribution);
    if (share.weight != 1) text += ":" + show_value(share.weight);
  }
  return text;
}

std::string expected(double) {
  return "a number";
}
std::string expected(std::size_t) {
  return "a whole number, 0 or more";
}
std::string expected(std::int64_t) {
  return "a whole number";
}
std::string expected(bool) {
  return "on or off";
}
std::string expected(ProblemKind) {
  return "one of " + problem_names();
}
std::string expected(Preset) {
  return one_of(kPresets);
}
std::string expected(Schedule) {
  return one_of(kSchedules);
}
std::string expected(Ops) {
  return one_of(kOps);
}
std::string expected(OptimizerKind) {
  return one_of(kOptimizers);
}
std::string expected(PairRule) {
  return one_of(kRules);
}
std::string expected(RunClock) {
  return one_of(kClocks);
}
std::string expected(LabelDraw) {
  return one_of(kDraws);
}
std::string expected(const std::string&) {
  return "a text";
}
std::string expected(const std::vector<std::string>&) {
  return "a list of names with commas between them";
}
std::string expected(const std::vector<SizeShare>&) {
  return "sizes like '20, 50:2, 100:1@0.5', each 5 or more";
}
std::string expected(const std::vector<DistributionShare>&) {
  return "names like 'uniform:3, clustered'";
}

}  // namespace eco::train
