// SPDX-License-Identifier: MIT
// The one shape in which results leave the engine: named columns of equal length.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace perilune::format {

/// One quantity over all samples. An empty unit means "no unit".
struct Column {
  std::string name, unit;
  std::vector<double> values;
};

/// Columns of equal length; the first one is usually the time "t" in "s".
struct Table {
  std::vector<Column> columns;
};

/// The number of rows; throws perilune::Error, naming the columns, if their lengths differ.
std::size_t row_count(const Table& table);

/// "name [unit]", or just the name when there is no unit.
std::string heading(const Column& column);

/// The columns 1, 2, ... grouped by unit, in order of first appearance: each group is one panel of a plot.
/// Throws perilune::Error if the table has no curve or columns of different lengths.
std::vector<std::vector<std::size_t>> panels_by_unit(const Table& table);

}  // namespace perilune::format
