// SPDX-License-Identifier: MIT
#include "output/picture/dot_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace perilune::output {

DotCanvas::DotCanvas(int columns, int rows, bool braille)
    : columns_(columns),
      rows_(rows),
      across_(braille ? 2 : 1),
      down_(braille ? 4 : 1),
      cells_(static_cast<std::size_t>(columns * rows)) {}

void DotCanvas::line(int x1, int y1, int x2, int y2) {
  const int steps = std::max({std::abs(x2 - x1), std::abs(y2 - y1), 1});
  for (int i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    set(static_cast<int>(std::lround(x1 + part * (x2 - x1))), static_cast<int>(std::lround(y1 + part * (y2 - y1))));
  }
}

void DotCanvas::set(int x, int y) {
  static constexpr std::uint8_t kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  std::uint8_t& cell = cells_[static_cast<std::size_t>(y / down_ * columns_ + x / across_)];
  cell = static_cast<std::uint8_t>(cell | kBits[y % down_][x % across_]);
}

}  // namespace perilune::output
