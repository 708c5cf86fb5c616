#pragma once
// Text to value and back for every type that a config key may have. `parse` returns false on text
// that is not wholly a value of the type.

#include <charconv>
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
  return parse_number(text, value);
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
[[nodiscard]] bool parse_value(std::string_view text, OptimizerKind& value);
[[nodiscard]] bool parse_value(std::string_view text, Objective& value);
[[nodiscard]] bool parse_value(std::string_view text, PairRule& value);
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
[[nodiscard]] std::string show_value(OptimizerKind value);
[[nodiscard]] std::string show_value(Objective value);
[[nodiscard]] std::string show_value(PairRule value);
[[nodiscard]] std::string show_value(const std::vector<std::string>& value);
[[nodiscard]] std::string show_value(const std::vector<SizeShare>& value);
[[nodiscard]] std::string show_value(const std::vector<DistributionShare>& value);

}  // namespace eco::train
