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

  /// The curve that repeats after a period, through points within one. Throws Error unless all abscissas lie within a
  /// period from the first, or where there are fewer than three.
  static Spline periodic(const std::vector<double>& x, const std::vector<Symbol>& y, double period);

  Symbol operator()(const Symbol& x) const { return sum(&Term::value, within(x)); }
  Symbol slope(const Symbol& x) const { return sum(&Term::slope, within(x)); }
  /// From the first abscissa to x. Not of a periodic one.
  Symbol integral(const Symbol& x) const { return sum(&Term::integral, x); }
  const std::vector<Term>& terms() const { return terms_; }
  bool is_periodic() const { return period_ > 0; }
  /// x, less whole periods of a periodic spline.
  Symbol within(const Symbol& x) const;
  double within(double x) const;

 private:
  Spline() = default;
  Symbol sum(TablePtr Term::*table, const Symbol& x) const;
  std::vector<Term> terms_;
  double first_ = 0, period_ = 0;  // period 0: it does not repeat
};

}  // namespace perilune::expr
