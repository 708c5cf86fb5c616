#include "train/data/instance_source.h"

#include <algorithm>

#include "core/base/error.h"
#include "train/data/label_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kInstanceStream = 0x6b3cULL
                                          << 48U;  // apart from every other use of the seed

}  // namespace

std::size_t draw_share(const std::vector<SizeShare>& shares, double progress, Rng& rng) {
  std::vector<double> weights;
  weights.reserve(shares.size());
  for (const SizeShare& share : shares) {
    weights.push_back(share.from <= progress ? share.weight : 0);
  }
  return rng.weighted(weights);
}

std::vector<SizeShare> shares_of(const TrainConfig& config, const LabelStore* store) {
  const auto& sizes = config.data.sizes;
  if (store == nullptr || config.data.files.empty()) return sizes;
  std::vector<SizeShare> shares;
  std::string held;
  for (std::size_t i = 0; i < store->pools(); ++i) {
    const std::size_t nodes = store->nodes(i);
    held.append(held.empty() ? "" : ", ").append(std::to_string(nodes));
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const SizeShare& size) { return size.nodes == nodes; });
    if (sizes.empty()) {
      shares.push_back({nodes, static_cast<double>(store->labels(i)), 0});
    } else {
      shares.push_back(found != sizes.end() ? *found : SizeShare{nodes, 0, 0});
    }
  }
  for (const SizeShare& size : sizes) {
    const bool known = std::any_of(shares.begin(), shares.end(), [&](const SizeShare& share) {
      return share.nodes == size.nodes;
    });
    if (!known) {
      throw Error(ErrorKind::usage, "data.sizes has " + std::to_string(size.nodes) +
                                        ", but the instances of data.files have other sizes (" +
                                        held + ")");
    }
  }
  return shares;
}

TrainingData training_data(const TrainConfig& config, const LabelStore* store) {
  TrainingData data;
  for (const SizeShare& share : shares_of(config, store)) {
    if (share.weight > 0) data.sizes.push_back(share.nodes);
  }
  if (store != nullptr) data.content = store->content();
  return data;
}

InstanceSource::InstanceSource(const TrainConfig& config) : config_(config) {
  if (!config.data.files.empty()) {
    files_ = std::make_unique<LabelStore>(config.problem, config.data);
  }
  shares_ = shares_of(config, files_.get());
}

std::vector<Instance> InstanceSource::round(std::uint64_t round, double progress) {
  Rng rng(config_.seed, kInstanceStream + round);
  const std::size_t share = draw_share(shares_, progress, rng);
  // A seed of its own: the labels of stage one come from data.seed itself.
  DataConfig data = config_.data;
  data.seed = rng.next_u64();
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < config_.improve.instances; ++i) {
    instances.push_back(files_ ? files_->draw(share, rng)
                               : make_unlabelled(config_.problem, data, shares_[share].nodes, i));
  }
  return instances;
}

}  // namespace eco::train
