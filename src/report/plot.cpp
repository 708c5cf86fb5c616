#include "report/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace eco {

namespace {

constexpr double kPanelWidth = 380, kPanelHeight = 300, kLeft = 64, kTop = 56, kGap = 84;
// Distinguishable with the common colour-vision deficiencies.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                 "#e69f00", "#56b4e9", "#000000", "#999933"};

template <class... Args>
std::string format(const char* pattern, Args... args) {
  std::array<char, 512> text{};
  (void)std::snprintf(text.data(), text.size(), pattern, args...);
  return text.data();
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
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

// "20k" for 20000
std::string short_number(double value) {
  if (value >= 1e6) return format("%.3gM", value / 1e6);
  if (value >= 1e3) return format("%.3gk", value / 1e3);
  return format("%.3g", value);
}

struct Axis {
  double low = 0, high = 1;
};

// Logarithmic, from the nearest 1-2-5 below to the nearest above.
Axis gap_axis(const std::vector<RunCurve>& runs) {
  double low = 1e9, high = 0;
  for (const RunCurve& run : runs) {
    for (const CurvePoint& point : run.points) {
      low = std::min(low, point.gap);
      high = std::max(high, point.gap);
    }
  }
  // A gap may touch zero or fall below it; the axis cannot.
  low = std::max(low, 0.01);
  high = std::max(high, 2 * low);
  const auto nice = [](double value, bool up) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    double best = up ? 10 * power : power;
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * power;
      if (up && tick >= value) best = std::min(best, tick);
      if (!up && tick <= value) best = std::max(best, tick);
    }
    return best;
  };
  return {nice(low, false), nice(high, true)};
}

class Panel {
 public:
  Panel(double x, const char* label, double CurvePoint::*member, double unit,
        const std::vector<RunCurve>& runs)
      : x_(x), label_(label), member_(member), unit_(unit), gaps_(gap_axis(runs)) {
    across_.high = 0;
    for (const RunCurve& run : runs) {
      for (const CurvePoint& point : run.points) {
        across_.high = std::max(across_.high, point.*member / unit);
      }
    }
    if (across_.high <= 0) across_.high = 1;
  }

  [[nodiscard]] std::string draw(const std::vector<RunCurve>& runs) const {
    std::string out = grid();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      out += curve(runs[i], kColours[i % kColours.size()]);
    }
    return out;
  }

 private:
  [[nodiscard]] double column(double value) const {
    return x_ + kPanelWidth * value / across_.high;
  }
  [[nodiscard]] double line(double gap) const {
    const double share =
        std::log(std::max(gap, gaps_.low) / gaps_.low) / std::log(gaps_.high / gaps_.low);
    return kTop + kPanelHeight * (1 - share);
  }

  [[nodiscard]] std::string grid() const {
    std::string out;
    const double bottom = kTop + kPanelHeight;
    const auto last = static_cast<int>(std::floor(std::log10(gaps_.high)));
    for (int exponent = -2; exponent <= last; ++exponent) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double tick = factor * std::pow(10, exponent);
        if (tick < gaps_.low * 0.999 || tick > gaps_.high * 1.001) continue;
        const double y = line(tick);
        out += format("<path class='grid' d='M%.1f %.1fh%.1f'/>", x_, y, kPanelWidth);
        out += format("<text class='tick' text-anchor='end' x='%.1f' y='%.1f'>%g</text>\n", x_ - 7,
                      y + 4, tick);
      }
    }
    const double step = tick_step(across_.high);
    const auto ticks = static_cast<int>(across_.high * 1.001 / step);
    for (int i = 0; i <= ticks; ++i) {
      const double tick = i * step;
      const double x = column(tick);
      out += format("<path class='grid' d='M%.1f %.1fv%.1f'/>", x, kTop, kPanelHeight);
      out += format("<text class='tick' text-anchor='middle' x='%.1f' y='%.1f'>%s</text>\n", x,
                    bottom + 18, short_number(tick).c_str());
    }
    out += format("<rect class='frame' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n", x_, kTop,
                  kPanelWidth, kPanelHeight);
    out += format("<text class='label' text-anchor='middle' x='%.1f' y='%.1f'>%s</text>\n",
                  x_ + kPanelWidth / 2, bottom + 40, label_);
    out += format(
        "<text class='label' text-anchor='middle' transform='translate(%.1f %.1f) rotate(-90)'>"
        "gap (%%)</text>\n",
        x_ - 44, kTop + kPanelHeight / 2);
    return out;
  }

  [[nodiscard]] std::string curve(const RunCurve& run, const char* colour) const {
    std::string path, marks;
    for (const CurvePoint& point : run.points) {
      const double x = column(point.*member_ / unit_), y = line(point.gap);
      path += format("%s%.1f %.1f", path.empty() ? "M" : "L", x, y);
      if (point.new_stage) {
        marks +=
            format("<circle cx='%.1f' cy='%.1f' r='4' fill='white' stroke='%s'/>", x, y, colour);
      }
    }
    return format("<path class='curve' stroke='%s' d='", colour) + path + "'/>" + marks + "\n";
  }

  double x_;
  const char* label_;
  double CurvePoint::*member_;
  double unit_;
  Axis across_, gaps_;
};

std::string legend(const std::vector<RunCurve>& runs, double y) {
  std::string out;
  for (std::size_t i = 0; i < runs.size(); ++i, y += 20) {
    out += format("<path class='curve' stroke='%s' d='M%.1f %.1fh26'/>",
                  kColours[i % kColours.size()], kLeft, y - 4);
    out += format("<text class='label' x='%.1f' y='%.1f'>", kLeft + 34, y) + escaped(runs[i].name) +
           format(": best %.2f%%, last %.2f%%</text>\n",
                  std::min_element(runs[i].points.begin(), runs[i].points.end(),
                                   [](const auto& a, const auto& b) { return a.gap < b.gap; })
                      ->gap,
                  runs[i].points.back().gap);
  }
  return out;
}

}  // namespace

std::string curves_svg(const std::vector<RunCurve>& runs, const std::string& title) {
  double longest = 0;
  for (const RunCurve& run : runs) longest = std::max(longest, run.points.back().seconds);
  const bool hours = longest > 3 * 3600;
  const double width = kLeft + 2 * kPanelWidth + kGap + 24;
  const double legend_top = kTop + kPanelHeight + 70;
  const double height = legend_top + 20 * static_cast<double>(runs.size()) + 4;
  std::string out = format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' "
      "height='%.0f'>\n",
      width, height, width, height);
  out +=
      "<style>text{font-family:sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}"
      ".label{font-size:13px}.tick{font-size:11px;fill:#555}.grid{stroke:#e4e4e4;fill:none}"
      ".frame{stroke:#999;fill:none}.curve{fill:none;stroke-width:2;stroke-linejoin:round}"
      "</style>\n<rect width='100%' height='100%' fill='white'/>\n";
  out += format("<text class='title' x='%.1f' y='30'>", kLeft) + escaped(title) + "</text>\n";
  out += Panel(kLeft, hours ? "hours" : "minutes", &CurvePoint::seconds, hours ? 3600 : 60, runs)
             .draw(runs);
  out += Panel(kLeft + kPanelWidth + kGap, "instances", &CurvePoint::instances, 1, runs).draw(runs);
  out += legend(runs, legend_top);
  return out + "</svg>\n";
}

}  // namespace eco
