#include "train/reproduce/study.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>

#include "core/base/nearest_name.h"
#include "train/config/train_config.h"
#include "train/config/values.h"

namespace eco::train {

namespace {

constexpr std::array<std::string_view, 9> kStudyKeys{
    "stages", "share", "seeded", "decode", "variant", "labels", "validation", "test", "scale"};
constexpr std::array<std::string_view, 6> kColumns{"gap",    "margin", "margins",
                                                   "orders", "timing", "scale"};

using Entries = std::vector<ConfigEntry>;

std::string trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

std::vector<std::string> fields_of(std::string_view text, char between) {
  std::vector<std::string> fields;
  while (true) {
    const auto end = text.find(between);
    fields.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return fields;
    text.remove_prefix(end + 1);
  }
}

bool is_study_key(std::string_view key) {
  return std::find(kStudyKeys.begin(), kStudyKeys.end(), key) != kStudyKeys.end();
}

// "w/o LS Boot." to "w-o-ls-boot"
std::string slug(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && (result.back() == '-' || result.back() == '.')) result.pop_back();
  return result;
}

class StudyParser {
 public:
  StudyParser(std::string file, const Entries& overrides)
      : file_(std::move(file)), overrides_(overrides) {}

  Study parse(const std::string& text) {
    std::istringstream stream(text);
    std::string line;
    while (std::getline(stream, line)) {
      ++number_;
      const std::string content = trim(line);
      if (content.empty() || content.front() == '#') continue;
      if (content.front() == '[') {
        open_section(content);
      } else if (content.find('|') != std::string::npos) {
        add_line(content);
      } else {
        add_setting(content);
      }
    }
    for (std::size_t t = 0; t < study_.tables.size(); ++t) find_claimed(study_.tables[t]);
    take_data();
    return std::move(study_);
  }

 private:
  [[nodiscard]] Location here() const { return {file_, number_}; }

  void open_section(const std::string& text) {
    const auto words = fields_of(text.substr(1, text.find(']') - 1), ' ');
    table_ = nullptr;
    settings_ = nullptr;
    if (text.back() == ']' && words.size() == 1 && words[0] == "base") {
      settings_ = &base_;
    } else if (text.back() == ']' && words.size() == 2 && words[0] == "base") {
      settings_ = &problem_base_[words[1]];
    } else if (text.back() == ']' && words.size() == 2 && words[0] == "variant") {
      settings_ = &variants_[words[1]];
    } else if (text.back() == ']' && words.size() == 2 && words[0] == "table") {
      study_.tables.push_back({words[1], {}, {}, {}, {}, {}, {}, {}});
      table_ = &study_.tables.back();
    } else {
      throw input_error(here(), text, "[base], [base PROBLEM], [variant NAME] or [table NAME]");
    }
  }

  void add_setting(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) throw input_error(here(), text, "key = value");
    const std::string key = trim(text.substr(0, equals)), value = trim(text.substr(equals + 1));
    if (settings_ != nullptr) {
      settings_->push_back({key, value, here()});
    } else if (table_ == nullptr) {
      throw input_error(here(), text, "a section first");
    } else if (key == "title") {
      table_->title = value;
    } else if (key == "paper") {
      table_->paper = value;
    } else if (key == "text") {
      table_->text += (table_->text.empty() ? "" : " ") + value;
    } else if (key == "columns") {
      for (const std::string& column : fields_of(value, ',')) {
        if (std::find(kColumns.begin(), kColumns.end(), column) == kColumns.end()) {
          throw input_error(here(), column, "gap, margin, margins, orders, timing or scale");
        }
        table_->columns.insert(column);
      }
    } else {
      throw input_error(here(), key, "title, paper, text or columns");
    }
  }

  void add_line(const std::string& text) {
    const auto fields = fields_of(text, '|');
    if (table_ == nullptr) throw input_error(here(), text, "a [table NAME] first");
    if (fields[0] == "row" && fields.size() == 4) {
      add_row(fields);
    } else if (fields[0] == "claim" && fields.size() == 4) {
      const auto less = fields[2].find(" < ");
      if (less == std::string::npos) throw input_error(here(), fields[2], "ROW < ROW");
      table_->claims.push_back({fields[1], trim(fields[2].substr(0, less)),
                                trim(fields[2].substr(less + 3)), fields[3], 0, 0});
      claim_lines_[{table_->name, table_->claims.size() - 1}] = number_;
    } else if (fields[0] == "error" && fields.size() == 2) {
      table_->errors.push_back(fields[1]);
    } else {
      throw input_error(here(), text,
                        "row | NAME | PROBLEM FIGURE | SETTINGS, claim | PROBLEM | A < B | TEXT or "
                        "error | TEXT");
    }
  }

  void add_row(const std::vector<std::string>& fields) {
    const auto problem = fields_of(fields[2], ' ');
    if (problem.size() != 2 || !problem_base_.contains(problem[0])) {
      throw input_error(here(), fields[2], "a problem that has a [base PROBLEM], and a figure");
    }
    Entries own;
    for (const std::string& setting : fields_of(fields[3], ';')) {
      if (setting.empty()) continue;
      const auto equals = setting.find('=');
      if (equals == std::string::npos) throw input_error(here(), setting, "key = value");
      own.push_back({trim(setting.substr(0, equals)), trim(setting.substr(equals + 1)), here()});
    }
    StudyRow row{fields[1], problem[0], problem[1], fields[3], 0};
    row.run = run_of(row, own);
    table_->rows.push_back(std::move(row));
  }

  // Base, base of the problem, variant, the row's own, what the command line says.
  [[nodiscard]] Entries all_entries(const std::string& problem, const Entries& own) const {
    Entries all = base_;
    const auto add = [&](const Entries& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(problem_base_.at(problem));
    for (const ConfigEntry& entry : own) {
      if (entry.key != "variant") continue;
      const auto found = variants_.find(entry.value);
      if (found == variants_.end()) {
        refuse(entry, "there is no [variant " + entry.value + "]");
      }
      add(found->second);
    }
    add(own);
    add(overrides_);
    return all;
  }

  std::size_t run_of(const StudyRow& row, const Entries& own) {
    StudyRun run;
    run.problem = row.problem;
    Entries config;
    for (const ConfigEntry& entry : all_entries(row.problem, own)) {
      if (is_study_key(entry.key)) {
        take_study_key(entry, run);
      } else {
        config.push_back(entry);
        run.settings[entry.key] = entry.value;
      }
    }
    (void)make_train_config(config);
    const auto same = [&](const StudyRun& other) {
      return other.problem == run.problem && other.settings == run.settings &&
             other.warm_up == run.warm_up && other.improve == run.improve &&
             other.share == run.share && other.decode == run.decode;
    };
    auto& runs = study_.runs;
    const auto found = std::find_if(runs.begin(), runs.end(), same);
    if (found != runs.end()) {
      found->seeded = found->seeded || run.seeded;
      return static_cast<std::size_t>(found - runs.begin());
    }
    // Rows of one name in two tables may differ: the table's name then tells them apart.
    run.name = row.problem + "-" + slug(row.name);
    const auto taken = [&](const StudyRun& other) { return other.name == run.name; };
    if (std::any_of(runs.begin(), runs.end(), taken)) {
      run.name = row.problem + "-" + slug(table_->name + "-" + row.name);
    }
    if (std::any_of(runs.begin(), runs.end(), taken)) {
      throw input_error(here(), row.name, "a name that the table does not have yet");
    }
    runs.push_back(std::move(run));
    return runs.size() - 1;
  }

  static void take_study_key(const ConfigEntry& entry, StudyRun& run) {
    if (entry.key == "stages") {
      if (entry.value != "both" && entry.value != "sft" && entry.value != "improve") {
        refuse(entry, "stages is " + eco::quoted(entry.value) + ", expected both, sft or improve");
      }
      run.warm_up = entry.value != "improve";
      run.improve = entry.value != "sft";
    } else if (entry.key == "share") {
      if (!parse_value(entry.value, run.share) || run.share <= 0 || run.share >= 1) {
        refuse(entry, "share is " + eco::quoted(entry.value) + ", expected above 0 and below 1");
      }
    } else if (entry.key == "seeded") {
      if (!parse_value(entry.value, run.seeded)) {
        refuse(entry, "seeded is " + eco::quoted(entry.value) + ", expected on or off");
      }
    } else if (entry.key == "decode") {
      run.decode = entry.value;
    }
  }

  // A row of the same table, or of any other.
  [[nodiscard]] std::optional<std::size_t> named_run(const StudyTable& table,
                                                     const std::string& problem,
                                                     const std::string& name) const {
    const auto in = [&](const StudyTable& one) -> std::optional<std::size_t> {
      for (const StudyRow& row : one.rows) {
        if (row.name == name && row.problem == problem) return row.run;
      }
      return std::nullopt;
    };
    if (const auto found = in(table)) return found;
    for (const StudyTable& other : study_.tables) {
      if (const auto found = in(other)) return found;
    }
    return std::nullopt;
  }

  void find_claimed(StudyTable& table) {
    for (std::size_t i = 0; i < table.claims.size(); ++i) {
      StudyClaim& claim = table.claims[i];
      const Location where{file_, claim_lines_.at({table.name, i})};
      for (const auto& [name, run] : {std::pair{&claim.better, &claim.better_run},
                                      std::pair{&claim.worse, &claim.worse_run}}) {
        const auto found = named_run(table, claim.problem, *name);
        if (!found) throw input_error(where, *name, "a row of " + claim.problem);
        *run = *found;
      }
    }
  }

  void take_data() {
    for (const auto& [problem, unused] : problem_base_) {
      StudyData& data = study_.data[problem];
      for (const ConfigEntry& entry : all_entries(problem, {})) {
        std::size_t* number = entry.key == "labels"       ? &data.labels
                              : entry.key == "validation" ? &data.validation
                              : entry.key == "test"       ? &data.test
                                                          : nullptr;
        if (number != nullptr && (!parse_value(entry.value, *number) || *number == 0)) {
          refuse(entry, entry.key + " is " + eco::quoted(entry.value) + ", expected 1 or more");
        }
        if (entry.key != "scale") continue;
        study_.scale.clear();
        for (const std::string& size : fields_of(entry.value, ',')) {
          if (!parse_value(size, study_.scale.emplace_back()) || study_.scale.back() < 5) {
            refuse(entry, "scale: " + eco::quoted(size) + ", expected sizes of 5 or more");
          }
        }
      }
      for (const std::size_t number : {data.labels, data.validation, data.test}) {
        if (number == 0) {
          throw Error(ErrorKind::input, file_ + ": labels, validation and test of " + problem +
                                            " must be set in [base] or [base " + problem + "]");
        }
      }
    }
  }

  std::string file_;
  const Entries& overrides_;
  std::size_t number_ = 0;
  Study study_;
  Entries base_;
  std::map<std::string, Entries> problem_base_, variants_;
  Entries* settings_ = nullptr;
  StudyTable* table_ = nullptr;
  std::map<std::pair<std::string, std::size_t>, std::size_t> claim_lines_;
};

}  // namespace

Study parse_study(const std::string& text, const std::string& file,
                  const std::vector<ConfigEntry>& overrides) {
  return StudyParser(file, overrides).parse(text);
}

std::string rows_markdown(const Study& study) {
  std::string out =
      "| table | row | problem | the paper's | what differs |\n|---|---|---|---|---|\n";
  for (const StudyTable& table : study.tables) {
    for (const StudyRow& row : table.rows) {
      const bool first = &row == table.rows.data();
      out += "| " + (first ? "`" + table.name + "`: " + table.title : "") + " | " + row.name +
             " | " + row.problem + " | " + (row.figure == "-" ? "" : row.figure) + " | " +
             (row.differences.empty() ? "" : "`" + row.differences + "`") + " |\n";
    }
  }
  return out;
}

}  // namespace eco::train
