#pragma once
// One labelled instance by seed and index, and what describes such labels: shared by the training
// pools and the held-out sets.

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/instance/instance.h"
#include "train/config/train_config.h"

namespace eco::train {

// Instance `index` of `nodes` nodes (CVRP: customers) of data.seed, labelled by the expert. When
// stopped, the label is worth nothing (expert.h).
[[nodiscard]] Instance make_labelled(ProblemKind problem, const DataConfig& data, std::size_t nodes,
                                     std::uint64_t index, const std::stop_token& stop = {});

// Generated but not labelled.
[[nodiscard]] Instance make_unlabelled(ProblemKind problem, const DataConfig& data,
                                       std::size_t nodes, std::uint64_t index);

// Everything that the labels are a function of, for the first line of a cache.
[[nodiscard]] std::string labels_description(ProblemKind problem, const DataConfig& data);

// Throws eco::Error (input) naming `which` if the instance is of the other problem or has no
// coordinates.
void require_problem(const Instance& instance, ProblemKind problem, const std::string& which);

}  // namespace eco::train
