// SPDX-License-Identifier: MIT
// Plots of tables as scalable vector graphics.
#pragma once
#include <string>
#include <vector>

#include "format/table.hpp"

namespace perilune::output {

using namespace format;

struct PlotOptions {
  std::string title = {};
  /// Default: the heading of the first column.
  std::string x_label = {};
  /// Default: the heading of a panel's only curve, or the unit its curves share. A label without a "[" gets the unit.
  std::string y_label = {};
  /// In pixels, at least 200 x 120. Several panels grow the height when they would become too flat.
  int width = 800, height = 420;
  /// Values which are not positive become gaps.
  bool log_x = false, log_y = false;
  /// One panel: a unit is as long along both axes, as for paths.
  bool equal_axes = false;
};

/// A curve with an abscissa of its own; its points are marked where they are few.
struct PlotCurve {
  std::string name;
  std::vector<double> x, y;
  /// A thin line that is named at its first point and not in the legend: a slope to compare with, a limit.
  bool is_guide = false;
};

/// A complete SVG document: column 0 is the abscissa, every other column a curve, and each unit a panel of its own
/// above a shared abscissa. Curves differ in colour (distinct to colour-blind readers) and in dashes (distinct in
/// print). Samples that are not finite are gaps; curves are thinned to about 2000 points and keep their extremes.
/// Throws perilune::Error for a table without curves or with columns of different lengths, and for too small a size.
std::string svg_plot(const Table& table, const PlotOptions& options = {});

/// The same for curves that share one panel. Throws perilune::Error where x and y differ in length.
std::string svg_plot(const std::vector<PlotCurve>& curves, const PlotOptions& options = {});

}  // namespace perilune::output
