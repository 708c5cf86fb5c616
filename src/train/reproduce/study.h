#pragma once
// A study: tables of rows, each a training run that differs from a base in a few settings. The
// paper's own is recipes/paper.tables, which says what the lines mean; it is compiled in.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "train/config/config_file.h"

namespace eco::train {

// What is trained and measured. Rows with the same settings share it.
struct StudyRun {
  std::string name;                     // of its folders: "tsp-eco"
  std::string problem;                  // "tsp"
  bool warm_up = true, improve = true;  // stages
  double share = 0.5;                   // of the time, for the first of two stages
  bool seeded = false;
  std::string decode;
  std::map<std::string, std::string> settings;  // of the config, without the study's own keys
};

struct StudyRow {
  std::string name, problem;
  std::string figure;       // the paper's, "-": none
  std::string differences;  // as the file has them
  std::size_t run = 0;
};

struct StudyClaim {
  std::string problem, better, worse;  // rows
  std::string text;
  std::size_t better_run = 0, worse_run = 0;
};

struct StudyTable {
  std::string name, title, paper, text;
  std::set<std::string> columns;
  std::vector<StudyRow> rows;
  std::vector<StudyClaim> claims;
  std::vector<std::string> errors;
};

// Instances that all rows of a problem share.
struct StudyData {
  std::size_t labels = 0, validation = 0, test = 0;
};

struct Study {
  std::vector<StudyTable> tables;
  std::vector<StudyRun> runs;
  std::map<std::string, StudyData> data;  // by problem
  std::vector<std::size_t> scale;         // sizes of the measurement of memory and time
};

// `overrides` stand after everything that the rows say. Every row's config is made once, so that a
// wrong one is found here: throws eco::Error that names file and line.
[[nodiscard]] Study parse_study(const std::string& text, const std::string& file,
                                const std::vector<ConfigEntry>& overrides = {});

// The paper's, as compiled in.
[[nodiscard]] const std::string& paper_tables();

// Lines of a Markdown table: table, row, problem, the paper's figure, what differs. docs/recipes.md
// holds it, and a test compares.
[[nodiscard]] std::string rows_markdown(const Study& study);

}  // namespace eco::train
