// SPDX-License-Identifier: MIT
#include "format/gnuplot.hpp"

#include <cmath>
#include <ostream>

#include "error.hpp"
#include "format/text.hpp"

namespace perilune::format {

namespace {

/// In single quotes nothing is special but the quote itself.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

}  // namespace

void write_gnuplot(const Table& table, const std::string& title, std::ostream& out) {
  const std::size_t rows = row_count(table);
  const auto panels = panels_by_unit(table);
  out << "# plot it: gnuplot -p <this file>\n$data << end_of_data\n";
  for (std::size_t row = 0; row < rows; ++row) {
    check_interrupt();
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const double x = table.columns[k].values[row];
      out << (k > 0 ? " " : "") << (std::isfinite(x) ? shortest(x) : "NaN");
    }
    out << '\n';
  }
  out << "end_of_data\n";
  // Names have underscores, which are no subscripts.
  out << "set multiplot layout " << panels.size() << ",1 title " << quoted(title) << " noenhanced\n";
  out << "set grid\nset key noenhanced\nset xlabel " << quoted(heading(table.columns.front())) << " noenhanced\n";
  for (const auto& panel : panels) {
    const Column& first = table.columns[panel.front()];
    const std::string unit = first.unit.empty() ? "" : "[" + first.unit + "]";
    out << "set ylabel " << quoted(panel.size() == 1 ? heading(first) : unit) << " noenhanced\nplot ";
    for (std::size_t k = 0; k < panel.size(); ++k) {
      out << (k > 0 ? ", \\\n  " : "") << "$data using 1:" << panel[k] + 1 << " with lines title "
          << quoted(table.columns[panel[k]].name);
    }
    out << '\n';
  }
  out << "unset multiplot\n";
}

}  // namespace perilune::format
