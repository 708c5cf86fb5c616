#include "io/svg_legend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace eco::io {

namespace {

constexpr double kRow = 19;
// The right ends of the columns, from the left edge of the legend.
constexpr std::array<double, 4> kColumns{56, 106, 178, kLegendWidth};

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 160> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), format, values...);
  return {buffer.data(), std::min(buffer.size() - 1, static_cast<std::size_t>(length))};
}

void cell(std::string& out, double x, double y, std::string_view text) {
  out += formatted("<text x=\"%.4g\" y=\"%.5g\" text-anchor=\"end\">", x, y);
  out += svg_escaped(text);
  out += "</text>";
}

}  // namespace

std::string length_text(const Instance& instance, double length) {
  if (instance.metric == Metric::great_circle) return formatted("%.1f km", length / 1000);
  return formatted("%.6g", length);
}

std::string svg_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

std::string svg_legend(const Instance& instance, const Plan& plan,
                       const std::vector<std::string>& colours, double x, double y, double height) {
  const std::size_t routes = plan.routes.size();
  const auto room = static_cast<std::size_t>(std::max(3.0, std::floor(height / kRow))) - 1;
  const std::size_t shown = routes <= room ? routes : room - 1;
  std::string out = "<g font-size=\"13\" fill=\"#444\">\n<g font-weight=\"bold\">";
  const auto row = [&](std::size_t line, const std::array<std::string, 4>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cell(out, x + kColumns[i], y + kRow * static_cast<double>(line), cells[i]);
    }
  };
  row(0, {"route", "stops", "load", "length"});
  out += "</g>\n";
  for (std::size_t r = 0; r < shown; ++r) {
    const PlanRoute& route = plan.routes[r];
    const double middle = y + kRow * static_cast<double>(r + 1) - 4.5;
    out += formatted("<line x1=\"%.5g\" y1=\"%.5g\" x2=\"%.5g\" y2=\"%.5g\" stroke-width=\"4\"", x,
                     middle, x + 22, middle);
    out += " stroke=\"" + colours[r] + "\"/>";
    row(r + 1, {std::to_string(r + 1), std::to_string(route.stops.size()),
                std::to_string(route.load) + " / " + std::to_string(instance.capacity),
                length_text(instance, route.length)});
    out += '\n';
  }
  if (shown < routes) {
    row(shown + 1, {"", "", "", "and " + std::to_string(routes - shown) + " more routes"});
    out += '\n';
  }
  return out + "</g>\n";
}

}  // namespace eco::io
