#include "core/infer/constructor.h"

#include "core/base/error.h"
#include "core/infer/merging.h"
#include "core/infer/sequential.h"

namespace eco {

std::vector<StepScore> Constructor::score_path(const Instance&, const Solution&) {
  throw Error(ErrorKind::usage, "a path is scored with weights of constructor = sequential");
}

std::unique_ptr<Constructor> make_constructor(const PackedModel& model, std::size_t threads) {
  switch (model.config.constructor) {
    case ConstructorKind::merging:
      return std::make_unique<MergingConstructor>(model, threads);
    case ConstructorKind::sequential:
      break;
  }
  return std::make_unique<SequentialConstructor>(model, threads);
}

}  // namespace eco
