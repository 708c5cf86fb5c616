#include "train/reproduce/reproduce.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/expert/adapter/process.h"
#include "io/atomic_file.h"
#include "report/progress.h"
#include "train/config/values.h"
#include "train/loop/folder_lock.h"
#include "train/reproduce/study_report.h"

namespace eco::train {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(ErrorKind::input, path.string() + ": cannot open the file");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  io::AtomicFile file(path.string());
  file.write(text);
  file.commit();
}

// eco stands beside eco-train, or on PATH.
std::string find_eco(const fs::path& beside) {
  const fs::path candidate = beside / "eco";
  if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
  const std::string found = find_program({"eco"});
  if (found.empty()) {
    throw Error(ErrorKind::resource, "eco was not found beside eco-train or on PATH");
  }
  return found;
}

// What all results of a folder have in common.
std::string identity_of(const ReproduceOptions& options, const std::string& tables) {
  std::string text = "minutes = " + show_value(options.minutes) +
                     "\nnodes = " + std::to_string(options.nodes) + "\n";
  for (const std::string& setting : options.overrides) text += "set = " + setting + "\n";
  return text + "\n" + tables;
}

// A folder is of one study: results of another time, size or table are no results of this one.
void claim_folder(const fs::path& folder, const std::string& identity) {
  const fs::path file = folder / "study.txt";
  if (!fs::exists(file)) {
    write_file(file, identity);
  } else if (read_text(file) != identity) {
    throw Error(ErrorKind::usage,
                folder.string() +
                    " was begun with other --minutes, --nodes, --set or tables (study.txt has "
                    "them); give another --out");
  }
}

std::string commands_text(const StudyPlan& plan) {
  std::string text = "# Every command, run in this folder.\n";
  for (const Job& job : plan.jobs) {
    for (std::size_t i = 0; i < job.command.size(); ++i) {
      text += (i == 0 ? fs::path(job.command[i]).filename().string() : " " + job.command[i]);
    }
    text += job.prints ? " > " + job.output + "\n" : "\n";
  }
  return text;
}

void write_report(const fs::path& folder, const Study& study, const StudyOptions& options,
                  const StudyPlan& plan, const std::vector<std::string>& failures) {
  const auto results = read_results(study, plan, folder.string(), failures);
  const Document report = study_report(study, options, plan, results);
  for (const Document::Figure& figure : report.figures()) {
    write_file(folder / "figures" / (figure.name + ".svg"), figure.svg);
  }
  write_file(folder / "report.md", report.markdown("figures"));
  write_file(folder / "report.html", report.html());
}

void tell_plan(const Study& study, const StudyPlan& plan, const ReproduceOptions& options,
               const JobOptions& jobs) {
  std::size_t rows = 0;
  const std::vector<bool> open = to_do(plan.jobs, jobs.folder);
  const auto done = static_cast<std::size_t>(std::count(open.begin(), open.end(), false));
  for (const StudyTable* table : chosen_tables(study, options.only)) rows += table->rows.size();
  (void)std::fprintf(stderr,
                     "%zu rows, %zu runs of %s CPU minutes, %zu steps of which %zu are done: about "
                     "%s on %zu idle core%s\n",
                     rows, plan.runs.size(), show_value(options.minutes).c_str(), plan.jobs.size(),
                     done, duration_text(estimate(plan.jobs, jobs)).c_str(), jobs.workers,
                     jobs.workers == 1 ? "" : "s");
}

}  // namespace

bool reproduce(const ReproduceOptions& options) {
  const std::string tables = options.tables.empty() ? paper_tables() : read_text(options.tables);
  std::vector<ConfigEntry> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(parse_override(text));
  const Study study =
      parse_study(tables, options.tables.empty() ? "paper.tables" : options.tables, overrides);
  const fs::path folder = fs::absolute(options.out);
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const StudyOptions plan_options{folder.string(), options.minutes, options.nodes,
                                  options.seeds,   options.only,    find_eco(self.parent_path()),
                                  self.string()};
  const StudyPlan plan = make_plan(study, plan_options);
  const JobOptions jobs{folder.string(), options.threads == 0 ? available_cores() : options.threads,
                        options.quiet};
  if (!options.quiet || options.dry_run) tell_plan(study, plan, options, jobs);
  if (options.dry_run) {
    (void)std::fputs(commands_text(plan).c_str(), stdout);
    return true;
  }

  fs::create_directories(folder);
  const FolderLock lock(folder.string());
  claim_folder(folder, identity_of(options, tables));
  for (const auto& [name, text] : plan.files) write_file(folder / name, text);
  write_file(folder / "commands.txt", commands_text(plan));
  const JobsOutcome outcome = run_jobs(plan.jobs, jobs);
  write_report(folder, study, plan_options, plan, outcome.failures);
  if (outcome.interrupted) return false;
  const auto failed = std::count_if(outcome.failures.begin(), outcome.failures.end(),
                                    [](const std::string& text) { return !text.empty(); });
  if (!options.quiet) {
    (void)std::fprintf(stderr, "%s and %s\n", (folder / "report.md").c_str(),
                       (folder / "report.html").c_str());
  }
  if (failed > 0) {
    throw Error(ErrorKind::resource, std::to_string(failed) +
                                         " steps failed; the report says which rows lack them, the "
                                         "folder log why, and the same command tries them again");
  }
  return true;
}

}  // namespace eco::train
