#include <algorithm>
#include <nlohmann/json.hpp>

#include "train/objective/objective.h"

namespace eco::train {

void Observed::add(const std::string& name, double sum, double count) {
  Mean& mean = means_[name];
  mean.sum += sum;
  mean.count += count;
}

Observed& Observed::operator+=(const Observed& other) {
  for (const auto& [name, mean] : other.means_) add(name, mean.sum, mean.count);
  return *this;
}

void Observed::write(nlohmann::ordered_json& line) const {
  for (const auto& [name, mean] : means_) line[name] = mean.sum / std::max(mean.count, 1.0);
}

}  // namespace eco::train
