// SPDX-License-Identifier: MIT
#include "format/table.hpp"

#include <algorithm>

#include "error.hpp"

namespace perilune::format {

std::size_t row_count(const Table& table) {
  if (table.columns.empty()) return 0;
  const Column& first = table.columns.front();
  for (const Column& column : table.columns) {
    if (column.values.size() == first.values.size()) continue;
    throw Error("The columns of a table must have equal lengths, but \"" + first.name + "\" has " +
                std::to_string(first.values.size()) + " values and \"" + column.name + "\" has " +
                std::to_string(column.values.size()) + ".");
  }
  return first.values.size();
}

std::string heading(const Column& column) {
  return column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
}

std::vector<std::vector<std::size_t>> panels_by_unit(const Table& table) {
  if (table.columns.size() < 2) {
    throw Error("A plot needs an abscissa and at least one curve, but the table has " +
                std::to_string(table.columns.size()) + " column(s).");
  }
  row_count(table);
  std::vector<std::vector<std::size_t>> panels;
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    const auto same_unit = [&](const auto& panel) {
      return table.columns[panel.front()].unit == table.columns[c].unit;
    };
    const auto panel = std::find_if(panels.begin(), panels.end(), same_unit);
    if (panel == panels.end()) {
      panels.push_back({c});
    } else {
      panel->push_back(c);
    }
  }
  return panels;
}

}  // namespace perilune::format
