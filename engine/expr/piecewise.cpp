// SPDX-License-Identifier: MIT
#include "expr/piecewise.hpp"

#include <cmath>
#include <string>

#include "error.hpp"

namespace perilune::expr {

PiecewisePolynomial::PiecewisePolynomial(std::vector<double> knots, int degree, std::vector<double> coefficients)
    : knots_(std::move(knots)), degree_(static_cast<std::size_t>(degree)), coefficients_(std::move(coefficients)) {
  if (knots_.empty() || coefficients_.size() != (knots_.size() + 1) * (degree_ + 1)) {
    throw Error("a piecewise polynomial needs degree + 1 coefficients for each of its knots + 1 pieces");
  }
}

PiecewisePolynomial PiecewisePolynomial::derivative() const {
  const std::size_t degree = degree_ == 0 ? 0 : degree_ - 1;
  std::vector<double> coefficients;
  for (std::size_t k = 0; k <= knots_.size(); ++k) {
    for (std::size_t i = 1; i <= degree_; ++i) coefficients.push_back(static_cast<double>(i) * row(k)[i]);
    if (degree_ == 0) coefficients.push_back(0);
  }
  return {knots_, static_cast<int>(degree), std::move(coefficients)};
}

PiecewisePolynomial PiecewisePolynomial::integral() const {
  std::vector<double> coefficients;
  double start = 0;
  for (std::size_t k = 0; k <= knots_.size(); ++k) {
    coefficients.push_back(start);
    for (std::size_t i = 0; i <= degree_; ++i) coefficients.push_back(row(k)[i] / static_cast<double>(i + 1));
    if (k == 0 || k == knots_.size()) continue;
    const double width = knots_[k] - knots_[k - 1];
    double power = width;
    for (std::size_t i = 0; i <= degree_; ++i, power *= width) start += row(k)[i] * power / static_cast<double>(i + 1);
  }
  return {knots_, static_cast<int>(degree_) + 1, std::move(coefficients)};
}

namespace {

void check_points(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) {
    throw Error("a spline needs as many ordinates as abscissas, not " + std::to_string(y.size()) + " for " +
                std::to_string(x.size()));
  }
  if (x.size() < 2) throw Error("a spline needs at least 2 points, not " + std::to_string(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) {
      throw Error("a spline needs finite numbers; point " + std::to_string(i + 1) + " is not finite");
    }
    if (i > 0 && !(x[i] > x[i - 1])) {
      throw Error("the abscissas of a spline must increase; number " + std::to_string(i + 1) +
                  " is not above the one before");
    }
  }
}

/// Second derivatives at the points: h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (chord_i - chord_i-1).
std::vector<double> second_derivatives(const std::vector<double>& h, const std::vector<double>& chord,
                                       const double* first_slope, const double* last_slope) {
  const std::size_t n = h.size() + 1;
  std::vector<double> below(n, 0.0), diagonal(n, 1.0), above(n, 0.0), M(n, 0.0);
  if (first_slope) {
    diagonal[0] = 2 * h[0];
    above[0] = h[0];
    M[0] = 6 * (chord[0] - *first_slope);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = h[i - 1];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    above[i] = h[i];
    M[i] = 6 * (chord[i] - chord[i - 1]);
  }
  if (last_slope) {
    below[n - 1] = h[n - 2];
    diagonal[n - 1] = 2 * h[n - 2];
    M[n - 1] = 6 * (*last_slope - chord[n - 2]);
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    M[i] -= factor * M[i - 1];
  }
  M[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) M[i] = (M[i] - above[i] * M[i + 1]) / diagonal[i];
  return M;
}

}  // namespace

PiecewisePolynomial cubic_spline(const std::vector<double>& x, const std::vector<double>& y, const double* first_slope,
                                 const double* last_slope) {
  check_points(x, y);
  const std::size_t n = x.size();
  std::vector<double> h, chord;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h.push_back(x[i + 1] - x[i]);
    chord.push_back((y[i + 1] - y[i]) / h[i]);
  }
  const std::vector<double> M = second_derivatives(h, chord, first_slope, last_slope);
  const double first = chord[0] - h[0] * (2 * M[0] + M[1]) / 6;
  const double last = chord[n - 2] + h[n - 2] * (M[n - 2] + 2 * M[n - 1]) / 6;
  std::vector<double> c{y[0], first, 0, 0};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    c.insert(c.end(), {y[i], chord[i] - h[i] * (2 * M[i] + M[i + 1]) / 6, M[i] / 2, (M[i + 1] - M[i]) / (6 * h[i])});
  }
  c.insert(c.end(), {y[n - 1], last, 0, 0});
  return {x, 3, std::move(c)};
}

}  // namespace perilune::expr
