#include "io/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/geometry/box.h"
#include "core/problem/check.h"
#include "io/output.h"
#include "io/plan/plan.h"
#include "io/svg_legend.h"

namespace eco::io {

namespace {

constexpr double kDrawing = 960;  // longer side of the map, in pixels
constexpr double kMargin = 30;
constexpr double kHeader = 84;
constexpr std::size_t kMostMarkers = 20'000;  // more are a blot: lines alone, or a thinned cloud
constexpr std::size_t kMostCircles = 3'000;   // up to here a customer's size shows its demand
constexpr std::size_t kMostNames = 40;        // and up to here names stand beside the nodes
constexpr double kLegendGap = 24;
constexpr const char* kTourColour = "#1d4e89";
constexpr const char* kNodeColour = "#d1495b";

class Picture {
 public:
  explicit Picture(const Instance& instance) : instance_(instance) {
    points_.reserve(instance.points.size());
    // GEO files store latitude first.
    for (const Point& p : instance.points) {
      points_.push_back(instance.metric == Metric::geo ? Point{p.y, p.x} : p);
    }
    const Box box = bounding_box(points_);
    const Point low = box.low, high = box.high;
    // Halves, because the width itself may exceed the range of doubles.
    const double side = std::max({high.x / 2 - low.x / 2, high.y / 2 - low.y / 2, 1e-300});
    const auto place = [&](double value, double from) {
      return (value / 2 - from / 2) / side * kDrawing;
    };
    width_ = place(high.x, low.x);
    height_ = place(high.y, low.y);
    for (Point& p : points_) {
      p = {kMargin + place(p.x, low.x), kHeader + height_ - place(p.y, low.y)};
    }
    // Typical distance between neighbours if the nodes filled the map evenly.
    const double area = std::max(width_, 1.0) * std::max(height_, kDrawing / 20);
    spacing_ = std::sqrt(area / static_cast<double>(points_.size()));
  }

  std::string draw(const Solution* solution) {
    begin(solution);
    if (solution == nullptr) {
      markers(kTourColour);
    } else if (instance_.has_depot()) {
      draw_routes(to_routes(*solution), plan_of(instance_, *solution));
    } else {
      draw_tour(*solution);
    }
    if (instance_.has_depot()) depot();
    if (!instance_.names.empty() && points_.size() <= kMostNames) names();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  void number(double value) {
    std::array<char, 32> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.1f", value);
    std::string_view text(buffer.data(), static_cast<std::size_t>(length));
    if (text.ends_with(".0")) text.remove_suffix(2);
    out_ += text;
  }
  void attribute(std::string_view name, double value) {
    std::array<char, 32> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.4g", value);
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    out_.append(buffer.data(), static_cast<std::size_t>(length));
    out_ += '"';
  }
  void text_at(double y, double size, std::string_view colour, std::string_view text) {
    out_ += "<text";
    attribute("x", kMargin);
    attribute("y", y);
    attribute("font-size", size);
    out_ += " fill=\"" + std::string(colour) + "\">" + svg_escaped(text) + "</text>\n";
  }

  void begin(const Solution* solution) {
    const bool legend = solution != nullptr && instance_.has_depot();
    const double width = map_width() + 2 * kMargin + (legend ? kLegendGap + kLegendWidth : 0);
    const double height = map_height() + kHeader + kMargin;
    out_ += "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    attribute("width", std::ceil(width));
    attribute("height", std::ceil(height));
    out_ += " font-family=\"Helvetica, Arial, sans-serif\">\n";
    out_ += "<rect width=\"100%\" height=\"100%\" fill=\"#fcfbf8\"/>\n";
    text_at(38, 22, "#222", instance_.name.empty() ? "An instance without a name" : instance_.name);
    text_at(62, 15, "#666", subtitle(solution));
  }

  // At least half of the usual size, for the title and the legend.
  [[nodiscard]] double map_width() const { return std::max(width_, kDrawing / 2); }
  [[nodiscard]] double map_height() const {
    return instance_.has_depot() ? std::max(height_, kDrawing / 4) : height_;
  }

  [[nodiscard]] std::string subtitle(const Solution* solution) const {
    std::array<char, 64> buffer;
    const auto number_text = [&](const char* format, double value) {
      const int length = std::snprintf(buffer.data(), buffer.size(), format, value);
      return std::string(buffer.data(), static_cast<std::size_t>(length));
    };
    std::string text;
    if (instance_.has_depot()) {
      text = std::string(instance_.problem().title) + ", " + std::to_string(instance_.customers()) +
             " customers, capacity " + std::to_string(instance_.capacity);
    } else {
      text = std::string(instance_.problem().title) + ", " + std::to_string(instance_.size()) +
             " nodes";
    }
    if (solution == nullptr) return text;
    const double cost = require_feasible(instance_, *solution);
    if (instance_.has_depot()) {
      text += ", " + std::to_string(to_routes(*solution).size()) + " routes";
    }
    text += "  \xC2\xB7  cost " + (instance_.metric == Metric::great_circle
                                       ? length_text(instance_, cost)
                                       : number_text("%.8g", cost));
    const bool is_reference = instance_.reference && *instance_.reference == *solution;
    if (!is_reference && instance_.reference_cost && *instance_.reference_cost > 0) {
      text +=
          "  \xC2\xB7  gap " + number_text("%+.2f%%", gap_percent(cost, *instance_.reference_cost));
    }
    return text;
  }

  [[nodiscard]] double stroke() const { return std::clamp(0.09 * spacing_, 0.35, 2.6); }
  [[nodiscard]] double radius() const { return std::clamp(0.13 * spacing_, 0.7, 4.5); }

  void path(std::span<const NodeId> nodes, bool closed, std::string_view colour, double width,
            double opacity = 1) {
    out_ += "<path fill=\"none\" stroke-linejoin=\"round\" stroke=\"" + std::string(colour) + "\"";
    attribute("stroke-width", width);
    if (opacity < 1) attribute("stroke-opacity", opacity);
    out_ += " d=\"M";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i > 0) out_ += ' ';
      number(points_[nodes[i].index()].x);
      out_ += ' ';
      number(points_[nodes[i].index()].y);
    }
    out_ += closed ? "Z\"/>\n" : "\"/>\n";
  }

  // All nodes (customers) as dots: one path of zero-length strokes with round ends.
  void markers(std::string_view colour) {
    const std::size_t first = instance_.has_depot() ? 1 : 0;
    const std::size_t every = 1 + (points_.size() - 1) / kMostMarkers;
    out_ += "<path stroke-linecap=\"round\" stroke=\"" + std::string(colour) + "\"";
    attribute("stroke-width", 2 * radius());
    out_ += " d=\"";
    for (std::size_t i = first; i < points_.size(); i += every) {
      out_ += 'M';
      number(points_[i].x);
      out_ += ' ';
      number(points_[i].y);
      out_ += "h0";
    }
    out_ += "\"/>\n";
  }

  void draw_tour(const Solution& tour) {
    std::vector<NodeId> nodes = tour.sequence;
    if (instance_.open != Open::no) {  // a path that begins, or ends, at node 0
      auto first = std::find(nodes.begin(), nodes.end(), kDepot);
      if (instance_.open == Open::start && first != nodes.end()) ++first;
      std::rotate(nodes.begin(), first, nodes.end());
    }
    const bool closed = instance_.problem().closed && instance_.open == Open::no;
    path(nodes, closed, kTourColour, stroke());
    if (points_.size() <= kMostMarkers) markers(kNodeColour);
  }

  // Routes side by side get hues far apart: sorted by direction from the depot, the hue advances
  // by the golden angle.
  void draw_routes(const Routes& routes, const Plan& plan) {
    const auto direction = [&](const Route& route) {
      double x = 0, y = 0;
      for (const NodeId node : route) {
        x += points_[node.index()].x - points_[0].x;
        y += points_[node.index()].y - points_[0].y;
      }
      return std::atan2(y, x);
    };
    std::vector<std::pair<double, std::size_t>> by_direction;
    for (std::size_t r = 0; r < routes.size(); ++r) {
      by_direction.emplace_back(direction(routes[r]), r);
    }
    std::sort(by_direction.begin(), by_direction.end());
    std::vector<std::string> colours(routes.size());
    for (std::size_t k = 0; k < routes.size(); ++k) {
      colours[by_direction[k].second] = route_colour(k);
    }
    // The legs to and from the depot first and faint: they cross everything.
    for (const bool legs : {true, false}) {
      for (const auto& [angle, number] : by_direction) {
        const Route& route = routes[number];
        const std::string& colour = colours[number];
        if (legs) {
          const std::array<NodeId, 3> both{route.front(), kDepot, route.back()};
          const auto drawn =
              std::span(both).subspan(plan.departs ? 0 : 1, plan.departs && plan.returns ? 3 : 2);
          path(drawn, false, colour, 0.6 * stroke(), 0.35);
        } else {
          if (route.size() > 1) path(route, false, colour, stroke());
          if (points_.size() <= kMostCircles) customers(route, colour);
        }
      }
    }
    if (points_.size() > kMostCircles && points_.size() <= kMostMarkers) markers("#333");
    out_ += svg_legend(instance_, plan, colours, kMargin + map_width() + kLegendGap, kHeader + 6,
                       map_height());
  }

  // Outlined in the colour of the ground, so that they can be read across lines.
  void names() {
    out_ +=
        "<g font-size=\"11\" fill=\"#333\" stroke=\"#fcfbf8\" stroke-width=\"3\" "
        "paint-order=\"stroke\">\n";
    for (std::size_t i = 0; i < points_.size(); ++i) {
      out_ += "<text";
      attribute("x", points_[i].x + 8);
      attribute("y", points_[i].y - 6);
      out_ += ">" + svg_escaped(instance_.names[i]) + "</text>\n";
    }
    out_ += "</g>\n";
  }

  static std::string route_colour(std::size_t k) {
    const double hue = std::fmod(210 + 137.508 * static_cast<double>(k), 360.0);
    const int lightness = k % 2 == 0 ? 42 : 52;
    return "hsl(" + std::to_string(static_cast<int>(hue)) + ",62%," + std::to_string(lightness) +
           "%)";
  }

  void customers(const Route& route, const std::string& colour) {
    const auto largest =
        static_cast<double>(*std::max_element(instance_.demands.begin(), instance_.demands.end()));
    out_ += "<g fill=\"" + colour + "\">";
    for (const NodeId node : route) {
      const auto demand = static_cast<double>(instance_.demands[node.index()]);
      const double size = largest > 0 ? std::sqrt(demand / largest) : 1;
      out_ += "<circle cx=\"";
      number(points_[node.index()].x);
      out_ += "\" cy=\"";
      number(points_[node.index()].y);
      out_ += '"';
      attribute("r", radius() * (0.65 + 0.6 * size));
      out_ += "/>";
    }
    out_ += "</g>\n";
  }

  void depot() {
    const double half = std::clamp(2 * radius(), 6.0, 9.0);
    out_ += "<rect fill=\"#222\" stroke=\"#fff\" stroke-width=\"2\"";
    attribute("x", points_[0].x - half);
    attribute("y", points_[0].y - half);
    attribute("width", 2 * half);
    attribute("height", 2 * half);
    out_ += "/>\n";
  }

  const Instance& instance_;
  std::vector<Point> points_;  // on the canvas
  double width_ = 0, height_ = 0, spacing_ = 1;
  std::string out_;
};

}  // namespace

void require_drawable(const Instance& instance) {
  if (!instance.has_points()) {
    throw Error(ErrorKind::usage, "an instance without coordinates cannot be drawn");
  }
}

std::string svg_picture(const Instance& instance, const Solution* solution) {
  require_drawable(instance);
  return Picture(instance).draw(solution);
}

std::unique_ptr<Output> prepare_svg(const std::string& path, const Instance& instance,
                                    const Solution* solution) {
  const std::string picture = svg_picture(instance, solution);
  auto output = std::make_unique<Output>(path);
  *output << picture;
  output->prepare();
  return output;
}

void write_svg(const std::string& path, const Instance& instance, const Solution* solution) {
  prepare_svg(path, instance, solution)->commit();
}

}  // namespace eco::io
