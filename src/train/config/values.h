#pragma once
// Text to value and back for every type that a config key may have. `parse` returns false on text
// that is not wholly a value of the type; `expected` says what would be one.

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "train/config/train_config.h"

namespace eco::train {

template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

template <class T>
[[nodiscard]] bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}
[[nodiscard]] inline bool parse_value(std::string_view text, double& value) {
  return parse_number(text, value) && std::isfinite(value);
}
[[nodiscard]] inline bool parse_value(std::string_view text, std::size_t& value) {
  return parse_number(text, value);
}
[[nodiscard]] inline bool parse_value(std::string_view text, std::int64_t& value) {
  return parse_number(text, value);
}
[[nodiscard]] inline bool parse_value(std::string_view text, std::string& value) {
  value = text;
  return true;
}
[[nodiscard]] bool parse_value(std::string_view text, bool& value);
[[nodiscard]] bool parse_value(std::string_view text, ProblemKind& value);
[[nodiscard]] bool parse_value(std::string_view text, Preset& value);
[[nodiscard]] bool parse_value(std::string_view text, Schedule& value);
[[nodiscard]] bool parse_value(std::string_view text, Ops& value);
[[nodiscard]] bool parse_value(std::string_view text, OptimizerKind& value);
[[nodiscard]] bool parse_value(std::string_view text, PairRule& value);
[[nodiscard]] bool parse_value(std::string_view text, RunClock& value);
[[nodiscard]] bool parse_value(std::string_view text, LabelDraw& value);
[[nodiscard]] bool parse_value(std::string_view text, std::vector<std::string>& value);
[[nodiscard]] bool parse_value(std::string_view text, std::vector<SizeShare>& value);
[[nodiscard]] bool parse_value(std::string_view text, std::vector<DistributionShare>& value);

[[nodiscard]] std::string show_value(double value);
[[nodiscard]] std::string show_value(std::size_t value);
[[nodiscard]] std::string show_value(std::int64_t value);
[[nodiscard]] std::string show_value(const std::string& value);
[[nodiscard]] std::string show_value(bool value);
[[nodiscard]] std::string show_value(ProblemKind value);
[[nodiscard]] std::string show_value(Preset value);
[[nodiscard]] std::string show_value(Schedule value);
[[nodiscard]] std::string show_value(Ops value);
[[nodiscard]] std::string show_value(OptimizerKind value);
[[nodiscard]] std::string show_value(PairRule value);
[[nodiscard]] std::string show_value(RunClock value);
[[nodiscard]] std::string show_value(LabelDraw value);
[[nodiscard]] std::string show_value(const std::vector<std::string>& value);
[[nodiscard]] std::string show_value(const std::vector<SizeShare>& value);
[[nodiscard]] std::string show_value(const std::vector<DistributionShare>& value);

// "a whole number, 0 or more", "one of tsp, cvrp"; the value itself does not matter.
[[nodiscard]] std::string expected(double);
[[nodiscard]] std::string expected(std::size_t);
[[nodiscard]] std::string expected(std::int64_t);
[[nodiscard]] std::string expected(bool);
[[nodiscard]] std::string expected(ProblemKind);
[[nodiscard]] std::string expected(Preset);
[[nodiscard]] std::string expected(Schedule);
[[nodiscard]] std::string expected(Ops);
[[nodiscard]] std::string expected(OptimizerKind);
[[nodiscard]] std::string expected(PairRule);
[[nodiscard]] std::string expected(RunClock);
[[nodiscard]] std::string expected(LabelDraw);
[[nodiscard]] std::string expected(const std::string&);
[[nodiscard]] std::string expected(const std::vector<std::string>&);
[[nodiscard]] std::string expected(const std::vector<SizeShare>&);
[[nodiscard]] std::string expected(const std::vector<DistributionShare>&);

}  // namespace eco::train
