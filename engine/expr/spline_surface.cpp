// SPDX-License-Identifier: MIT
#include "expr/spline_surface.hpp"

#include "error.hpp"
#include "expr/piecewise.hpp"

namespace perilune::expr {

namespace {

/// The spline that is 1 at x_k and 0 at the others; made where it is asked for.
class Cardinals {
 public:
  explicit Cardinals(const std::vector<double>& x) : x_(x), made_(x.size()) {}
  const TablePtr& operator[](std::size_t k) {
    if (!made_[k]) {
      std::vector<double> one(x_.size(), 0.0);
      one[k] = 1;
      made_[k] = std::make_shared<const PiecewisePolynomial>(cubic_spline(x_, one, nullptr, nullptr));
    }
    return made_[k];
  }

 private:
  const std::vector<double>& x_;
  std::vector<TablePtr> made_;
};

}  // namespace

SplineSurface::SplineSurface(const std::vector<double>& x, const std::vector<double>& y,
                             const std::vector<std::vector<Symbol>>& z) {
  if (z.size() != x.size()) {
    throw Error("z must have one row for each x, so " + std::to_string(x.size()) + ", not " + std::to_string(z.size()));
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < z.size(); ++i) {
    check_interrupt();
    if (z[i].size() != y.size()) {
      throw Error("row " + std::to_string(i + 1) + " of z must have one height for each y, so " +
                  std::to_string(y.size()) + ", not " + std::to_string(z[i].size()));
    }
    for (const Symbol& height : z[i]) numbers.push_back(height.is_number() ? height.number() : 0.0);
  }
  numbers_ = std::make_shared<const PiecewiseSurface>(bicubic_spline(x, y, numbers));
  Cardinals along_x(x), along_y(y);
  for (std::size_t i = 0; i < z.size(); ++i) {
    check_interrupt();
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (!z[i][j].is_number()) terms_.push_back({z[i][j], along_x[i], along_y[j]});
    }
  }
}

Symbol SplineSurface::operator()(const Symbol& x, const Symbol& y) const {
  Symbol sum = Symbol::lookup(numbers_, x, y);
  for (const Term& term : terms_) {
    sum += term.height * (Symbol::lookup(term.along_x, x) * Symbol::lookup(term.along_y, y));
  }
  return sum;
}

}  // namespace perilune::expr
