#include "io/problem_formats.h"
#include "problems/tsp/io/tsp_lines.h"

namespace eco::tsp {

constinit const io::ProblemFormats formats{
    .library = io::Format::tsplib,
    .extension = ".tsp",
    .solution = io::SolutionFormat::tour,
    .solution_extension = ".tour",
    .sequence_key = "tour",
    .lines = io::Format::tsp_lines,
    .read_line = io::read_tsp_line,
    .write_line = io::write_tsp_line,
};

}  // namespace eco::tsp
