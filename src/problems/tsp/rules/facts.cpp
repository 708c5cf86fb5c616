#include "core/instance/instance.h"

namespace eco::tsp {

namespace {

// Every node once is all there is to a tour.
void validate_instance(const Instance&, std::string_view) {}
std::string tour_violation(const Instance&, const Solution&, std::size_t&) {
  return {};
}

}  // namespace

constinit const ProblemFacts facts{
    .name = "tsp",
    .title = "TSP",
    .tsplib = "TSP",
    .policy = ProblemKind::tsp,
    .validate = validate_instance,
    .violation = tour_violation,
};

}  // namespace eco::tsp
