#include "io/json/vroom.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "io/node_ids.h"
#include "io/problem_formats.h"

namespace eco::io {

namespace {

// A matrix made for routes that do not end where they start takes this many nodes at most.
constexpr std::size_t kMostOpenNodes = 10'000;

struct Unsupported {
  std::string_view key, what;
};

constexpr std::array<Unsupported, 5> kOfJobs{{
    {"time_windows", "time windows are not supported"},
    {"priority", "priorities are not supported: every job is served"},
    {"skills", "skills are not supported"},
    {"setup_per_type", "types of vehicles are not supported"},
    {"service_per_type", "types of vehicles are not supported"},
}};
constexpr std::array<Unsupported, 10> kOfVehicles{{
    {"time_window", "time windows are not supported"},
    {"skills", "skills are not supported"},
    {"breaks", "breaks are not supported"},
    {"speed_factor", "speeds are not supported"},
    {"costs", "costs of vehicles are not supported"},
    {"max_tasks", "a limit of tasks is not supported"},
    {"max_travel_time", "a limit of travel time is not supported"},
    {"max_distance", "a limit of distance is not supported"},
    {"steps", "given routes are not supported here; --start takes a plan"},
    {"type", "types of vehicles are not supported"},
}};
constexpr std::array<Unsupported, 3> kOfRoot{{
    {"shipments", "shipments are not supported"},
    {"options", "options of a server are not supported"},
    {"matrix", "matrices by profile: \"matrices\": {\"car\": {\"durations\": ...}}"},
}};

// Where a route starts or ends.
struct End {
  bool given = false;
  std::optional<Point> location;  // longitude, latitude
  std::optional<std::size_t> index;
  friend bool operator==(const End&, const End&) = default;
};

class VroomParser {
 public:
  explicit VroomParser(const JsonValue& root) : root_(root) {}

  Instance run() {
    refuse(root_, kOfRoot);
    root_.require_keys({"jobs", "vehicles", "matrices"});
    vehicles();
    matrix();
    jobs();
    kind();
    nodes();
    return std::move(instance_);
  }

 private:
  // What asks for nothing, as an empty list or a priority of 0, is no reason to refuse.
  template <std::size_t n>
  static void refuse(const JsonValue& value, const std::array<Unsupported, n>& list) {
    for (const auto& [key, what] : list) {
      const std::string name(key);
      if (!value.has(name.c_str())) continue;
      const JsonValue member = value[name.c_str()];
      const bool empty = (member.is_array() || member.is_object()) && member.size() == 0;
      const bool neutral = (key == "priority" && member.is_number(0)) ||
                           (key == "speed_factor" && member.is_number(1));
      if (empty || neutral) continue;
      throw value.error("\"" + name + "\"", "none: " + std::string(what));
    }
  }

  static std::int64_t id_of(const JsonValue& value) {
    const std::int64_t id = value["id"].integer();
    if (id < 0) value["id"].fail("a whole number from 0");
    return id;
  }

  static std::optional<Point> location(const JsonValue& value, const char* key) {
    if (!value.has(key)) return std::nullopt;
    const JsonValue member = value[key];
    if (!member.is_array() || member.size() != 2) member.fail("[longitude, latitude]");
    const Point p{member.at(0).number(), member.at(1).number()};
    const std::string problem = place_violation({p.y, p.x});
    if (!problem.empty()) member.fail("[longitude, latitude]: " + problem);
    return p;
  }

  static std::optional<std::size_t> index(const JsonValue& value, const char* key) {
    if (!value.has(key)) return std::nullopt;
    const std::int64_t number = value[key].integer();
    if (number < 0) value[key].fail("an index from 0");
    return static_cast<std::size_t>(number);
  }

  // One quantity; VROOM's lists of several are refused.
  static std::int64_t amount(const JsonValue& value) {
    if (value.is_array() && value.size() > 1) {
      value.fail("one number: several quantities are not supported");
    }
    return value.is_array() && value.size() == 0 ? 0 : value.quantity();
  }

  void vehicles() {
    const JsonValue fleet = root_["vehicles"];
    fleet.require_array("an array of vehicles");
    if (fleet.size() == 0) fleet.fail("at least one vehicle");
    NodeIds ids;
    for (std::size_t i = 0; i < fleet.size(); ++i) {
      const JsonValue vehicle = fleet.at(i);
      vehicle.require_object();
      refuse(vehicle, kOfVehicles);
      vehicle.require_keys({"id", "profile", "description", "start", "start_index", "end",
                            "end_index", "capacity", "skills", "breaks", "speed_factor", "costs"});
      vehicle_ids_.push_back(id_of(vehicle));
      ids.add(vehicle_ids_.back());
      const std::string profile = vehicle.has("profile") ? vehicle["profile"].text() : "car";
      const End start = end_of(vehicle, "start", "start_index");
      const End end = end_of(vehicle, "end", "end_index");
      if (!start.given && !end.given) vehicle.fail("a \"start\" or an \"end\"");
      std::optional<std::int64_t> capacity;
      if (vehicle.has("capacity")) capacity = amount(vehicle["capacity"]);
      if (i == 0) {
        profile_ = profile;
        start_ = start;
        end_ = end;
        capacity_ = capacity;
      }
      const auto same = [&](bool equal, const char* what) {
        if (!equal) {
          vehicle.fail("the same " + std::string(what) +
                       " as the first: vehicles that differ are not supported");
        }
      };
      same(profile == profile_, "profile");
      same(start == start_, "start");
      same(end == end_, "end");
      same(capacity == capacity_, "capacity");
    }
    if (const auto twice = ids.duplicate()) {
      throw fleet.at(twice->second)
          .error("the id " + twice->first + " a second time", "every id once");
    }
  }

  static End end_of(const JsonValue& vehicle, const char* key, const char* index_key) {
    End end;
    end.location = location(vehicle, key);
    end.index = index(vehicle, index_key);
    end.given = end.location || end.index;
    return end;
  }

  // What VROOM minimises: costs, else durations; distances where there is nothing else.
  void matrix() {
    if (!root_.has("matrices")) return;
    const JsonValue all = root_["matrices"];
    all.require_object();
    if (!all.has(profile_.c_str())) {
      throw all.error("no \"" + profile_ + "\"", "the matrices of the vehicles' profile");
    }
    const JsonValue given = all[profile_.c_str()];
    given.require_object();
    given.require_keys({"durations", "distances", "costs"});
    const char* key = nullptr;
    for (const char* name : {"distances", "durations", "costs"}) {
      if (given.has(name)) key = name;
    }
    if (key == nullptr) given.fail("\"durations\", \"distances\" or \"costs\"");
    const JsonValue rows = given[key];
    rows.require_array("an array of rows");
    const std::size_t size = rows.size();
    for (std::size_t i = 0; i < size; ++i) {
      const JsonValue row = rows.at(i);
      if (!row.is_array() || row.size() != size) {
        row.fail("an array of " + std::to_string(size) + " numbers");
      }
      for (std::size_t j = 0; j < size; ++j) {
        const JsonValue entry = row.at(j);
        const double value = entry.number();
        if (value < 0) entry.fail("0 or more");
        given_matrix_.push_back(i == j ? 0.0 : value);
      }
    }
    given_size_ = size;
    instance_.comment = "minimises matrices." + profile_ + "." + key;
    require_index(root_["vehicles"].at(0), start_, "start_index");
    require_index(root_["vehicles"].at(0), end_, "end_index");
  }

  void require_index(const JsonValue& where, const End& end, const char* key) const {
    if (!end.given) return;
    if (!end.index) where.fail("a \"" + std::string(key) + "\" beside matrices");
    if (*end.index >= given_size_) {
      where[key].fail("an index below " + std::to_string(given_size_));
    }
  }

  void jobs() {
    const JsonValue list = root_["jobs"];
    list.require_array("an array of jobs");
    if (list.size() == 0) list.fail("at least one job");
    std::int64_t deliveries = 0, pickups = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonValue job = list.at(i);
      job.require_object();
      refuse(job, kOfJobs);
      job.require_keys({"id", "description", "location", "location_index", "setup", "service",
                        "delivery", "pickup", "amount", "skills", "priority", "time_windows"});
      ids_.push_back(id_of(job));
      const End place{true, location(job, "location"), index(job, "location_index")};
      if (given_size_ > 0) {
        require_index(job, place, "location_index");
      } else if (!place.location) {
        job.fail("a \"location\", or matrices and a \"location_index\"");
      }
      stops_.push_back(place);
      if (job.has("amount") && job.has("delivery")) job["amount"].fail("one of amount, delivery");
      const std::int64_t delivery = job.has("delivery") ? amount(job["delivery"])
                                    : job.has("amount") ? amount(job["amount"])
                                                        : 0;
      const std::int64_t pickup = job.has("pickup") ? amount(job["pickup"]) : 0;
      deliveries += delivery;
      pickups += pickup;
      if (deliveries > 0 && pickups > 0) {
        job.fail("only deliveries or only pickups: both together are not supported");
      }
      const std::int64_t demand = delivery + pickup;
      if (demand > 0 && !capacity_) job.fail("no amount, since the vehicles have no capacity");
      if (demand > capacity_.value_or(0)) {
        throw job.error("an amount of " + std::to_string(demand),
                        "0 to the capacity " + std::to_string(*capacity_));
      }
      demands_.push_back(demand);
    }
  }

  void kind() {
    if (!capacity_ && vehicle_ids_.size() == 1) return;  // one tour
    instance_.kind = first_problem(true);
    // Vehicles without a capacity, or that carry nothing: the number alone limits them.
    instance_.capacity = std::max<std::int64_t>(1, capacity_.value_or(1));
    instance_.demands.push_back(0);
    instance_.demands.insert(instance_.demands.end(), demands_.begin(), demands_.end());
    instance_.vehicles = vehicle_ids_.size();
    instance_.vehicle_ids = std::move(vehicle_ids_);
  }

  // The depot first, then the jobs.
  void nodes() {
    const JsonValue list = root_["jobs"];
    NodeIds ids;
    ids.add(depot_id());
    for (const std::int64_t id : ids_) ids.add(id);
    if (const auto twice = ids.duplicate()) {
      throw list.at(twice->second - 1)
          .error("the id " + twice->first + " a second time", "every id once");
    }
    std::move(ids).give_to(instance_);
    places();
    const bool open = !(start_ == end_);
    if (open) instance_.open = end_.given && !start_.given ? Open::start : Open::end;
    if (given_size_ > 0) {
      fill_matrix([&](const End& from, const End& to) {
        return given_matrix_[*from.index * given_size_ + *to.index];
      });
    } else if (open && !instance_.has_depot() && start_.given != end_.given) {
      open_path();
    } else if (open) {
      if (stops_.size() >= kMostOpenNodes) {
        throw list.error(std::to_string(stops_.size()) + " jobs",
                         "less than " + std::to_string(kMostOpenNodes) +
                             " where routes do not end at their start");
      }
      fill_matrix([](const End& from, const End& to) {
        return great_circle({from.location->y, from.location->x}, {to.location->y, to.location->x});
      });
    } else {
      instance_.metric = Metric::great_circle;
    }
  }

  // One open tour over great circles needs no matrix.
  void open_path() {
    const auto* const kind = std::find_if(kProblems.begin(), kProblems.end(), [](ProblemKind k) {
      return !facts_of(k).depot && !facts_of(k).closed;
    });
    instance_.kind = *kind;
    (start_.given ? instance_.start : instance_.end) = NodeId(0);
    instance_.open = Open::no;  // the problem itself is
    instance_.metric = Metric::great_circle;
  }

  [[nodiscard]] std::int64_t depot_id() const {
    if (std::find(ids_.begin(), ids_.end(), 0) == ids_.end()) return 0;
    const std::int64_t largest = *std::max_element(ids_.begin(), ids_.end());
    return largest < std::numeric_limits<std::int64_t>::max() ? largest + 1 : -1;
  }

  // Positions where every place has one; a matrix needs none.
  void places() {
    const End& depot = start_.given ? start_ : end_;
    bool all = depot.location.has_value();
    for (const End& stop : stops_) all = all && stop.location;
    if (!all && given_size_ == 0) {
      root_["vehicles"].at(0).fail("a \"start\" and an \"end\" with coordinates, or matrices");
    }
    if (!all) return;
    std::vector<Place> places;
    places.reserve(stops_.size() + 1);
    places.emplace_back(depot.location->y, depot.location->x);
    for (const End& stop : stops_) places.emplace_back(stop.location->y, stop.location->x);
    set_places(instance_, std::move(places));
  }

  template <class Distance>
  void fill_matrix(Distance distance) {
    const std::size_t size = stops_.size() + 1;
    instance_.metric = Metric::matrix;
    instance_.matrix.assign(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      const End& from = i == 0 ? start_ : stops_[i - 1];
      for (std::size_t j = 0; j < size; ++j) {
        const End& to = j == 0 ? end_ : stops_[j - 1];
        if (i == j || !from.given || !to.given) continue;
        instance_.matrix[i * size + j] = distance(from, to);
      }
    }
  }

  const JsonValue& root_;
  Instance instance_;
  std::string profile_;
  End start_, end_;
  std::optional<std::int64_t> capacity_;
  std::vector<std::int64_t> vehicle_ids_, ids_, demands_;
  std::vector<End> stops_;
  std::vector<double> given_matrix_;  // [given_size_, given_size_]
  std::size_t given_size_ = 0;
};

}  // namespace

bool is_vroom(const JsonValue& root) {
  if (!root.is_object()) return false;
  for (const char* own : {"problem", "name", "comment", "metric", "rounding", "locations",
                          "capacity", "depot", "nodes", "solution"}) {
    if (root.has(own)) return false;
  }
  if (root.has("matrices") || root.has("shipments")) return true;
  return root.has("vehicles") && root["vehicles"].is_array() && !root.has("matrix");
}

Instance read_vroom(const JsonValue& root) {
  return VroomParser(root).run();
}

}  // namespace eco::io
