#include "train/data/instance_source.h"

#include "train/data/label_source.h"

namespace eco::train {

namespace {

constexpr std::uint64_t kInstanceStream = 0x6b3cULL
                                          << 48U;  // apart from every other use of the seed

}  // namespace

std::size_t draw_share(const std::vector<SizeShare>& shares, double progress, Rng& rng) {
  double total = 0;
  for (const SizeShare& share : shares) total += share.from <= progress ? share.weight : 0;
  double left = rng.uniform() * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].from > progress) continue;
    last = i;
    left -= shares[i].weight;
    if (left < 0) break;
  }
  return last;
}

std::vector<SizeShare> shares_of(const TrainConfig& config, const LabelStore* store) {
  if (store == nullptr || config.data.files.empty()) return config.data.sizes;
  std::vector<SizeShare> shares;
  for (std::size_t i = 0; i < store->pools(); ++i) {
    shares.push_back({store->nodes(i), static_cast<double>(store->labels(i)), 0});
  }
  return shares;
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
  for (std::size_t i = 0; i < config_.dpo.instances; ++i) {
    instances.push_back(files_ ? files_->draw(share, rng)
                               : make_unlabelled(config_.problem, data, shares_[share].nodes, i));
  }
  return instances;
}

}  // namespace eco::train
