// SPDX-License-Identifier: MIT
#include "expr/piecewise_surface.hpp"

#include <string>

#include "error.hpp"
#include "expr/piecewise.hpp"

namespace perilune::expr {

PiecewiseSurface::PiecewiseSurface(std::vector<double> x_knots, std::vector<double> y_knots, int x_degree, int y_degree,
                                   std::vector<double> coefficients)
    : x_knots_(std::move(x_knots)),
      y_knots_(std::move(y_knots)),
      x_degree_(static_cast<std::size_t>(x_degree)),
      y_degree_(static_cast<std::size_t>(y_degree)),
      coefficients_(std::move(coefficients)) {
  const std::size_t cells = (x_knots_.size() + 1) * (y_knots_.size() + 1);
  if (x_knots_.empty() || y_knots_.empty() || coefficients_.size() != cells * (x_degree_ + 1) * (y_degree_ + 1)) {
    throw Error("a piecewise surface needs (x degree + 1) (y degree + 1) coefficients for each of its cells");
  }
}

PiecewiseSurface PiecewiseSurface::by_x() const {
  const std::size_t degree = x_degree_ == 0 ? 0 : x_degree_ - 1, row = y_degree_ + 1, cell = (x_degree_ + 1) * row;
  std::vector<double> out;
  out.reserve((x_knots_.size() + 1) * (y_knots_.size() + 1) * (degree + 1) * row);
  for (std::size_t start = 0; start < coefficients_.size(); start += cell) {
    check_interrupt();
    for (std::size_t k = 1; k <= x_degree_; ++k) {
      for (std::size_t l = 0; l < row; ++l) out.push_back(static_cast<double>(k) * coefficients_[start + k * row + l]);
    }
    if (x_degree_ == 0) out.insert(out.end(), row, 0.0);
  }
  return {x_knots_, y_knots_, static_cast<int>(degree), static_cast<int>(y_degree_), std::move(out)};
}

PiecewiseSurface PiecewiseSurface::by_y() const {
  const std::size_t degree = y_degree_ == 0 ? 0 : y_degree_ - 1, row = y_degree_ + 1;
  std::vector<double> out;
  out.reserve((x_knots_.size() + 1) * (y_knots_.size() + 1) * (x_degree_ + 1) * (degree + 1));
  for (std::size_t start = 0; start < coefficients_.size(); start += row) {
    check_interrupt();
    for (std::size_t l = 1; l < row; ++l) out.push_back(static_cast<double>(l) * coefficients_[start + l]);
    if (y_degree_ == 0) out.push_back(0.0);
  }
  return {x_knots_, y_knots_, static_cast<int>(x_degree_), static_cast<int>(degree), std::move(out)};
}

namespace {

void check_axis(const char* name, const std::vector<double>& x) {
  if (x.size() < 2) throw Error(std::string(name) + " needs at least 2 numbers, not " + std::to_string(x.size()));
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] > x[i - 1]) continue;
    throw Error(std::string(name) + " must increase; number " + std::to_string(i + 1) + " is not above the one before");
  }
}

}  // namespace

PiecewiseSurface bicubic_spline(const std::vector<double>& x, const std::vector<double>& y,
                                const std::vector<double>& z) {
  check_axis("x", x);
  check_axis("y", y);
  if (z.size() != x.size() * y.size()) {
    throw Error("a bicubic spline needs a height for each pair of an x and a y: " +
                std::to_string(x.size() * y.size()) + " of them, not " + std::to_string(z.size()));
  }
  // Splines along y through each row first, then splines along x through each of their coefficients.
  std::vector<PiecewisePolynomial> rows;
  for (std::size_t i = 0; i < x.size(); ++i) {
    check_interrupt();
    const auto row = z.begin() + static_cast<std::ptrdiff_t>(i * y.size());
    rows.push_back(cubic_spline(y, {row, row + static_cast<std::ptrdiff_t>(y.size())}, nullptr, nullptr));
  }
  const std::size_t y_cells = y.size() + 1, x_cells = x.size() + 1;
  std::vector<double> coefficients;
  coefficients.reserve(x_cells * y_cells * 16);
  for (std::size_t i = 0; i < x_cells; ++i) {  // a hundred megabytes at once would take long
    check_interrupt();
    coefficients.resize((i + 1) * y_cells * 16);
  }
  std::vector<double> through(x.size());
  for (std::size_t j = 0; j < y_cells; ++j) {
    for (std::size_t l = 0; l < 4; ++l) {
      check_interrupt();
      for (std::size_t i = 0; i < x.size(); ++i) through[i] = rows[i].coefficients(j)[l];
      const PiecewisePolynomial along = cubic_spline(x, through, nullptr, nullptr);
      for (std::size_t i = 0; i < x_cells; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
          coefficients[(i * y_cells + j) * 16 + 4 * k + l] = along.coefficients(i)[k];
        }
      }
    }
  }
  return {x, y, 3, 3, std::move(coefficients)};
}

}  // namespace perilune::expr
