// SPDX-License-Identifier: MIT
// Plots: well-formed SVG, honest thinning and gaps, and terminal lines that hold their width.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "error.hpp"
#include "format/text.hpp"
#include "output/picture/axis.hpp"
#include "output/picture/decimate.hpp"
#include "output/picture/svg_plot.hpp"
#include "output/picture/terminal_plot.hpp"

using namespace perilune::format;
using namespace perilune::output;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

Table sines(std::size_t curves, int samples) {
  Table table{{{"t", "s", {}}}};
  for (std::size_t c = 0; c < curves; ++c) table.columns.push_back({"x" + std::to_string(c), "m", {}});
  for (int i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / (samples - 1);
    table.columns[0].values.push_back(t);
    for (std::size_t c = 0; c < curves; ++c) {
      table.columns[c + 1].values.push_back(std::sin(2 * std::numbers::pi * t + 0.4 * static_cast<double>(c)));
    }
  }
  return table;
}

// A small XML check: balanced tags, quoted attributes, known entities, one root. Returns the complaint or nothing.
std::string xml_complaint(const std::string& xml) {
  std::vector<std::string> open;
  int roots = 0;
  for (std::size_t i = 0; i < xml.size();) {
    if (xml[i] != '<') {
      if (xml[i] == '>') return "a bare >";
      if (open.empty() && xml[i] != '\n') return "text outside the root";
      if (xml[i] == '&') {
        const std::string entity = xml.substr(i, xml.find(';', i) - i + 1);
        if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;" && entity != "&#39;") {
          return "the entity " + entity.substr(0, 20);
        }
      }
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    bool quoted = false;
    for (; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '"') quoted = !quoted;
      if (xml[end] == '<') return "a < inside a tag";
    }
    if (end >= xml.size()) return "an unfinished tag";
    const std::string tag = xml.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "the end tag " + tag;
      open.pop_back();
      continue;
    }
    if (open.empty() && ++roots > 1) return "two roots";
    if (!tag.ends_with('/')) open.push_back(tag.substr(0, tag.find(' ')));
  }
  return open.empty() ? "" : "an open tag " + open.back();
}

std::size_t count(const std::string& text, const std::string& piece) {
  std::size_t n = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++n;
  return n;
}

// The data of the paths drawn as curves: they have round joins and more than the two points of a legend entry.
std::vector<std::string> curves_of(const std::string& svg) {
  std::vector<std::string> curves;
  for (std::size_t at = svg.find("<path d=\""); at != std::string::npos; at = svg.find("<path d=\"", at + 1)) {
    const std::string element = svg.substr(at + 9, svg.find("/>", at) - at - 9);
    const std::string data = element.substr(0, element.find('"'));
    if (element.find("linejoin") != std::string::npos && data.find('h') == std::string::npos) curves.push_back(data);
  }
  return curves;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> labels_of(const Axis& axis) {
  std::vector<std::string> labels;
  for (const Tick& tick : axis.ticks) labels.push_back(tick.text + (tick.power.empty() ? "" : "^" + tick.power));
  return labels;
}

}  // namespace

TEST_CASE("The XML check of this file can fail", "[result][svg]") {
  CHECK(xml_complaint("<a><b/></a>").empty());
  for (const char* bad : {"<a>", "<a></b>", "<a>&</a>", "<a/><b/>", "<a b=\"<\"/>", "<a", "</a>"}) {
    INFO(bad);
    CHECK_FALSE(xml_complaint(bad).empty());
  }
}

TEST_CASE("SVG plots are well formed", "[result][svg]") {
  Table table = sines(3, 50);
  table.columns[1].name = "<&\"'>\x01\xFF";
  table.columns[2].unit = "N";
  for (const bool log_y : {false, true}) {
    const std::string svg = svg_plot(table, {.title = "a < b & \"c\"", .x_label = "<x>", .log_y = log_y});
    CHECK(xml_complaint(svg) == "");
    CHECK(svg.find("a &lt; b &amp; &quot;c&quot;") != std::string::npos);
    CHECK(svg.find('\x01') == std::string::npos);
  }
  for (const Table& odd : {sines(1, 2), sines(30, 20), Table{{{"t", "s", {}}, {"x", "", {}}}},
                           Table{{{"t", "s", {2}}, {"x", "m", {3}}}}, Table{{{"t", "s", {0, 1}}, {"x", "m", {3, 3}}}},
                           Table{{{"t", "s", {0, 1}}, {"x", "m", {1.7e308, -1.7e308}}, {"y", "N", {5e-324, 0}}}}}) {
    for (const bool log_y : {false, true}) {
      const std::string svg = svg_plot(odd, {.log_y = log_y});
      CHECK(xml_complaint(svg) == "");
      CHECK(svg.find("nan") == std::string::npos);
      CHECK(svg.find("inf") == std::string::npos);
    }
  }
}

TEST_CASE("SVG plots: units make panels, several curves a legend", "[result][svg]") {
  Table table = sines(2, 50);
  CHECK(count(svg_plot(table), ">[m]</text>") == 1);
  CHECK(count(svg_plot(table), ">x0</text>") == 1);
  table.columns[2].unit = "rad";
  const std::string panels = svg_plot(table);
  CHECK(count(panels, ">x0 [m]</text>") == 1);
  CHECK(count(panels, ">x1 [rad]</text>") == 1);
  CHECK(count(panels, ">t [s]</text>") == 1);
  CHECK(curves_of(panels).size() == 2);
  CHECK(count(svg_plot(table, {.y_label = "size [1]"}), ">size [1]</text>") == 2);
}

TEST_CASE("SVG plots of curves with abscissas of their own", "[result][svg]") {
  const PlotCurve line{"first <order>", {0.01, 0.1, 1}, {1e-4, 1e-3, 1e-2}};
  const PlotCurve square{"second", {0.01, 0.1, 0, 1}, {1e-6, 1e-4, 5, 1e-2}};
  const PlotCurve guide{"slope 2", {0.02, 0.5}, {1e-5, 6.25e-3}, true};
  const std::string svg = svg_plot({line, square, guide}, {.x_label = "step [s]", .log_x = true, .log_y = true});
  CHECK(xml_complaint(svg) == "");
  CHECK(svg.find(">first &lt;order&gt;</text>") != std::string::npos);
  CHECK(count(svg, ">slope 2</text>") == 1);
  CHECK(count(svg, ">step [s]</text>") == 1);
  // Dots: 3 and 3 points, one more for each in the legend; none of the guide or where there is no logarithm.
  CHECK(count(svg, "<circle") == 8);
  // Straight on logarithmic axes: equal steps from point to point.
  std::istringstream data(curves_of(svg).at(0));
  char letter = 0;
  double x[3], y[3];
  for (int i = 0; i < 3; ++i) data >> letter >> x[i] >> y[i];
  CHECK(x[2] - x[1] == Approx(x[1] - x[0]).margin(0.03));
  CHECK(y[2] - y[1] == Approx(y[1] - y[0]).margin(0.03));
  CHECK(x[2] > x[0] + 100);
  CHECK(y[2] < y[0] - 50);
  // Many points are not marked, and linear axes keep what is not positive.
  PlotCurve many{"many", {}, {}};
  for (int i = -50; i < 50; ++i) {
    many.x.push_back(i);
    many.y.push_back(i);
  }
  const std::string plain = svg_plot({many});
  CHECK(count(plain, "<circle") == 0);
  CHECK(count(curves_of(plain).at(0), "M") == 1);
  many.y.pop_back();
  CHECK_THROWS_AS(svg_plot({many}), perilune::Error);
}

TEST_CASE("Plots refuse what they cannot draw", "[result][svg]") {
  const Table lonely{{{"t", "s", {0, 1}}}};
  const Table ragged{{{"t", "s", {0, 1}}, {"x", "m", {0}}}};
  for (const Table& bad : {Table{}, lonely, ragged}) {
    CHECK_THROWS_AS(svg_plot(bad), perilune::Error);
    CHECK_THROWS_AS(terminal_plot(bad), perilune::Error);
  }
  CHECK_THROWS_AS(svg_plot(sines(1, 5), {.width = 100}), perilune::Error);
  CHECK_THROWS_AS(terminal_plot(sines(1, 5), {.width = 10}), perilune::Error);
}

TEST_CASE("Thinning keeps extremes, ends and gaps", "[result][decimate]") {
  const std::size_t n = 100000;
  std::vector<double> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(i);
    y[i] = std::sin(0.01 * x[i]);
  }
  y[31415] = 50;
  y[77777] = -60;
  y[50000] = kNan;
  x[60001] = kNan;
  const auto kept = decimate(x, y, 2000);
  const auto has = [&](std::size_t i) { return std::find(kept.begin(), kept.end(), i) != kept.end(); };
  CHECK(kept.size() <= 2010);
  CHECK(kept.size() > 1500);
  CHECK(has(31415));
  CHECK(has(77777));
  CHECK(kept.front() == 0);
  CHECK(kept.back() == n - 1);
  CHECK(std::count(kept.begin(), kept.end(), kGap) == 2);
  const auto gap = std::find(kept.begin(), kept.end(), kGap);
  CHECK(*(gap - 1) < 50000);
  CHECK(*(gap + 1) > 50000);
  CHECK(curves_of(svg_plot({{{"t", "s", x}, {"y", "m", y}}})).at(0).size() < 40000);

  SECTION("where the abscissa runs back and forth, its extremes stay as well") {
    for (std::size_t i = 0; i < n; ++i) x[i] = std::cos(0.01 * static_cast<double>(i));
    x[12345] = 7;
    const auto turning = decimate(x, y, 2000);
    CHECK(std::find(turning.begin(), turning.end(), 12345U) != turning.end());
    CHECK(turning.size() <= 2010);
  }
  SECTION("few samples stay as they are") {
    const std::vector<double> t = {0, 1, 2, 3, 4}, v = {kNan, 1, kNan, kNan, 2};
    CHECK(decimate(t, v, 100) == std::vector<std::size_t>{1, kGap, 4});
  }
}

TEST_CASE("A NaN interrupts the curve and a lonely sample is a dot", "[result][svg]") {
  const Table table{{{"t", "s", {0, 1, 2, 3, 4, 5, 6}}, {"x", "m", {1, 2, kNan, 5, kNan, 2, 1}}}};
  const std::string svg = svg_plot(table);
  const auto curves = curves_of(svg);
  REQUIRE(curves.size() == 1);
  CHECK(count(curves[0], "M") == 2);
  CHECK(count(curves[0], "L") == 2);
  CHECK(count(svg, "<circle") == 1);
  // On a logarithmic axis what is not positive is a gap too.
  const Table positive{{{"t", "s", {0, 1, 2, 3, 4}}, {"x", "m", {1, 2, -3, 4, 5}}}};
  CHECK(count(curves_of(svg_plot(positive, {.log_y = true})).at(0), "M") == 2);
  CHECK(count(curves_of(svg_plot(positive)).at(0), "M") == 1);
}

TEST_CASE("Axes have round ticks and short labels", "[result][axis]") {
  using Labels = std::vector<std::string>;
  CHECK(labels_of(linear_axis({0, 10}, 5, 0)) == Labels{"0", "2", "4", "6", "8", "10"});
  CHECK(labels_of(linear_axis({-1, 1}, 4, 0)) == Labels{"-1.0", "-0.5", "0.0", "0.5", "1.0"});
  const Axis huge = linear_axis({0, 3e12}, 3, 0);
  CHECK(labels_of(huge) == Labels{"0", "1", "2", "3"});
  CHECK(huge.exponent == 12);
  const Axis tiny = linear_axis({0, 4e-9}, 4, 0);
  CHECK(labels_of(tiny) == Labels{"0", "1", "2", "3", "4"});
  CHECK(tiny.exponent == -9);
  const Axis close = linear_axis({1e6, 1e6 + 0.5}, 5, 0);
  CHECK(close.offset == "1000000");
  CHECK(labels_of(close) == Labels{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5"});
  const Axis constant = linear_axis({9.81, 9.81}, 5, 0);
  CHECK(constant.fraction(9.81) == Approx(0.5));
  CHECK(labels_of(log_axis({1e-3, 1e2}, 6, 0)) == Labels{"10^-3", "10^-2", "10^-1", "10^0", "10^1", "10^2"});
  CHECK(log_axis({1, 100}, 6, 0).fraction(10) == Approx(0.5));
  CHECK(labels_of(log_axis({2, 5}, 3, 0)).size() >= 2);
}

TEST_CASE("The ASCII plot of a sine has its extremes where they belong", "[result][terminal]") {
  const auto lines = lines_of(terminal_plot(sines(1, 401), {.width = 60, .height = 11, .unicode = false}));
  REQUIRE(lines.size() == 1 + 11 + 2);
  CHECK(lines[0].find("* x0 [m]") != std::string::npos);
  const std::string &top = lines[1], &middle = lines[6], &bottom = lines[11];
  const std::size_t left = top.find('+') + 1, across = 60 - left;
  CHECK(top.substr(0, left).find("1 ") != std::string::npos);
  CHECK(bottom.substr(0, left).find("-1 ") != std::string::npos);
  CHECK(middle.substr(0, left).find("0 ") != std::string::npos);
  const auto centre = [&](const std::string& line) {
    return (static_cast<double>(line.find('*') + line.rfind('*')) / 2 - static_cast<double>(left)) /
           static_cast<double>(across - 1);
  };
  CHECK(centre(top) == Approx(0.25).margin(0.02));
  CHECK(centre(bottom) == Approx(0.75).margin(0.02));
  CHECK(middle[left] == '*');      // starts at zero
  CHECK(middle.rfind('*') == 59);  // and ends there
  CHECK(lines[12].find("+---") == left - 1);
  CHECK(lines[13].find("t [s]") != std::string::npos);
  CHECK(lines[13].ends_with("1"));
  for (const std::string& line : lines) {
    CHECK(line.size() == 60);
    CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

TEST_CASE("Text takes the columns that a terminal gives it", "[result][terminal]") {
  CHECK(terminal_width("θ [rad]") == 7);
  CHECK(terminal_width("角度") == 4);
  CHECK(terminal_width("e\xCC\x81") == 1);
  CHECK(terminal_text("abcdef", 4, true) == "abc…");
  CHECK(terminal_text("角度角", 4, true) == "角…");
  CHECK(terminal_text("θ\x1b[", 9, false) == "??[");
}

TEST_CASE("Terminal lines are all of the width asked for", "[result][terminal]") {
  Table table = sines(12, 300);
  table.columns[1].name = "角度 θ";
  table.columns[2].name = "e\xCC\x81tat\n\x1b[2J";  // a combining accent, and an attempt to clear the screen
  table.columns[3].unit = "N";
  for (double& value : table.columns[3].values) value = 1e100 * (1 + 1e-9 * value);
  table.columns[4].name = std::string(200, 'w');
  table.columns[5].values.assign(300, kNan);
  table.columns[5].unit = "kg";
  for (const int width : {24, 40, 79}) {
    for (const bool unicode : {true, false}) {
      const std::string plot =
          terminal_plot(table, {.width = width, .unicode = unicode, .title = std::string(99, '#')});
      CHECK(plot.find('\x1b') == std::string::npos);
      for (const std::string& line : lines_of(plot)) {
        INFO(line);
        CHECK(terminal_width(line) == width);
      }
    }
  }
}

TEST_CASE("Colour changes the terminal plot by escape sequences only", "[result][terminal]") {
  const Table table = sines(1, 100);
  std::string coloured = terminal_plot(table, {.colour = true});
  CHECK(coloured.find("\x1b[38;5;") != std::string::npos);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  for (const std::string& line : lines_of(coloured)) CHECK(terminal_width(line) == 78);
}

TEST_CASE("Terminal plots show gaps and tell curves apart", "[result][terminal]") {
  Table table = sines(1, 200);
  for (std::size_t i = 80; i < 120; ++i) table.columns[1].values[i] = kNan;
  const auto lines = lines_of(terminal_plot(table, {.unicode = false}));
  const std::size_t left = lines[1].find('+') + 1;
  const std::size_t middle = left + (78 - left) / 2;
  for (std::size_t row = 1; row <= 16; ++row) CHECK(lines[row][middle] == ' ');
  const std::string several = terminal_plot(sines(3, 100), {.unicode = false});
  for (const char* entry : {"* x0 [m]", "o x1 [m]", "+ x2 [m]"}) CHECK(several.find(entry) != std::string::npos);
}
