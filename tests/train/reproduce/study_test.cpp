#include "train/reproduce/study.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "paths.h"
#include "train/reproduce/plan.h"

namespace eco::train {
namespace {

const std::string kStart =
    "[base]\nlabels = 10\nvalidation = 4\ntest = 5\nscale = 20\n[base tsp]\nproblem = tsp\n"
    "[base cvrp]\nproblem = cvrp\n[variant merging]\npreset = best\n";

std::string study_error(const std::string& text) {
  try {
    (void)parse_study(kStart + text, "own.tables");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Study small_study() {
  return parse_study(kStart +
                         "[table one]\ncolumns = gap\n"
                         "row | A | tsp 1.5 | seeded = on\nrow | A | cvrp - |\n"
                         "row | B | tsp 2 | improve.alpha = 0\n"
                         "row | C | tsp - | stages = sft\n"
                         "claim | tsp | A < B | A is better.\nerror | a slip\n"
                         "[table two]\ncolumns = gap, timing\n"
                         "row | again | tsp 1.5 |\nrow | merging | tsp - | variant = merging\n",
                     "own.tables");
}

TEST(Study, RowsWithTheSameSettingsAreOneRun) {
  const Study study = small_study();
  ASSERT_EQ(study.tables.size(), 2U);
  EXPECT_EQ(study.runs.size(), 5U);
  EXPECT_EQ(study.tables[0].rows[0].run, study.tables[1].rows[0].run);
  EXPECT_NE(study.tables[0].rows[0].run, study.tables[0].rows[1].run);  // another problem
  EXPECT_TRUE(study.runs[0].seeded);
  EXPECT_EQ(study.runs[study.tables[1].rows[1].run].settings.at("preset"), "best");
  EXPECT_EQ(study.tables[0].claims[0].worse_run, study.tables[0].rows[2].run);
  EXPECT_EQ(study.data.at("cvrp").test, 5U);
}

TEST(Study, WrongLinesAreNamed) {
  EXPECT_NE(study_error("[table t]\nrow | A | tsp 1 | improve.alpah = 0\n")
                .find("own.tables:13: unknown key 'improve.alpah'"),
            std::string::npos)
      << study_error("[table t]\nrow | A | tsp 1 | improve.alpah = 0\n");
  for (const std::string wrong :
       {"row | A | vrp 1 |", "row | A | tsp |", "row | A | tsp 1 | variant = none",
        "row | A | tsp 1 | stages = three", "row | A | tsp 1", "claim | tsp | A < Z | no such row",
        "columns = gaps", "what is this"}) {
    EXPECT_NE(study_error("[table t]\n" + wrong + "\n").find("own.tables:13: "), std::string::npos)
        << wrong << ": " << study_error("[table t]\n" + wrong + "\n");
  }
  EXPECT_NE(study_error("[tabel t]\n").find("own.tables:12: "), std::string::npos);
}

TEST(Study, ThePlanSharesFirstStagesAndGivesEveryRowTheSameTime) {
  const Study study = small_study();
  StudyOptions options;
  options.minutes = 10;
  options.nodes = 10;
  options.seeds = 2;
  options.eco = "eco";
  options.eco_train = "eco-train";
  const StudyPlan plan = make_plan(study, options);
  std::map<std::string, double> seconds;
  for (const Job& job : plan.jobs) {
    EXPECT_TRUE(seconds.emplace(job.name, job.seconds).second) << job.name;
    for (const std::size_t before : job.after) EXPECT_LT(before, seconds.size());
  }
  for (const RunPlaces& places : plan.runs) {
    double sum = 0;
    for (const std::size_t job : places.jobs) sum += plan.jobs[job].seconds;
    EXPECT_NEAR(sum, 600, 1e-6) << study.runs[places.run].name;
  }
  // A and B differ in the second stage only.
  EXPECT_EQ(plan.of(0)[0]->stages[0], plan.of(2)[0]->stages[0]);
  EXPECT_NE(plan.of(0)[0]->stages[1], plan.of(2)[0]->stages[1]);
  EXPECT_EQ(plan.of(0).size(), 2U);  // seeds
  EXPECT_EQ(plan.of(2).size(), 1U);
  EXPECT_NE(plan.of(0)[0]->stages[0], plan.of(0)[1]->stages[0]);

  options.only = "two";
  const StudyPlan part = make_plan(study, options);
  EXPECT_EQ(part.of(2).size(), 0U);
  options.only = "tow";
  EXPECT_THROW((void)make_plan(study, options), Error);
}

TEST(PaperTables, AreListedInTheDocumentation) {
  const Study study = parse_study(paper_tables(), "paper.tables");
  EXPECT_GE(study.runs.size(), 40U);
  std::ifstream stream(source_path("docs/recipes.md"));
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  EXPECT_NE(page.find(rows_markdown(study)), std::string::npos) << "docs/recipes.md should hold:\n"
                                                                << rows_markdown(study);
}

}  // namespace
}  // namespace eco::train
