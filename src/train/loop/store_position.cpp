#include "train/loop/store_position.h"

#include <string>

namespace eco::train {

void write_positions(const std::vector<PoolPosition>& positions, TrainState& state) {
  state.fields["pools"] = std::to_string(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::string name = "pool." + std::to_string(i);
    state.fields[name + ".nodes"] = std::to_string(positions[i].nodes);
    state.fields[name + ".draws"] = std::to_string(positions[i].draws);
    state.fields[name + ".initial"] = std::to_string(positions[i].initial);
  }
}

std::vector<PoolPosition> read_positions(const TrainState& state) {
  std::vector<PoolPosition> positions(state.number("pools"));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::string name = "pool." + std::to_string(i);
    positions[i] = {state.number(name + ".nodes"), state.number(name + ".draws"),
                    state.number(name + ".initial")};
  }
  return positions;
}

}  // namespace eco::train
