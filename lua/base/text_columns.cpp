// SPDX-License-Identifier: MIT
#include "base/text_columns.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace perilune::lua {

std::string aligned(const TextRows& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = "\n ";
    for (size_t k = 0; k < row.size(); ++k) {
      const std::string space(widths[k] - row[k].size(), ' ');
      line += k == 0 ? " " + row[k] + space : "  " + space + row[k];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1);
  }
  return text;
}

bool has_unicode() {
  const char* terminal = std::getenv("TERM");
  return !terminal || std::strcmp(terminal, "dumb") != 0;
}

}  // namespace perilune::lua
