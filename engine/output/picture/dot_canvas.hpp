// SPDX-License-Identifier: MIT
// Lines rasterized to character cells: braille dots, or one dot per cell.
#pragma once
#include <cstdint>
#include <vector>

namespace perilune::output {

/// One curve's dots. With braille a cell holds 2 x 4 dots, otherwise one.
class DotCanvas {
 public:
  DotCanvas(int columns, int rows, bool braille);

  /// The number of dots in each direction; dot (0, 0) is at the top left.
  int dots_across() const { return columns_ * across_; }
  int dots_down() const { return rows_ * down_; }
  /// Sets the dots of a straight line, both ends included. Positions must lie on the canvas.
  void line(int x1, int y1, int x2, int y2);
  /// The braille pattern (its bits follow U+2800), or 0 and 1 without braille.
  std::uint8_t cell(int column, int row) const { return cells_[static_cast<std::size_t>(row * columns_ + column)]; }

 private:
  void set(int x, int y);

  int columns_, rows_, across_, down_;
  std::vector<std::uint8_t> cells_;
};

}  // namespace perilune::output
