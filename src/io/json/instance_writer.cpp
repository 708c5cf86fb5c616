#include "io/json/instance.h"
#include "io/json/solution.h"
#include "io/problem_formats.h"
#include "io/reference.h"

namespace eco::io {

void write_json_instance(Output& output, const Instance& instance) {
  const bool depot = instance.has_depot();
  const std::size_t nodes = instance.size();
  output << R"({"problem":")" << to_string(instance.kind) << '"';
  if (!instance.name.empty()) output << R"(,"name":)" << json_string(instance.name);
  if (!instance.comment.empty()) output << R"(,"comment":)" << json_string(instance.comment);
  output << R"(,"metric":")" << to_string(instance.metric) << '"';
  if (instance.metric == Metric::euclidean) {
    output << R"(,"rounding":")" << to_string(instance.rounding) << '"';
  }
  if (instance.metric == Metric::matrix && !instance.places.empty()) {
    output << R"(,"locations":"degrees")";
  }
  const auto location = [&](std::size_t node) {
    if (!instance.places.empty()) {
      const Place& place = instance.places[node];
      output << '[' << place.longitude << ',' << place.latitude << ']';
      return;
    }
    output << '[' << instance.points[node].x << ',' << instance.points[node].y << ']';
  };
  const auto object = [&](std::size_t node) {
    output << R"({"id":)" << json_id(instance, NodeId(node));
    if (instance.has_points()) {
      output << R"(,"location":)";
      location(node);
    }
    if (depot && node > 0) output << R"(,"amount":[)" << instance.demands[node] << ']';
    output << '}';
  };
  if (depot) {
    output << R"(,"capacity":)" << instance.capacity;
    if (!instance.vehicle_ids.empty()) {
      std::string_view comma = R"(,"vehicles":[)";
      for (const std::int64_t id : instance.vehicle_ids) {
        output << comma << R"({"id":)" << id << '}';
        comma = ",";
      }
      output << ']';
    } else if (instance.vehicles) {
      output << R"(,"vehicles":)" << *instance.vehicles;
    }
    output << R"(,"depot":)";
    object(0);
  }
  output << (depot ? R"(,"jobs":[)" : R"(,"nodes":[)");
  const bool plain =
      !depot && instance.has_points() && instance.labels.empty() && instance.names.empty();
  for (std::size_t node = depot ? 1 : 0; node < nodes; ++node) {
    if (node > (depot ? 1U : 0U)) output << ',';
    if (plain) {
      location(node);
    } else {
      object(node);
    }
  }
  output << ']';
  if (const auto write_own = formats_of(instance.kind).write_json) write_own(output, instance);
  if (instance.open != Open::no) {
    output << R"(,"open":")" << (instance.open == Open::end ? "end" : "start") << '"';
  }
  if (instance.metric == Metric::matrix) {
    output << R"(,"matrix":[)";
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < nodes; ++j) {
        output << (j > 0 ? "," : i > 0 ? ",[" : "[") << instance.matrix[i * nodes + j];
      }
      output << ']';
    }
    output << ']';
  }
  if (instance.reference) {
    output << R"(,"solution":{"cost":)" << checked_cost(instance, *instance.reference) << ',';
    write_sequence(output, instance, *instance.reference);
    output << '}';
  }
  output << "}\n";
}

}  // namespace eco::io
