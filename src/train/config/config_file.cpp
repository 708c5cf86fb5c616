#include "train/config/config_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace eco::train {

namespace {

constexpr int kMaxIncludeDepth = 8;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

void read_into(const std::string& path, int depth, std::vector<ConfigEntry>& entries) {
  if (depth > kMaxIncludeDepth) {
    throw Error(ErrorKind::input, path + ": config files include each other more than " +
                                      std::to_string(kMaxIncludeDepth) + " deep");
  }
  std::ifstream file(path);
  if (!file) throw Error(ErrorKind::input, path + ": cannot open the config file");
  std::string section, line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const Location where{path, number};
    const std::string_view text = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    if (text.front() == '[') {
      if (text.back() != ']') throw input_error(where, text, "a section like [sft]");
      section = trimmed(text.substr(1, text.size() - 2));
      if (!section.empty()) section += '.';
      continue;
    }
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) throw input_error(where, text, "key = value");
    const std::string key = section + std::string(trimmed(text.substr(0, equals)));
    const std::string value(trimmed(text.substr(equals + 1)));
    if (key == "include") {
      const auto folder = std::filesystem::path(path).parent_path();
      read_into((folder / value).string(), depth + 1, entries);
    } else {
      entries.push_back({key, value, where});
    }
  }
}

}  // namespace

std::vector<ConfigEntry> read_config_file(const std::string& path) {
  std::vector<ConfigEntry> entries;
  read_into(path, 0, entries);
  return entries;
}

void refuse(const ConfigEntry& entry, const std::string& message) {
  if (entry.where.line == 0) throw Error(ErrorKind::usage, entry.where.file + ": " + message);
  throw input_error(entry.where, message);
}

ConfigEntry parse_override(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(ErrorKind::usage, "--set " + eco::quoted(text) + ": expected key=value");
  }
  return {std::string(trimmed(text.substr(0, equals))),
          std::string(trimmed(text.substr(equals + 1))),
          {"--set", 0}};
}

}  // namespace eco::train
