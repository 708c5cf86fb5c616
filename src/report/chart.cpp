#include "report/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace eco {

namespace {

constexpr double kPanelWidth = 380, kPanelHeight = 300, kLeft = 64, kTop = 56, kGap = 84,
                 kRowGap = 64;
// Distinguishable with the common colour-vision deficiencies.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                 "#e69f00", "#56b4e9", "#000000", "#999933"};

template <class... Args>
std::string format(const char* pattern, Args... args) {
  std::array<char, 512> text{};
  (void)std::snprintf(text.data(), text.size(), pattern, args...);
  return text.data();
}

const char* colour_of(std::size_t series) {
  return kColours[series % kColours.size()];
}

// "20k" for 20000
std::string short_number(double value) {
  const double size = std::abs(value);
  if (size >= 1e9) return format("%.3gG", value / 1e9);
  if (size >= 1e6) return format("%.3gM", value / 1e6);
  if (size >= 1e3) return format("%.3gk", value / 1e3);
  return format("%.3g", size < 1e-12 ? 0.0 : value);
}

// 1, 2 or 5 times a power of ten, so that about five of them span the range.
double tick_step(double range) {
  const double rough = range / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

// A scale from the values that have to be on it to [0, 1].
class Scale {
 public:
  Scale(const ChartAxis& axis, const std::vector<double>& values, bool from_zero)
      : logarithmic_(axis.logarithmic), least_(axis.least) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (low > high) low = high = 0;
    if (logarithmic_) {
      fit_powers(low, high);
    } else {
      fit_steps(from_zero ? std::min(low, 0.0) : low, high, from_zero);
    }
  }

  [[nodiscard]] double share(double value) const {
    if (!logarithmic_) return (value - low_) / (high_ - low_);
    return std::log(std::max(value, low_) / low_) / std::log(high_ / low_);
  }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  // From the nearest 1-2-5 below to the nearest above. Values may touch zero or fall below it; the
  // axis cannot.
  void fit_powers(double low, double high) {
    low = std::max(low, least_);
    high = std::max(high, 2 * low);
    const auto first = static_cast<int>(std::floor(std::log10(low)));
    const auto last = static_cast<int>(std::floor(std::log10(high))) + 1;
    std::vector<double> marks;
    for (int exponent = first; exponent <= last; ++exponent) {
      for (const double factor : {1.0, 2.0, 5.0}) marks.push_back(factor * std::pow(10, exponent));
    }
    low_ = marks.front();
    for (const double mark : marks) {
      if (mark <= low * 1.0001) low_ = mark;
    }
    high_ = *std::find_if(marks.begin(), marks.end(),
                          [&](double mark) { return mark >= high * 0.9999; });
    const bool many = std::log10(high_ / low_) > 3;
    for (const double mark : marks) {
      const bool power = std::abs(std::log10(mark) - std::round(std::log10(mark))) < 1e-9;
      if (mark >= low_ * 0.999 && mark <= high_ * 1.001 && (power || !many)) ticks_.push_back(mark);
    }
  }

  void fit_steps(double low, double high, bool exact_end) {
    if (high - low < 1e-12 * std::max(1.0, std::abs(high))) high = low + 1;
    const double step = tick_step(high - low);
    low_ = step * std::floor(low / step + 1e-9);
    high_ = exact_end ? high : step * std::ceil(high / step - 1e-9);
    const auto count = static_cast<int>((high_ - low_) * 1.001 / step);
    for (int i = 0; i <= count; ++i) ticks_.push_back(low_ + i * step);
  }

  bool logarithmic_;
  double least_;
  double low_ = 0, high_ = 1;
  std::vector<double> ticks_;
};

std::vector<double> all_of(const Panel& panel, bool across) {
  std::vector<double> values;
  for (const Series& series : panel.series) {
    const auto add = [&](const std::vector<double>& more) {
      values.insert(values.end(), more.begin(), more.end());
    };
    if (across) {
      add(series.x);
    } else {
      add(series.y);
      add(series.low);
      add(series.high);
    }
  }
  return values;
}

class PanelDrawing {
 public:
  PanelDrawing(double left, double top, const Panel& panel)
      : left_(left),
        top_(top),
        panel_(panel),
        x_(panel.x, all_of(panel, true), true),
        y_(panel.y, all_of(panel, false), false) {}

  [[nodiscard]] std::string draw() const {
    std::string out = grid();
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      if (!panel_.series[i].x.empty()) out += curve(panel_.series[i], colour_of(i));
    }
    return out;
  }

 private:
  [[nodiscard]] double column(double value) const { return left_ + kPanelWidth * x_.share(value); }
  [[nodiscard]] double line(double value) const {
    return top_ + kPanelHeight * (1 - y_.share(value));
  }

  [[nodiscard]] std::string grid() const {
    std::string out;
    const double bottom = top_ + kPanelHeight;
    for (const double tick : y_.ticks()) {
      const double y = line(tick);
      out += format("<path class='grid' d='M%.1f %.1fh%.1f'/>", left_, y, kPanelWidth);
      out += format("<text class='tick' text-anchor='end' x='%.1f' y='%.1f'>%s</text>\n", left_ - 7,
                    y + 4, short_number(tick).c_str());
    }
    for (const double tick : x_.ticks()) {
      const double x = column(tick);
      out += format("<path class='grid' d='M%.1f %.1fv%.1f'/>", x, top_, kPanelHeight);
      out += format("<text class='tick' text-anchor='middle' x='%.1f' y='%.1f'>%s</text>\n", x,
                    bottom + 18, short_number(tick).c_str());
    }
    out += format("<rect class='frame' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n", left_,
                  top_, kPanelWidth, kPanelHeight);
    out += format("<text class='label' text-anchor='middle' x='%.1f' y='%.1f'>",
                  left_ + kPanelWidth / 2, bottom + 40) +
           xml_text(panel_.x.label) + "</text>\n";
    out += format(
               "<text class='label' text-anchor='middle' transform='translate(%.1f %.1f) "
               "rotate(-90)'>",
               left_ - 44, top_ + kPanelHeight / 2) +
           xml_text(panel_.y.label) + "</text>\n";
    return out;
  }

  [[nodiscard]] std::string curve(const Series& series, const char* colour) const {
    std::string out;
    if (!series.low.empty()) {
      std::string around;
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        around += format("%s%.1f %.1f", around.empty() ? "M" : "L", column(series.x[i]),
                         line(series.high[i]));
      }
      for (std::size_t i = series.x.size(); i-- > 0;) {
        around += format("L%.1f %.1f", column(series.x[i]), line(series.low[i]));
      }
      out += format("<path fill='%s' fill-opacity='0.18' d='", colour) + around + "z'/>\n";
    }
    std::string path, rings;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!std::isfinite(series.y[i])) continue;
      path +=
          format("%s%.1f %.1f", path.empty() ? "M" : "L", column(series.x[i]), line(series.y[i]));
    }
    for (const std::size_t i : series.rings) {
      rings += format("<circle cx='%.1f' cy='%.1f' r='4' fill='white' stroke='%s'/>",
                      column(series.x[i]), line(series.y[i]), colour);
    }
    return out + format("<path class='curve' stroke='%s' d='", colour) + path + "'/>" + rings +
           "\n";
  }

  double left_, top_;
  const Panel& panel_;
  Scale x_, y_;
};

}  // namespace

std::string xml_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string figure_svg(const std::string& title, const std::vector<Panel>& panels,
                       const std::vector<std::string>& legend) {
  constexpr std::size_t kPanelsInARow = 2;
  const auto across = static_cast<double>(std::min(panels.size(), kPanelsInARow));
  const std::size_t lines = (panels.size() + kPanelsInARow - 1) / kPanelsInARow;
  const auto rows = static_cast<double>(lines);
  const double width = kLeft + across * kPanelWidth + (across - 1) * kGap + 24;
  double y = kTop + rows * kPanelHeight + (rows - 1) * kRowGap + 70;
  const double height = y + 20 * static_cast<double>(legend.size()) + 4;
  std::string out = format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' "
      "height='%.0f'>\n",
      width, height, width, height);
  out +=
      "<style>text{font-family:sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}"
      ".label{font-size:13px}.tick{font-size:11px;fill:#555}.grid{stroke:#e4e4e4;fill:none}"
      ".frame{stroke:#999;fill:none}.curve{fill:none;stroke-width:2;stroke-linejoin:round}"
      "</style>\n<rect width='100%' height='100%' fill='white'/>\n";
  out += format("<text class='title' x='%.1f' y='30'>", kLeft) + xml_text(title) + "</text>\n";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % kPanelsInARow);
    const std::size_t row = i / kPanelsInARow;
    const auto line = static_cast<double>(row);
    out += PanelDrawing(kLeft + column * (kPanelWidth + kGap),
                        kTop + line * (kPanelHeight + kRowGap), panels[i])
               .draw();
  }
  for (std::size_t i = 0; i < legend.size(); ++i, y += 20) {
    out +=
        format("<path class='curve' stroke='%s' d='M%.1f %.1fh26'/>", colour_of(i), kLeft, y - 4);
    out += format("<text class='label' x='%.1f' y='%.1f'>", kLeft + 34, y) + xml_text(legend[i]) +
           "</text>\n";
  }
  return out + "</svg>\n";
}

Series band_over(std::string name, const std::vector<Series>& curves) {
  Series band;
  band.name = std::move(name);
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  std::size_t most = 0;
  for (const Series& curve : curves) {
    if (curve.x.empty()) continue;
    from = std::max(from, curve.x.front());
    to = std::min(to, curve.x.back());
    most = std::max(most, curve.x.size());
  }
  if (most == 0 || from > to) return band;
  const std::size_t points = most < 2 ? 1 : std::max<std::size_t>(most, 24);
  for (std::size_t i = 0; i < points; ++i) {
    const double x =
        points < 2 ? from
                   : from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1);
    double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    std::size_t count = 0;
    for (const Series& curve : curves) {
      if (curve.x.empty()) continue;
      // The last point at or before x, and the way to the next one.
      const auto after = std::upper_bound(curve.x.begin(), curve.x.end(), x);
      const auto right = static_cast<std::size_t>(after - curve.x.begin());
      const std::size_t left = right == 0 ? 0 : right - 1;
      double y = curve.y[left];
      if (right < curve.x.size() && curve.x[right] > curve.x[left]) {
        y += (curve.y[right] - y) * (x - curve.x[left]) / (curve.x[right] - curve.x[left]);
      }
      sum += y;
      low = std::min(low, y);
      high = std::max(high, y);
      ++count;
    }
    band.x.push_back(x);
    band.y.push_back(sum / static_cast<double>(count));
    band.low.push_back(low);
    band.high.push_back(high);
  }
  if (curves.size() < 2) {
    band.low.clear();
    band.high.clear();
  }
  return band;
}

}  // namespace eco
