// SPDX-License-Identifier: MIT
// Piecewise polynomials of two variables: heights over a grid in expressions.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "expr/dual.hpp"

namespace perilune::expr {

/// A polynomial in each cell between the knots of both variables, and in those beyond the outer knots. Evaluates for
/// any scalar type, with exact derivatives.
class PiecewiseSurface {
 public:
  /// `coefficients`: for each of the (x knots + 1) x (y knots + 1) cells, y running fastest, one number for each power
  /// of x and of y, that of y running fastest; ascending powers of the distance from the knot below (in the first cells
  /// from the first knot).
  PiecewiseSurface(std::vector<double> x_knots, std::vector<double> y_knots, int x_degree, int y_degree,
                   std::vector<double> coefficients);

  template <class T>
  T operator()(const T& x, const T& y) const {
    return sum<0, 0>(x, y);
  }
  template <class T>
  T slope_x(const T& x, const T& y) const {
    return sum<1, 0>(x, y);
  }
  template <class T>
  T slope_y(const T& x, const T& y) const {
    return sum<0, 1>(x, y);
  }

  /// The polynomial of the cell of a point, at x and y.
  template <class T>
  T in_cell(double x_of_point, double y_of_point, const T& x, const T& y) const {
    return sum_in<0, 0>(piece(x_knots_, x_of_point), piece(y_knots_, y_of_point), x, y);
  }
  const std::vector<double>& x_knots() const { return x_knots_; }
  const std::vector<double>& y_knots() const { return y_knots_; }
  const std::vector<double>& coefficients() const { return coefficients_; }

  /// The same as surfaces of their own.
  PiecewiseSurface by_x() const;
  PiecewiseSurface by_y() const;

 private:
  /// Derivative of order X in x and Y in y, of 0 or 1.
  template <std::size_t X, std::size_t Y, class T>
  T sum(const T& x, const T& y) const {
    return sum_in<X, Y>(piece(x_knots_, real_part(x)), piece(y_knots_, real_part(y)), x, y);
  }
  template <std::size_t X, std::size_t Y, class T>
  T sum_in(std::size_t i, std::size_t j, const T& x, const T& y) const {
    const T u = x - T(origin(x_knots_, i)), v = y - T(origin(y_knots_, j));
    const double* c = coefficients_.data() + (i * (y_knots_.size() + 1) + j) * (x_degree_ + 1) * (y_degree_ + 1);
    T total(0.0);
    for (std::size_t k = x_degree_ + 1; k-- > X;) {
      const double* row = c + k * (y_degree_ + 1);
      T inner(0.0);
      for (std::size_t l = y_degree_ + 1; l-- > Y;) inner = inner * v + T((Y ? static_cast<double>(l) : 1.0) * row[l]);
      total = total * u + (X ? T(static_cast<double>(k)) * inner : inner);
    }
    return total;
  }

  static std::size_t piece(const std::vector<double>& knots, double x) {
    return static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), x) - knots.begin());
  }
  static double origin(const std::vector<double>& knots, std::size_t piece) {
    return knots[piece == 0 ? 0 : piece - 1];
  }

  std::vector<double> x_knots_, y_knots_;
  std::size_t x_degree_, y_degree_;
  std::vector<double> coefficients_;
};

/// The C2 bicubic spline through z_ij at (x_i, y_j), z row by row, y running fastest: natural at its edges, continued
/// linearly beyond them. Throws Error for fewer than 2 x 2 points, for x or y out of order, or for numbers that are not
/// finite.
PiecewiseSurface bicubic_spline(const std::vector<double>& x, const std::vector<double>& y,
                                const std::vector<double>& z);

}  // namespace perilune::expr
