// eco completion: scripts for bash, zsh and fish, made from the same tables as the help.

#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "eco/options.h"
#include "eco/verb.h"

namespace eco::cli {

namespace {

enum class Shell : std::uint8_t { bash, zsh, fish };

struct Word {
  std::string name;                  // --option, or empty for a positional
  std::vector<std::string> choices;  // empty: free text or a file
  std::string description;
  bool takes_value = false;
};

struct Entry {
  std::string verb, summary;
  std::vector<Word> words;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Entry> describe_verbs() {
  std::vector<Entry> entries;
  for (const Verb& verb : all_verbs()) {
    CLI::App app;
    const Body body = verb.setup(app);  // owns what the options point to
    CommonOptions common;
    if (verb.common_options) add_common_options(app, common);
    Entry entry{std::string(verb.name), std::string(verb.summary), {}};
    for (const CLI::Option* option : app.get_options()) {
      Word word;
      if (!option->get_lnames().empty()) word.name = fmt::format("--{}", option->get_lnames()[0]);
      const std::string type = option->get_type_name();
      if (type.find('|') != std::string::npos) word.choices = split(type, '|');
      word.description = option->get_description();
      word.takes_value = option->get_items_expected_max() > 0;
      entry.words.push_back(std::move(word));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string verb_names(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const Entry& entry : entries) names.push_back(entry.verb);
  return joined(names);
}

// In single quotes for a shell.
std::string quoted_for_shell(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string bash_script(const std::vector<Entry>& entries) {
  std::string values, options;
  for (const Entry& entry : entries) {
    std::vector<std::string> words;
    for (const Word& word : entry.words) {
      if (word.name.empty()) {
        words.insert(words.end(), word.choices.begin(), word.choices.end());
        continue;
      }
      words.push_back(word.name);
      if (word.choices.empty()) continue;
      values +=
          fmt::format("    {}:{}) words='{}' ;;\n", entry.verb, word.name, joined(word.choices));
    }
    options += fmt::format("    {}) words='{}' ;;\n", entry.verb, joined(words));
  }
  return fmt::format(
      "# eco completion bash; load with: source <(eco completion bash)\n"
      "_eco() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} "
      "words=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}:$previous\" in\n"
      "{}"
      "  esac\n"
      "  if [ -n \"$words\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n"
      "{}"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\") $(compgen -f -- \"$current\"))\n"
      "}}\n"
      "complete -o filenames -F _eco eco\n",
      verb_names(entries), values, options);
}

std::string zsh_script(const std::vector<Entry>& entries) {
  // In an argument specification brackets and colons separate its parts.
  const auto plain = [](std::string text) {
    for (char& c : text) {
      if (c == '[' || c == ']') c = c == '[' ? '(' : ')';
      if (c == ':') c = ';';
    }
    return text;
  };
  std::string verbs, cases;
  for (const Entry& entry : entries) {
    verbs += fmt::format("    {}\n", quoted_for_shell(entry.verb + ":" + plain(entry.summary)));
    cases += fmt::format("    {})\n      _arguments", entry.verb);
    for (const Word& word : entry.words) {
      const std::string action =
          word.choices.empty() ? "_files" : fmt::format("({})", joined(word.choices));
      std::string specification;
      if (word.name.empty()) {
        specification = fmt::format("*:argument:{}", action);
      } else {
        specification = fmt::format("{}[{}]", word.name, plain(word.description));
        if (word.takes_value) specification += fmt::format(":value:{}", action);
      }
      if (word.name.empty() && cases.ends_with(quoted_for_shell(specification))) continue;
      cases += fmt::format(" \\\n        {}", quoted_for_shell(specification));
    }
    cases += " ;;\n";
  }
  return fmt::format(
      "#compdef eco\n"
      "# eco completion zsh; write it to a folder of $fpath as _eco\n"
      "_eco() {{\n"
      "  local -a verbs\n"
      "  verbs=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe verb verbs\n"
      "    return\n"
      "  fi\n"
      "  local verb=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $verb in\n{}  esac\n"
      "}}\n"
      "compdef _eco eco\n",
      verbs, cases);
}

std::string fish_script(const std::vector<Entry>& entries) {
  std::string script =
      "# eco completion fish; write it to ~/.config/fish/completions/eco.fish\n"
      "complete -c eco -n __fish_use_subcommand -l help -d 'Verbs'\n"
      "complete -c eco -n __fish_use_subcommand -l version -d 'Version'\n";
  for (const Entry& entry : entries) {
    script += fmt::format("complete -c eco -f -n __fish_use_subcommand -a {} -d {}\n", entry.verb,
                          quoted_for_shell(entry.summary));
    const std::string prefix =
        fmt::format("complete -c eco -n '__fish_seen_subcommand_from {}'", entry.verb);
    for (const Word& word : entry.words) {
      if (word.name.empty()) {
        if (!word.choices.empty()) script += prefix + " -a '" + joined(word.choices) + "'\n";
        continue;
      }
      script += prefix + " -l " + word.name.substr(2) + (word.takes_value ? " -r" : "");
      if (!word.choices.empty()) script += " -f -a '" + joined(word.choices) + "'";
      script += " -d " + quoted_for_shell(word.description) + "\n";
    }
  }
  return script;
}

std::optional<Shell> shell_from(std::string_view name) {
  if (name == "bash") return Shell::bash;
  if (name == "zsh") return Shell::zsh;
  if (name == "fish") return Shell::fish;
  return std::nullopt;
}

Body setup_completion(CLI::App& app) {
  const auto shell = std::make_shared<Shell>(Shell::bash);
  add_choice(app, "shell", *shell, shell_from, {"bash", "zsh", "fish"}, "For which shell")
      ->required();
  return [shell](const Session& session) {
    const std::vector<Entry> entries = describe_verbs();
    switch (*shell) {
      case Shell::bash:
        session.print("{}", bash_script(entries));
        break;
      case Shell::zsh:
        session.print("{}", zsh_script(entries));
        break;
      case Shell::fish:
        session.print("{}", fish_script(entries));
        break;
    }
    return 0;
  };
}

}  // namespace

Verb completion_verb() {
  return {"completion", "Print a completion script for a shell", "source <(eco completion bash)",
          setup_completion, false};
}

}  // namespace eco::cli
