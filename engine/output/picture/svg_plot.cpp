// SPDX-License-Identifier: MIT
#include "output/picture/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "error.hpp"
#include "format/text.hpp"
#include "output/picture/axis.hpp"
#include "output/picture/decimate.hpp"
#include "output/picture/svg_canvas.hpp"

namespace perilune::output {

using namespace format;
namespace {

// Okabe and Ito's colours, with a grey for their yellow, which is too faint on white.
constexpr std::array<std::string_view, 8> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                      "#E69F00", "#56B4E9", "#000000", "#808080"};
constexpr std::array<std::string_view, 8> kDashes = {"",    "7 3",         "2 2", "9 3 2 3", "14 4", "5 2 1.5 2 1.5 2",
                                                     "4 5", "16 3 2 3 2 3"};
constexpr std::size_t kPointsPerCurve = 2000;
constexpr double kFont = 12, kRow = 18, kSample = 30;
constexpr double kMinimumPanel = 100;
// Up to so many points of a curve with an abscissa of its own are marked.
constexpr std::size_t kMarked = 40;

struct Curve {
  std::string_view name;
  std::span<const double> x;
  std::vector<double> values;  // with NaN where a logarithm does not exist
  std::string style, dot;
  bool is_marked = false, is_guide = false;
};

struct Panel {
  std::vector<Curve> curves;
  Axis axis;
  bool empty = true;
  bool legend = false;
  std::string label;
  double top = 0, height = 0;
  double bottom() const { return top + height; }
  double y(double value) const { return bottom() - axis.fraction(value) * height; }
};

std::string label_of(const Tick& tick) { return tick.text + tick.power; }

class Plot {
 public:
  Plot(const Table& table, const PlotOptions& options) : options_(options) {
    for (const auto& group : panels_by_unit(table)) {
      Panel& panel = panels_.emplace_back();
      for (const std::size_t column : group) {
        const Column& own = table.columns[column];
        add_curve(panel, own.name, table.columns.front().values, own.values, column - 1, panel.curves.size());
      }
      label(panel, table.columns[group.front()]);
    }
    lay_out(heading(table.columns.front()));
  }

  Plot(const std::vector<PlotCurve>& curves, const PlotOptions& options) : options_(options) {
    Panel& panel = panels_.emplace_back();
    std::size_t coloured = 0;
    for (const PlotCurve& own : curves) {
      Curve& curve = add_curve(panel, own.name, own.x, own.y, coloured, coloured);
      if (own.is_guide) {
        curve.style = "fill=\"none\" stroke-width=\"1\" stroke=\"#999\"";
        curve.is_guide = true;
      } else {
        curve.is_marked = own.x.size() <= kMarked;
        ++coloured;
      }
    }
    panel.label = options.y_label;
    panel.legend = coloured > 0;
    lay_out("");
  }

  std::string draw() const {
    SvgCanvas svg(options_.width, height_, options_.title);
    if (!options_.title.empty()) {
      const double middle = options_.width / 2.0;
      svg.text(middle, 22, "middle", fit_text(options_.title, 16, options_.width - 20),
               "font-size=\"15\" font-weight=\"bold\"");
    }
    for (const Panel& panel : panels_) {
      draw_axes(svg, panel);
      for (const Curve& curve : panel.curves) draw_curve(svg, panel, curve);
      if (panel.legend) draw_legend(svg, panel);
    }
    draw_abscissa(svg);
    return std::move(svg).finish();
  }

 private:
  double x(double value) const { return left_ + x_axis_.fraction(value) * (right_ - left_); }

  // Colours run on through the panels; dashes restart, so that a panel with a single curve is solid.
  Curve& add_curve(Panel& panel, std::string_view name, std::span<const double> x, const std::vector<double>& values,
                   std::size_t colour, std::size_t dash) const {
    Curve& curve = panel.curves.emplace_back(Curve{name, x, values, "", ""});
    for (std::size_t i = 0; i < values.size(); ++i) {
      double& value = curve.values[i];
      if ((options_.log_y && !(value > 0)) || (options_.log_x && !(x[i] > 0))) value = std::nan("");
    }
    const std::string ink(kColours[colour % kColours.size()]);
    const std::string_view dashes = kDashes[dash % kDashes.size()];
    curve.style = "fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke=\"" + ink + "\"";
    if (!dashes.empty()) curve.style.append(" stroke-dasharray=\"").append(dashes).append("\"");
    curve.dot = "fill=\"" + ink + "\"";
    return curve;
  }

  void label(Panel& panel, const Column& first) const {
    const bool single = panel.curves.size() == 1;
    const std::string unit = first.unit.empty() ? "" : "[" + first.unit + "]";
    if (options_.y_label.empty()) {
      panel.label = single ? heading(first) : unit;
      panel.legend = !single;
      return;
    }
    panel.label = options_.y_label;
    if (!unit.empty() && panel.label.find('[') == std::string::npos) panel.label += " " + unit;
    panel.legend = !single || (options_.y_label != first.name && panels_.size() > 1);
  }

  // Sizes depend on each other only in this order: panel heights, y ticks, left margin, legend, width, x ticks.
  void lay_out(const std::string& x_heading) {
    x_label_ = options_.x_label.empty() ? x_heading : options_.x_label;
    const double head = options_.title.empty() ? 8 : 34, foot = 46, gap = 22;
    const double count = static_cast<double>(panels_.size());
    const double free = options_.height - head - foot - gap * count;
    const double panel_height = panels_.size() == 1 ? std::max(free, 30.0) : std::max(free / count, kMinimumPanel);
    height_ = std::max(options_.height, static_cast<int>(std::ceil(head + foot + (gap + panel_height) * count)));
    double widest_tick = 20, widest_name = 0;
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      Panel& panel = panels_[p];
      panel.height = panel_height;
      panel.top = std::round(head + gap + (gap + panel_height) * static_cast<double>(p) - 6) + 0.5;
      Range range;
      for (const Curve& curve : panel.curves) {
        for (std::size_t i = 0; i < curve.values.size(); ++i) {
          if (std::isfinite(curve.x[i])) range.include(curve.values[i]);
        }
        if (panel.legend && !curve.is_guide) widest_name = std::max(widest_name, text_width(curve.name, kFont));
      }
      panel.empty = range.empty();
      const int ticks = std::max(2, static_cast<int>(panel_height / 40));
      panel.axis = options_.log_y ? log_axis(range, ticks, 0.04) : linear_axis(range, ticks, 0.05);
      for (const Tick& tick : panel.axis.ticks) widest_tick = std::max(widest_tick, text_width(label_of(tick), kFont));
    }
    left_ = std::round(8 + 18 + widest_tick + 8) + 0.5;
    name_width_ = std::min(widest_name, 0.3 * options_.width - kSample);
    const double legend = widest_name > 0 ? 14 + kSample + 6 + name_width_ + 6 : 0;
    Range range;
    for (const Panel& panel : panels_) {
      for (const Curve& curve : panel.curves) {
        for (const double value : curve.x) {
          if (!options_.log_x || value > 0) range.include(value);
        }
      }
    }
    // The last tick label may stick out to the right of the axis.
    right_ = std::floor(options_.width - std::max(legend, 24.0)) + 0.5;
    const int ticks = std::max(2, static_cast<int>((right_ - left_) / 75));
    x_axis_ = options_.log_x ? log_axis(range, ticks, 0.03) : linear_axis(range, ticks, 0);
    if (options_.equal_axes) make_equal(panels_.front(), ticks);
  }

  /// Widens the axis that has more room than the other.
  void make_equal(Panel& panel, int ticks) {
    const double width = right_ - left_;
    const double per_pixel =
        std::max((x_axis_.high - x_axis_.low) / width, (panel.axis.high - panel.axis.low) / panel.height);
    const auto widened = [&](const Axis& axis, double pixels, int count) {
      const double middle = (axis.low + axis.high) / 2, half = per_pixel * pixels / 2;
      return linear_axis({middle - half, middle + half}, count, 0);
    };
    x_axis_ = widened(x_axis_, width, ticks);
    panel.axis = widened(panel.axis, panel.height, std::max(2, static_cast<int>(panel.height / 40)));
  }

  void draw_axes(SvgCanvas& svg, const Panel& panel) const {
    const std::string_view grid = "stroke=\"#e2e2e2\"", faint = "stroke=\"#f0f0f0\"", frame = "stroke=\"#444\"";
    const auto crisp = [](double position) { return std::floor(position) + 0.5; };
    for (const double value : panel.axis.minor) {
      svg.line(left_, crisp(panel.y(value)), right_, crisp(panel.y(value)), faint);
    }
    for (const double value : x_axis_.minor) {
      svg.line(crisp(x(value)), panel.top, crisp(x(value)), panel.bottom(), faint);
    }
    for (const Tick& tick : x_axis_.ticks) {
      svg.line(crisp(x(tick.value)), panel.top, crisp(x(tick.value)), panel.bottom(), grid);
      svg.line(crisp(x(tick.value)), panel.bottom(), crisp(x(tick.value)), panel.bottom() + 4, frame);
    }
    for (const Tick& tick : panel.axis.ticks) {
      const double y = crisp(panel.y(tick.value));
      const bool zero = tick.value == 0 && !panel.empty;
      svg.line(left_, y, right_, y, zero ? "stroke=\"#b0b0b0\"" : grid);
      svg.line(left_ - 4, y, left_, y, frame);
      svg.markup(left_ - 8, y + 4, "end", SvgCanvas::power(tick.text, tick.power));
    }
    svg.path("M" + coordinate(left_) + " " + coordinate(panel.top) + "V" + coordinate(panel.bottom()) + "H" +
                 coordinate(right_),
             "fill=\"none\" stroke=\"#444\"");
    svg.text(16, panel.top + panel.height / 2, "middle", fit_text(panel.label, kFont + 1, panel.height + 16),
             "font-size=\"13\"", -90);
    draw_scale_note(svg, panel.axis, left_ - 4, panel.top - 6, "start");
    if (panel.empty) {
      svg.text((left_ + right_) / 2, panel.top + panel.height / 2 + 4, "middle",
               options_.log_y ? "no positive values" : "no data", "fill=\"#888\" font-size=\"13\"");
    }
  }

  static void draw_scale_note(SvgCanvas& svg, const Axis& axis, double x, double y, std::string_view anchor) {
    std::string note;
    if (axis.exponent != 0) note = SvgCanvas::power("×10", std::to_string(axis.exponent));
    if (!axis.offset.empty()) {
      const bool negative = axis.offset.front() == '-';
      if (axis.exponent != 0) note += "<tspan dy=\"5\">\u00a0\u00a0</tspan>";
      note += (negative ? "− " : "+ ") + with_minus_signs(axis.offset.substr(negative ? 1 : 0));
    }
    if (!note.empty()) svg.markup(x, y, anchor, note, "font-size=\"11\"");
  }

  void draw_curve(SvgCanvas& svg, const Panel& panel, const Curve& curve) const {
    const std::vector<std::size_t> kept = decimate(curve.x, curve.values, kPointsPerCurve);
    std::string data;
    std::vector<std::size_t> dots;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (kept[k] == kGap) continue;
      const bool starts = k == 0 || kept[k - 1] == kGap;
      const bool ends = k + 1 == kept.size() || kept[k + 1] == kGap;
      if (curve.is_marked || (starts && ends)) dots.push_back(kept[k]);
      if (starts && ends) continue;
      data += (starts ? "M" : "L") + coordinate(x(curve.x[kept[k]])) + " " + coordinate(panel.y(curve.values[kept[k]]));
    }
    if (!data.empty()) svg.path(data, curve.style);
    const double radius = kept.size() == 1 || curve.is_marked ? 3 : 1.2;
    for (const std::size_t i : dots) svg.circle(x(curve.x[i]), panel.y(curve.values[i]), radius, curve.dot);
    if (curve.is_guide && !kept.empty() && kept.front() != kGap) {
      svg.text(x(curve.x[kept.front()]) - 4, panel.y(curve.values[kept.front()]) + 4, "end", curve.name,
               "font-size=\"11\" fill=\"#666\"");
    }
  }

  void draw_legend(SvgCanvas& svg, const Panel& panel) const {
    std::vector<const Curve*> curves;
    for (const Curve& curve : panel.curves) {
      if (!curve.is_guide) curves.push_back(&curve);
    }
    const std::size_t count = curves.size();
    const double row = std::clamp(panel.height / static_cast<double>(count), 13.0, kRow);
    const std::size_t rows = std::max<std::size_t>(1, static_cast<std::size_t>(panel.height / row));
    const std::size_t shown = count <= rows ? count : rows - 1;
    const double start = right_ + 14;
    double y = panel.top + row / 2;
    for (std::size_t k = 0; k < shown; ++k, y += row) {
      const Curve& curve = *curves[k];
      svg.path("M" + coordinate(start) + " " + coordinate(y) + "h" + coordinate(kSample), curve.style);
      if (curve.is_marked) svg.circle(start + kSample / 2, y, 3, curve.dot);
      svg.text(start + kSample + 6, y + 4, "start", fit_text(curve.name, kFont, name_width_ + 0.01));
    }
    if (shown < count) svg.text(start, y + 4, "start", "+ " + std::to_string(count - shown) + " more");
  }

  void draw_abscissa(SvgCanvas& svg) const {
    const double bottom = panels_.back().bottom();
    for (const Tick& tick : x_axis_.ticks) {
      svg.markup(x(tick.value), bottom + 18, "middle", SvgCanvas::power(tick.text, tick.power));
    }
    svg.text((left_ + right_) / 2, bottom + 37, "middle", fit_text(x_label_, kFont + 1, 0.8 * (right_ - left_)),
             "font-size=\"13\"");
    draw_scale_note(svg, x_axis_, right_, bottom + 37, "end");
  }

  const PlotOptions& options_;
  std::string x_label_;
  std::vector<Panel> panels_;
  Axis x_axis_{0, 1};
  int height_ = 0;
  double left_ = 0, right_ = 0, name_width_ = 0;
};

void require_size(const PlotOptions& options) {
  if (options.width >= 200 && options.height >= 120) return;
  throw Error("A plot of " + std::to_string(options.width) + " x " + std::to_string(options.height) +
              " pixels is too small: use at least 200 x 120.");
}

}  // namespace

std::string svg_plot(const Table& table, const PlotOptions& options) {
  require_size(options);
  return Plot(table, options).draw();
}

std::string svg_plot(const std::vector<PlotCurve>& curves, const PlotOptions& options) {
  require_size(options);
  for (const PlotCurve& curve : curves) {
    if (curve.x.size() == curve.y.size()) continue;
    throw Error("the curve \"" + curve.name + "\" has " + std::to_string(curve.x.size()) + " abscissas and " +
                std::to_string(curve.y.size()) + " ordinates.");
  }
  return Plot(curves, options).draw();
}

}  // namespace perilune::output
