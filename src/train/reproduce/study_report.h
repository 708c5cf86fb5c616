#pragma once
// The tables and figures of a study, theirs and ours side by side.

#include "report/document.h"
#include "train/reproduce/results.h"

namespace eco::train {

[[nodiscard]] Document study_report(const Study& study, const StudyOptions& options,
                                    const StudyPlan& plan, const std::vector<RunResults>& results);

}  // namespace eco::train
