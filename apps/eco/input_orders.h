#pragma once
// eco eval --permutations: instances with their nodes in another order, and what is told about the
// results.

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/rng.h"
#include "core/instance/instance.h"
#include "report/input_orders.h"

namespace eco::cli {

// The same instance with its nodes in a random order; a depot stays first. Without its solution.
[[nodiscard]] Instance permuted(const Instance& instance, Rng& rng);

[[nodiscard]] nlohmann::ordered_json orders_json(const OrderSensitivity& orders);
[[nodiscard]] std::string orders_text(const std::string& file, const OrderSensitivity& orders);

}  // namespace eco::cli
