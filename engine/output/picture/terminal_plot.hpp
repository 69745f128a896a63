// SPDX-License-Identifier: MIT
// Plots of tables as lines of text.
#pragma once
#include <string>

#include "format/table.hpp"

namespace perilune::output {

using namespace format;

struct TerminalPlotOptions {
  int width = 78;   ///< columns of the terminal that every line fills exactly; at least 24
  int height = 16;  ///< rows of the plotting areas of all panels together; at least 3, and no panel gets fewer than 4
  bool unicode = true;  ///< braille dots; otherwise plain ASCII with a glyph for each curve
  bool colour = false;  ///< ANSI escape sequences; without them braille curves are told apart by letters along them
  std::string title = {};
};

/// The plot, each line ended by a newline: for every unit a panel with a legend above it, and the abscissa (column 0)
/// below the last one. The first and the last row of a panel stand for the largest and the smallest value. Samples that
/// are not finite are gaps. Throws perilune::Error for a table without curves or with columns of different lengths, and
/// for too small a size.
std::string terminal_plot(const Table& table, const TerminalPlotOptions& options = {});

}  // namespace perilune::output
