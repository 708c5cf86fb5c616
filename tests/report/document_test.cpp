#include "report/document.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/chart.h"

namespace eco {
namespace {

Document small_document() {
  Document document("A & B");
  document.heading("Part");
  document.paragraph("Say `x < y`.");
  document.bullet("one");
  document.bullet("two");
  document.table({{"a", "b"}, {"1|2", "3"}});
  document.figure("curve", "a caption", "<svg>drawn</svg>");
  return document;
}

TEST(Document, AsMarkdown) {
  EXPECT_EQ(small_document().markdown("figures"),
            "# A & B\n\n## Part\n\nSay `x < y`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n"
            "| 1\\|2 | 3 |\n\n![a caption](figures/curve.svg)\n");
  ASSERT_EQ(small_document().figures().size(), 1U);
  EXPECT_EQ(small_document().figures()[0].svg, "<svg>drawn</svg>");
}

TEST(Document, AsOnePageThatNeedsNothingElse) {
  const std::string page = small_document().html();
  EXPECT_NE(page.find("<h1>A &amp; B</h1>"), std::string::npos);
  EXPECT_NE(page.find("<code>x &lt; y</code>"), std::string::npos);
  EXPECT_NE(page.find("<ul>\n<li>one</li>\n<li>two</li>\n</ul>"), std::string::npos);
  EXPECT_NE(page.find("<td>1|2</td>"), std::string::npos);
  EXPECT_NE(page.find("<svg>drawn</svg>"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
}

TEST(Chart, ABandIsTheLeastAndTheLargestOfItsCurves) {
  const Series one{"a", {0, 10}, {4, 2}, {}, {}, {}}, two{"b", {0, 5, 20}, {8, 6, 0}, {}, {}, {}};
  const Series band = band_over("both", {one, two});
  ASSERT_FALSE(band.x.empty());
  EXPECT_EQ(band.x.front(), 0);
  EXPECT_EQ(band.x.back(), 10);  // as far as both go
  for (std::size_t i = 0; i < band.x.size(); ++i) {
    const double x = band.x[i], a = 4 - 0.2 * x;
    const double b = x <= 5 ? 8 - 0.4 * x : 6 - 0.4 * (x - 5);
    EXPECT_NEAR(band.low[i], std::min(a, b), 1e-12);
    EXPECT_NEAR(band.high[i], std::max(a, b), 1e-12);
    EXPECT_NEAR(band.y[i], (a + b) / 2, 1e-12);
  }
  EXPECT_TRUE(band_over("one", {one}).low.empty());
  EXPECT_TRUE(band_over("none", {}).x.empty());
}

TEST(Chart, PanelsWithoutPointsOrSpreadAreDrawn) {
  const Panel empty{{"x", false}, {"y", false}, {{"none", {}, {}, {}, {}, {}}}};
  const Panel flat{{"x", true}, {"y", true}, {{"flat", {1, 2}, {0, -3}, {}, {}, {0}}}};
  const std::string svg = figure_svg("odd", {empty, flat, empty}, {"a"});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace eco
