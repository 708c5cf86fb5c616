#pragma once
// The rounding of distances, which files do not always state: an option of every verb that reads
// instances, and a warning where it gets lost.

#include <string>

#include "eco/verb.h"
#include "io/reader.h"

namespace eco::cli {

void add_rounding_option(CLI::App& app, io::ReadOptions& reading);  // --round

// Line formats have no place for a rounding: what they hold is read back as exact.
void warn_if_rounding_is_lost(const Session& session, Rounding rounding, const std::string& out);

// EUC_2D on a unit square: rounded to whole numbers, nearly all distances are the same.
void warn_if_rounding_erases(const Session& session, const Instance& instance);

}  // namespace eco::cli
