#include "io/problem_formats.h"
#include "problems/cvrp/io/cvrp_lines.h"

namespace eco::cvrp {

constinit const io::ProblemFormats formats{
    .library = io::Format::cvrplib,
    .extension = ".vrp",
    .solution = io::SolutionFormat::sol,
    .solution_extension = ".sol",
    .lines = io::Format::cvrp_lines,
    .read_line = io::read_cvrp_line,
    .write_line = io::write_cvrp_line,
};

}  // namespace eco::cvrp
