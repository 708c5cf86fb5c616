#include "io/json/instance.h"

#include <utility>
#include <vector>

#include "io/json/solution.h"
#include "io/json/value.h"
#include "io/json/vroom.h"
#include "io/node_ids.h"
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
    std::vector<std::string_view> keys{"problem",  "name",     "comment",   "description",
                                       "metric",   "rounding", "locations", "capacity",
                                       "vehicles", "depot",    "nodes",     "jobs",
                                       "matrix",   "open",     "solution"};
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
    if (degrees_) places();
    open();
    ids();
    if (const auto read_own = formats_of(instance_.kind).read_json) read_own(root_, instance_);
    return std::move(instance_);
  }

 private:
  void kind() {
    const bool has_vehicles = root_.has("capacity") || root_.has("vehicles");
    instance_.kind = first_problem(has_vehicles);
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
      for (const Metric metric :
           {Metric::euclidean, Metric::att, Metric::geo, Metric::matrix, Metric::great_circle}) {
        if (name != to_string(metric)) continue;
        instance_.metric = metric;
        known = true;
      }
      if (!known) value.fail(R"("euclidean", "att", "geo", "matrix" or "great-circle")");
    }
    if (root_.has("matrix") && instance_.metric != Metric::matrix) {
      root_["metric"].fail("\"matrix\" beside a matrix");
    }
    locations();
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

  // In degrees always with great circles; beside a matrix where the file says so.
  void locations() {
    degrees_ = instance_.metric == Metric::great_circle;
    if (!root_.has("locations")) return;
    const JsonValue value = root_["locations"];
    const std::string kind = value.text();
    if (kind != "plane" && kind != "degrees") value.fail(R"("plane" or "degrees")");
    if (kind == "plane" && degrees_) value.fail(R"("degrees" with the metric great-circle)");
    if (kind == "degrees" && !degrees_ && instance_.metric != Metric::matrix) {
      value.fail(R"("plane" with this metric)");
    }
    degrees_ = kind == "degrees";
  }

  [[nodiscard]] Point point(const JsonValue& value) const {
    const Point p = point_from(value);
    if (!degrees_) return p;
    const std::string problem = place_violation({p.y, p.x});
    if (!problem.empty()) value.fail("[longitude, latitude]: " + problem);
    return p;
  }

  void places() {
    std::vector<Place> places;
    places.reserve(instance_.points.size());
    for (const Point& p : instance_.points) places.emplace_back(p.y, p.x);
    set_places(instance_, std::move(places));
  }

  // Of which end the matrix has no way.
  void open() {
    if (!root_.has("open")) return;
    const JsonValue value = root_["open"];
    const std::string end = value.text();
    if (instance_.metric != Metric::matrix) value.fail("it only beside a matrix");
    if (end != "end" && end != "start") value.fail(R"("end" or "start")");
    instance_.open = end == "end" ? Open::end : Open::start;
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
    const Point here = point(value);
    if (!instance_.points.empty() && instance_.points[0] != here) {
      value.fail("one depot where every vehicle starts and ends");
    }
    instance_.points.assign(1, here);
  }

  void vehicles() {
    if (root_.has("capacity")) set_capacity(root_["capacity"]);
    if (root_.has("vehicles")) {
      const JsonValue fleet = root_["vehicles"];
      if (fleet.is_array()) {
        instance_.vehicles = fleet.size();
        for (std::size_t i = 0; i < fleet.size(); ++i) vehicle(fleet.at(i));
        if (instance_.vehicle_ids.size() != fleet.size()) instance_.vehicle_ids.clear();
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
    if (value.has("id") && !value["id"].is_text()) {
      instance_.vehicle_ids.push_back(value["id"].integer());
    }
    if (value.has("capacity")) set_capacity(value["capacity"]);
    if (value.has("start") != value.has("end")) {
      value.fail("both \"start\" and \"end\", at the depot: open routes are not supported");
    }
    if (!value.has("start")) return;
    set_depot(value["start"]);
    set_depot(value["end"]);
  }

  void depot() {
    bool named = false;
    if (root_.has("depot")) {
      const JsonValue value = root_["depot"];
      if (value.is_array()) {
        set_depot(value);
      } else {
        value.require_object();
        value.require_keys({"id", "location", "description"});
        if (value.has("location")) set_depot(value["location"]);
        named = value.has("id");
        if (named) add_id(value["id"]);
      }
    }
    if (instance_.points.empty() && instance_.metric != Metric::matrix) {
      throw root_.error("no depot", "\"depot\" with a location, or a start in \"vehicles\"");
    }
    if (!named) ids_.add(1);
    instance_.demands.push_back(0);
  }

  void add_id(const JsonValue& id) {
    if (id.is_text()) {
      ids_.add(id.text());
    } else {
      ids_.add(id.integer());
    }
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
    if (located != 0 && located != ids_.size()) {
      throw list.error(std::to_string(located) + " locations for " + std::to_string(ids_.size()) +
                           " nodes (a depot included)",
                       "all or none");
    }
  }

  void node(const JsonValue& value) {
    const auto number = static_cast<std::int64_t>(ids_.size() + 1);
    if (value.is_object()) {
      value.require_keys(
          {"id", "location", "amount", "demand", "delivery", "description", "service"});
      if (value.has("location")) {
        instance_.points.push_back(point(value["location"]));
      } else if (instance_.metric != Metric::matrix) {
        value.fail("a \"location\" in it");
      }
    } else {
      instance_.points.push_back(point(value));
    }
    if (value.is_object() && value.has("id")) {
      add_id(value["id"]);
    } else {
      ids_.add(number);
    }
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
    const std::size_t nodes = ids_.size() == 0 ? rows.size() : ids_.size();
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
        instance_.matrix.push_back(i == j ? 0.0 : distance);
      }
    }
  }

  void ids() {
    if (const auto twice = ids_.duplicate()) {
      throw root_.error("the id " +
                            (plain_integer(twice->first) ? twice->first : quoted(twice->first)) +
                            " twice",
                        "every id once (the depot is 1 unless it has one)");
    }
    std::move(ids_).give_to(instance_);
  }

  const JsonValue& root_;
  const ReadOptions& options_;
  Instance instance_;
  NodeIds ids_;
  bool degrees_ = false;  // locations are [longitude, latitude]
};

}  // namespace

Instance read_json_instance(const JsonDocuments::Document& document, const std::string& file,
                            const ReadOptions& options) {
  const nlohmann::json json = parse_json(document, file);
  const Location where{file, document.line};
  const JsonValue root(json, where);
  Instance instance = is_vroom(root) ? read_vroom(root) : InstanceParser(root, options).run();
  validate(instance, file + ":" + std::to_string(document.line));
  if (root.has("solution")) instance.reference = solution_from(root["solution"], instance);
  finish(instance, where, options);
  return instance;
}

}  // namespace eco::io
