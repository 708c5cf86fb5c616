#include "solver/problem_data.h"

#include <utility>

namespace eco {

Problem::Problem(std::shared_ptr<Data> data) : data_(std::move(data)) {}

// Copies share their data until one of them is changed.
Problem::Data& Problem::own() {
  if (data_.use_count() > 1) data_ = std::make_shared<Data>(*data_);
  return *data_;
}

Problem Problem::on_plane(std::span<const Point> points) {
  auto data = std::make_shared<Data>();
  data->instance.points.reserve(points.size());
  for (const Point& p : points) data->instance.points.push_back({p[0], p[1]});
  return Problem(std::move(data));
}

Problem Problem::on_earth(std::span<const Point> places) {
  auto data = std::make_shared<Data>();
  std::vector<Place> on_sphere;
  on_sphere.reserve(places.size());
  for (const Point& place : places) {
    on_sphere.emplace_back(place[0], place[1]);
    const std::string wrong = place_violation(on_sphere.back());
    if (!wrong.empty()) {
      throw input_error({}, "node " + std::to_string(on_sphere.size() - 1) + ": " + wrong);
    }
  }
  set_places(data->instance, std::move(on_sphere));
  data->instance.metric = Metric::great_circle;
  return Problem(std::move(data));
}

Problem Problem::by_matrix(std::size_t nodes, std::vector<double> lengths) {
  if (lengths.size() != nodes * nodes) {
    throw input_error({}, "a matrix of " + std::to_string(lengths.size()) + " lengths for " +
                              std::to_string(nodes) + " nodes");
  }
  auto data = std::make_shared<Data>();
  data->instance.metric = Metric::matrix;
  data->instance.matrix = std::move(lengths);
  return Problem(std::move(data));
}

Problem& Problem::limit_vehicles(std::size_t vehicles) {
  own().instance.vehicles = vehicles;
  return *this;
}

std::size_t Problem::nodes() const {
  return data_->instance.size();
}

}  // namespace eco
