// SPDX-License-Identifier: MIT
// Piecewise polynomials of one variable: tabulated data in expressions.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "expr/dual.hpp"

namespace perilune::expr {

/// Piece 0 lies below the first knot, piece k from knot k - 1 to knot k, the last one above the last knot. Evaluates
/// for any scalar type, with exact derivatives.
class PiecewisePolynomial {
 public:
  /// `coefficients`: (knots + 1) rows of degree + 1 numbers, ascending powers of the distance from the knot below (for
  /// piece 0 from the first knot).
  PiecewisePolynomial(std::vector<double> knots, int degree, std::vector<double> coefficients);

  template <class T>
  T operator()(const T& x) const {
    const std::size_t k = piece(real_part(x));
    const double* c = row(k);
    const T from_knot = x - T(origin(k));
    T sum(c[degree_]);
    for (std::size_t i = degree_; i-- > 0;) sum = sum * from_knot + T(c[i]);
    return sum;
  }
  template <class T>
  T slope(const T& x) const {
    const std::size_t k = piece(real_part(x));
    const double* c = row(k);
    const T from_knot = x - T(origin(k));
    T sum(0.0);
    for (std::size_t i = degree_; i >= 1; --i) sum = sum * from_knot + T(static_cast<double>(i) * c[i]);
    return sum;
  }

  PiecewisePolynomial derivative() const;
  /// The continuous integral that is 0 at the first knot.
  PiecewisePolynomial integral() const;
  const std::vector<double>& knots() const { return knots_; }
  /// degree + 1 of them, ascending.
  const double* coefficients(std::size_t piece) const { return row(piece); }
  std::size_t degree() const { return degree_; }
  /// The piece that x lies in.
  std::size_t piece(double x) const {
    return static_cast<std::size_t>(std::upper_bound(knots_.begin(), knots_.end(), x) - knots_.begin());
  }
  /// Where the distances of a piece are counted from.
  double origin(std::size_t piece) const { return knots_[piece == 0 ? 0 : piece - 1]; }

 private:
  const double* row(std::size_t piece) const { return coefficients_.data() + piece * (degree_ + 1); }

  std::vector<double> knots_;
  std::size_t degree_;
  std::vector<double> coefficients_;
};

/// The C2 cubic spline through the points (x_i, y_i), x increasing, continued linearly beyond its ends. An end with a
/// given slope is clamped, one without (nullptr) natural. Throws Error for fewer than 2 points or for x out of order.
PiecewisePolynomial cubic_spline(const std::vector<double>& x, const std::vector<double>& y, const double* first_slope,
                                 const double* last_slope);

}  // namespace perilune::expr
