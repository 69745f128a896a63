// SPDX-License-Identifier: MIT
// A cubic spline whose ordinates may be expressions, so that tabulated data are design variables.
#pragma once
#include <optional>

#include "expr/piecewise.hpp"
#include "expr/symbol.hpp"

namespace perilune::expr {

/// s(x) = sum_i y_i c_i(x) with the cardinal splines c_i of the abscissas: linear in the ordinates and end slopes, of
/// which all plain numbers together make one table.
class Spline {
 public:
  struct Term {
    Symbol factor;
    TablePtr value, slope, integral;
  };

  /// As cubic_spline: an end without a slope is natural. Throws Error as it does.
  Spline(const std::vector<double>& x, const std::vector<Symbol>& y, const std::optional<Symbol>& first_slope,
         const std::optional<Symbol>& last_slope);

  Symbol operator()(const Symbol& x) const { return sum(&Term::value, x); }
  Symbol slope(const Symbol& x) const { return sum(&Term::slope, x); }
  /// From the first abscissa to x.
  Symbol integral(const Symbol& x) const { return sum(&Term::integral, x); }
  const std::vector<Term>& terms() const { return terms_; }

 private:
  Symbol sum(TablePtr Term::*table, const Symbol& x) const;
  std::vector<Term> terms_;
};

}  // namespace perilune::expr
