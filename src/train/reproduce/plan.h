#pragma once
// What a study does in its folder, as commands of eco and eco-train: labels, the first stages that
// rows share, the second stages, the measurements. All paths are in the folder.
//
//   data/       labelled instances: train, valid, test, and the sizes of the scale
//   stage-one/  first stages, by what they depend on
//   runs/       second stages, by row and seed
//   results/    what eco eval said of them

#include <map>
#include <string>
#include <vector>

#include "train/reproduce/jobs.h"
#include "train/reproduce/study.h"

namespace eco::train {

struct StudyOptions {
  std::string folder;
  double minutes = 12;  // processor time of a row
  std::size_t nodes = 50;
  std::size_t seeds = 3;
  std::string only;            // a table; empty: all
  std::string eco, eco_train;  // programs
};

// Where the parts of one run lie.
struct RunPlaces {
  std::size_t run = 0, seed = 0;    // of Study::runs; from 1
  std::vector<std::string> stages;  // folders with metrics.jsonl, in order
  std::string weights;
  std::string gaps, orders;  // what eval said; empty: not asked
  std::string batch_8, batch_all;
  std::vector<std::string> scale;  // by Study::scale
  std::vector<std::size_t> jobs;   // that make it
};

struct StudyPlan {
  std::vector<Job> jobs;
  std::vector<RunPlaces> runs;               // that take part
  std::map<std::string, std::string> files;  // config files that the commands read: path, text

  [[nodiscard]] std::vector<const RunPlaces*> of(std::size_t run) const;  // all seeds
};

// Which tables take part. Throws eco::Error (usage) if there is none of that name.
[[nodiscard]] std::vector<const StudyTable*> chosen_tables(const Study& study,
                                                           const std::string& only);

// Nothing is written. Labels a few instances, to know how long that takes.
[[nodiscard]] StudyPlan make_plan(const Study& study, const StudyOptions& options);

}  // namespace eco::train
