#pragma once
// A plan in the JSON report of a verb.

#include <nlohmann/json_fwd.hpp>

#include "core/instance/instance.h"

namespace eco::cli {

// "tour": ids; or "routes": objects with the ids of their stops, load and length.
void add_plan(nlohmann::ordered_json& json, const Instance& instance, const Solution& solution);

}  // namespace eco::cli
