// SPDX-License-Identifier: MIT
#include "format/csv.hpp"

#include <ostream>
#include <string>
#include <string_view>

#include "error.hpp"
#include "format/text.hpp"

namespace perilune::format {

std::string csv_field(const std::string& text) {
  const bool outer_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!outer_space && text.find_first_of(",;\"\r\n\t") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted += '"';
}

void write_csv(const Table& table, std::ostream& out) {
  const std::size_t rows = row_count(table);
  if (table.columns.empty()) return;
  std::string line;
  const auto write_line = [&](auto&& cell) {
    line.clear();
    for (const Column& column : table.columns) {
      if (&column != &table.columns.front()) line += ',';
      line += cell(column);
    }
    line += '\n';
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  };
  write_line([](const Column& column) { return csv_field(heading(column)); });
  for (std::size_t row = 0; row < rows; ++row) {
    check_interrupt();
    write_line([row](const Column& column) { return shortest(column.values[row]); });
  }
}

}  // namespace perilune::format
