#pragma once
// Line charts as SVG: panels, two in a row, under one title and above one legend. A series may have
// a band around it (the spread over seeds).

#include <cstddef>
#include <string>
#include <vector>

namespace eco {

struct Series {
  std::string name;
  std::vector<double> x, y;        // of equal length
  std::vector<double> low, high;   // of the band; empty: none
  std::vector<std::size_t> rings;  // points marked by a ring
};

struct ChartAxis {
  std::string label;
  bool logarithmic = false;
  double least = 0.01;  // of a logarithmic axis: what is below stands there
};

// All panels of a figure have the same series, in the same order; one may lack points in a panel.
struct Panel {
  ChartAxis x, y;
  std::vector<Series> series;
};

// `legend`: a line for every series.
[[nodiscard]] std::string figure_svg(const std::string& title, const std::vector<Panel>& panels,
                                     const std::vector<std::string>& legend);

// Text for XML and HTML.
[[nodiscard]] std::string xml_text(const std::string& text);

// Several curves of one quantity (seeds) as one: at steps over the x that all of them reach, the
// mean with the least and the largest value as the band.
[[nodiscard]] Series band_over(std::string name, const std::vector<Series>& curves);

}  // namespace eco
