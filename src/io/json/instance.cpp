#include "io/json/instance.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "io/json/solution.h"
#include "io/json/value.h"
#include "io/label_index.h"
#include "io/problem_formats.h"
#include "io/reference.h"

namespace eco::io {

namespace {

Point point_from(const JsonValue& value) {
  if (!value.is_array() || value.size() != 2) value.fail("coordinates [x, y]");
  return {value.at(0).number(), value.at(1).number()};
}

class InstanceParser {
 public:
  InstanceParser(const JsonValue& root, const ReadOptions& options)
      : root_(root), options_(options) {}

  Instance run() {
    root_.require_object();
    std::vector<std::string_view> keys{"problem",  "name",     "comment",  "description", "metric",
                                       "rounding", "capacity", "vehicles", "depot",       "nodes",
                                       "jobs",     "matrix",   "solution"};
    kind();
    const auto own = formats_of(instance_.kind).json_keys;
    keys.insert(keys.end(), own.begin(), own.end());
    root_.require_keys(keys);
    metric();
    if (instance_.has_depot()) {
      vehicles();
      depot();
    }
    nodes();
    if (instance_.metric == Metric::matrix) matrix();
    labels();
    if (const auto read_own = formats_of(instance_.kind).read_json) read_own(root_, instance_);
    return std::move(instance_);
  }

 private:
  void kind() {
    // Unless it says which problem it is: the first one that has vehicles, or has none.
    const bool has_vehicles = root_.has("capacity") || root_.has("vehicles");
    instance_.kind = *std::find_if(kProblems.begin(), kProblems.end(), [&](ProblemKind kind) {
      return facts_of(kind).depot == has_vehicles;
    });
    if (root_.has("problem")) {
      const JsonValue value = root_["problem"];
      const auto problem = problem_from(value.text());
      if (!problem) value.fail('"' + problem_names("\" or \"") + '"');
      instance_.kind = *problem;
    }
    if (!instance_.has_depot()) {
      for (const char* key : {"capacity", "vehicles", "depot"}) {
        if (root_.has(key)) throw root_.error("\"" + std::string(key) + "\"", "it only in a cvrp");
      }
    }
    if (root_.has("name")) instance_.name = root_["name"].text();
    if (root_.has("comment")) instance_.comment = root_["comment"].text();
  }

  void metric() {
    instance_.metric = root_.has("matrix") ? Metric::matrix : Metric::euclidean;
    if (root_.has("metric")) {
      const JsonValue value = root_["metric"];
      const std::string name = value.text();
      bool known = false;
      for (const Metric metric : {Metric::euclidean, Metric::att, Metric::geo, Metric::matrix}) {
        if (name != to_string(metric)) continue;
        instance_.metric = metric;
        known = true;
      }
      if (!known) value.fail("\"euclidean\", \"att\", \"geo\" or \"matrix\"");
    }
    if (root_.has("matrix") && instance_.metric != Metric::matrix) {
      root_["metric"].fail("\"matrix\" beside a matrix");
    }
    if (root_.has("rounding")) {
      const JsonValue value = root_["rounding"];
      const auto rounding = rounding_from(value.text());
      if (!rounding) value.fail("\"none\", \"nint\", \"ceil\", \"trunc\" or \"dimacs\"");
      instance_.rounding = *rounding;
    }
    if (instance_.metric != Metric::euclidean) {
      instance_.rounding = Rounding::none;
    } else if (options_.rounding) {
      instance_.rounding = *options_.rounding;
    }
  }

  void set_capacity(const JsonValue& value) {
    const std::int64_t capacity = value.quantity();
    if (capacity < 1) value.fail("a capacity of at least 1");
    if (instance_.capacity != 0 && instance_.capacity != capacity) {
      value.fail("the same capacity everywhere (" + std::to_string(instance_.capacity) + ")");
    }
    instance_.capacity = capacity;
  }

  void set_depot(const JsonValue& value) {
    const Point point = point_from(value);
    if (!instance_.points.empty() && instance_.points[0] != point) {
      value.fail("one depot where every vehicle starts and ends");
    }
    instance_.points.assign(1, point);
  }

  void vehicles() {
    if (root_.has("capacity")) set_capacity(root_["capacity"]);
    if (root_.has("vehicles")) {
      const JsonValue fleet = root_["vehicles"];
      if (fleet.is_array()) {
        instance_.vehicles = fleet.size();
        for (std::size_t i = 0; i < fleet.size(); ++i) vehicle(fleet.at(i));
      } else {
        instance_.vehicles = static_cast<std::size_t>(fleet.quantity());
      }
      if (*instance_.vehicles == 0) fleet.fail("at least one vehicle");
    }
    if (instance_.capacity == 0)
      throw root_.error("no capacity", "\"capacity\", or in \"vehicles\"");
  }

  void vehicle(const JsonValue& value) {
    value.require_object();
    value.require_keys({"id", "start", "end", "capacity", "description", "profile"});
    if (value.has("capacity")) set_capacity(value["capacity"]);
    if (value.has("start") != value.has("end")) {
      value.fail("both \"start\" and \"end\", at the depot: open routes are not supported");
    }
    if (!value.has("start")) return;
    set_depot(value["start"]);
    set_depot(value["end"]);
  }

  void depot() {
    std::int64_t id = 1;
    if (root_.has("depot")) {
      const JsonValue value = root_["depot"];
      if (value.is_array()) {
        set_depot(value);
      } else {
        value.require_object();
        value.require_keys({"id", "location", "description"});
        if (value.has("location")) set_depot(value["location"]);
        if (value.has("id")) id = value["id"].integer();
      }
    }
    if (instance_.points.empty() && instance_.metric != Metric::matrix) {
      throw root_.error("no depot", "\"depot\" with a location, or a start in \"vehicles\"");
    }
    instance_.labels.push_back(id);
    instance_.demands.push_back(0);
  }

  void nodes() {
    if (root_.has("nodes") && root_.has("jobs")) {
      throw root_.error("both \"nodes\" and \"jobs\"", "one of them");
    }
    const char* key = root_.has("jobs") ? "jobs" : "nodes";
    if (!root_.has(key) && instance_.metric == Metric::matrix && !instance_.has_depot()) {
      return;  // the matrix says how many there are
    }
    const JsonValue list = root_[key];
    list.require_array("an array of nodes");
    for (std::size_t i = 0; i < list.size(); ++i) node(list.at(i));
    const std::size_t located = instance_.points.size();
    if (located != 0 && located != instance_.labels.size()) {
      throw list.error(std::to_string(located) + " locations for " +
                           std::to_string(instance_.labels.size()) + " nodes (a depot included)",
                       "all or none");
    }
  }

  void node(const JsonValue& value) {
    auto id = static_cast<std::int64_t>(instance_.labels.size() + 1);
    if (value.is_object()) {
      value.require_keys(
          {"id", "location", "amount", "demand", "delivery", "description", "service"});
      if (value.has("id")) id = value["id"].integer();
      if (value.has("location")) {
        instance_.points.push_back(point_from(value["location"]));
      } else if (instance_.metric != Metric::matrix) {
        value.fail("a \"location\" in it");
      }
    } else {
      instance_.points.push_back(point_from(value));
    }
    instance_.labels.push_back(id);
    demand(value);
  }

  void demand(const JsonValue& node) {
    const char* key = nullptr;
    for (const char* name : {"amount", "demand", "delivery"}) {
      if (!node.is_object() || !node.has(name)) continue;
      if (key != nullptr) node[name].fail("one of amount, demand and delivery");
      key = name;
    }
    if (!instance_.has_depot()) {
      if (key != nullptr)
        node[key].fail("no demand in a " + std::string(to_string(instance_.kind)));
      return;
    }
    if (key == nullptr) node.fail("an \"amount\" in it");
    const std::int64_t amount = node[key].quantity();
    if (amount > instance_.capacity) {
      node[key].fail("0 to the capacity " + std::to_string(instance_.capacity));
    }
    instance_.demands.push_back(amount);
  }

  void matrix() {
    const JsonValue rows = root_["matrix"];
    rows.require_array("an array of rows");
    const std::size_t nodes = instance_.labels.empty() ? rows.size() : instance_.labels.size();
    if (rows.size() != nodes) rows.fail(std::to_string(nodes) + " rows, one a node");
    for (std::size_t i = 0; i < nodes; ++i) {
      const JsonValue row = rows.at(i);
      if (!row.is_array() || row.size() != nodes) {
        row.fail("an array of " + std::to_string(nodes) + " distances");
      }
      for (std::size_t j = 0; j < nodes; ++j) {
        const JsonValue entry = row.at(j);
        const double distance = entry.number();
        if (distance < 0) entry.fail("a distance of 0 or more");
        if (j < i && distance != instance_.matrix[j * nodes + i]) {
          entry.fail("a symmetric matrix");
        }
        instance_.matrix.push_back(i == j ? 0.0 : distance);
      }
    }
  }

  void labels() {
    const LabelIndex index(instance_.labels, instance_.labels.size());
    if (index.duplicate()) {
      throw root_.error("the id " + std::to_string(*index.duplicate()) + " twice",
                        "every id once (the depot is 1 unless it has one)");
    }
    if (is_plain(instance_.labels)) instance_.labels.clear();
  }

  const JsonValue& root_;
  const ReadOptions& options_;
  Instance instance_;
};

}  // namespace

Instance read_json_instance(const JsonDocuments::Document& document, const std::string& file,
                            const ReadOptions& options) {
  const nlohmann::json json = parse_json(document, file);
  const Location where{file, document.line};
  const JsonValue root(json, where);
  Instance instance = InstanceParser(root, options).run();
  validate(instance, file + ":" + std::to_string(document.line));
  if (root.has("solution")) instance.reference = solution_from(root["solution"], instance);
  finish(instance, where, options);
  return instance;
}

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
  const auto location = [&](std::size_t node) {
    output << '[' << instance.points[node].x << ',' << instance.points[node].y << ']';
  };
  const auto object = [&](std::size_t node) {
    output << R"({"id":)"
           << (instance.labels.empty() ? static_cast<std::int64_t>(node + 1)
                                       : instance.labels[node]);
    if (instance.has_points()) {
      output << R"(,"location":)";
      location(node);
    }
    if (depot && node > 0) output << R"(,"amount":[)" << instance.demands[node] << ']';
    output << '}';
  };
  if (depot) {
    output << R"(,"capacity":)" << instance.capacity;
    if (instance.vehicles) output << R"(,"vehicles":)" << *instance.vehicles;
    output << R"(,"depot":)";
    object(0);
  }
  output << (depot ? R"(,"jobs":[)" : R"(,"nodes":[)");
  const bool plain = !depot && instance.has_points() && instance.labels.empty();
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
