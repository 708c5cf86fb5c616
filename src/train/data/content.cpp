#include "train/data/content.h"

#include <cstdio>
#include <vector>

namespace eco::train {

namespace {

template <class T>
std::uint64_t with_value(const T& value, std::uint64_t before) {
  return checksum({reinterpret_cast<const char*>(&value), sizeof value}, before);
}

// The count goes first, so that what ends one list cannot begin the next.
template <class T>
std::uint64_t with_list(const std::vector<T>& values, std::uint64_t before) {
  const std::uint64_t counted = with_value(values.size(), before);
  return checksum({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
                  counted);
}

}  // namespace

std::uint64_t content_of(const Instance& instance, std::uint64_t before) {
  std::uint64_t sum = with_value(instance.kind, before);
  sum = with_value(instance.metric, sum);
  sum = with_value(instance.rounding, sum);
  sum = with_value(instance.capacity, sum);
  sum = with_list(instance.points, sum);
  sum = with_list(instance.demands, sum);
  sum = with_list(instance.matrix, sum);
  if (instance.reference) sum = with_list(instance.reference->sequence, sum);
  return with_value(instance.reference_cost.value_or(0), sum);
}

std::string content_text(std::uint64_t content) {
  char text[17];
  (void)std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(content));
  return text;
}

}  // namespace eco::train
