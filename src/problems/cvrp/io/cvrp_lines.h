#pragma once
// One CVRP a line, as LEHD's data sets have them:
//   depot,x,y,customer,x1,y1,...,capacity,Q,demand,d1,...,dn,cost,c,node_flag,v1,...,vn,f1,...,fn
// The demands may start with the depot's 0. v is the order of the customers (1..n) over all routes;
// f is 1 where a route starts, that is where a customer is reached from the depot. `cost` and
// `node_flag` may be missing: there is no reference solution then. Distances are exact euclidean.

#include <string_view>

#include "core/instance/instance.h"
#include "io/output.h"
#include "io/reader.h"
#include "io/text_input.h"

namespace eco::io {

// `line` is the line that `input` returned last. Routes are checked and their cost computed: the
// stated one may be of another rounding.
[[nodiscard]] Instance read_cvrp_line(std::string_view line, const TextInput& input,
                                      const ReadOptions& options);

// Throws eco::Error (usage) if the metric is not euclidean or the vehicles are limited.
void write_cvrp_line(Output& output, const Instance& instance);

}  // namespace eco::io
