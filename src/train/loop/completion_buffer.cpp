#include <algorithm>
#include <memory>

#include "train/data/completion.h"
#include "train/loop/buffer.h"

namespace eco::train {

namespace {

struct CompletionPart {
  SegmentBatch batch;
  std::size_t choices;  // with a label among the candidates
};

class CompletionBuffer final : public Buffer {
 public:
  CompletionBuffer(const BufferSettings& settings, std::span<const std::vector<Segment>> rows,
                   ThreadPool& pool) {
    for (const std::vector<Segment>& row : rows) {
      const std::size_t tokens = row.front().unvisited.size() + 2;
      const std::size_t count = std::max<std::size_t>(1, settings.part_tokens / tokens);
      for (std::size_t first = 0; first < row.size(); first += count) {
        const auto some = std::span(row).subspan(first, std::min(count, row.size() - first));
        SegmentBatch batch = make_segment_batch(settings.model, some, pool);
        const auto choices = batch.label.ge(0).sum().item<std::int64_t>();
        parts_.push_back({std::move(batch), static_cast<std::size_t>(choices)});
      }
    }
  }

  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  [[nodiscard]] std::size_t items(std::size_t part) const override { return parts_[part].choices; }
  [[nodiscard]] std::size_t tokens(std::size_t part) const override {
    const SegmentBatch& batch = parts_[part].batch;
    return static_cast<std::size_t>(batch.segments() * batch.tokens());
  }
  [[nodiscard]] at::Tensor loss(const Policy& policy, std::size_t part,
                                Observed& observed) const override {
    observed.count = observed.choices = static_cast<double>(parts_[part].choices);
    return -policy.log_probabilities(parts_[part].batch).sum();
  }

 private:
  std::vector<CompletionPart> parts_;
};

}  // namespace

std::unique_ptr<Buffer> completion_buffer(const BufferSettings& settings,
                                          std::span<const std::vector<Segment>> rows,
                                          ThreadPool& pool) {
  return std::make_unique<CompletionBuffer>(settings, rows, pool);
}

}  // namespace eco::train
