// SPDX-License-Identifier: MIT
// A bicubic spline whose heights may be expressions, so that a tabulated surface is a design variable.
#pragma once
#include "expr/piecewise_surface.hpp"
#include "expr/symbol.hpp"

namespace perilune::expr {

/// s(x, y) = sum_ij z_ij c_i(x) c_j(y) with the cardinal splines of the abscissas: linear in the heights, of which all
/// plain numbers together make one table.
class SplineSurface {
 public:
  struct Term {
    Symbol height;
    TablePtr along_x, along_y;
  };

  /// z: one row for each x, with a height for each y. Throws Error as bicubic_spline does, and for rows of a wrong
  /// length.
  SplineSurface(const std::vector<double>& x, const std::vector<double>& y, const std::vector<std::vector<Symbol>>& z);

  Symbol operator()(const Symbol& x, const Symbol& y) const;
  /// Those heights that are plain numbers, with 0 in place of the others; and the others.
  const SurfacePtr& numbers() const { return numbers_; }
  const std::vector<Term>& terms() const { return terms_; }

 private:
  SurfacePtr numbers_;
  std::vector<Term> terms_;
};

}  // namespace perilune::expr
