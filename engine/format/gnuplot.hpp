// SPDX-License-Identifier: MIT
// Plots of tables as scripts of gnuplot.
#pragma once
#include <iosfwd>
#include <string>

#include "format/table.hpp"

namespace perilune::format {

/// A script for gnuplot 5 with its data inside: column 0 is the abscissa, one panel for each unit. It plots to the
/// terminal that is set, so that `gnuplot -p file` opens a window and `set term pdf` before it makes a file. Throws
/// perilune::Error for a table without curves or with columns of different lengths.
void write_gnuplot(const Table& table, const std::string& title, std::ostream& out);

}  // namespace perilune::format
