// SPDX-License-Identifier: MIT
#include "expr/spline.hpp"

#include "error.hpp"

namespace perilune::expr {

Spline::Spline(const std::vector<double>& x, const std::vector<Symbol>& y, const std::optional<Symbol>& first_slope,
               const std::optional<Symbol>& last_slope) {
  if (y.size() != x.size()) {
    throw Error("a spline needs as many ordinates as abscissas, not " + std::to_string(y.size()) + " for " +
                std::to_string(x.size()));
  }
  const std::size_t n = x.size();
  std::vector<Symbol> unknown(y);  // ordinates, then the end slopes
  unknown.push_back(first_slope.value_or(0.0));
  unknown.push_back(last_slope.value_or(0.0));
  std::vector<double> numbers;
  for (const Symbol& s : unknown) numbers.push_back(s.is_number() ? s.number() : 0.0);
  auto add = [&](const Symbol& factor, const std::vector<double>& of) {
    const std::vector<double> ordinates(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(n));
    const auto value = std::make_shared<const PiecewisePolynomial>(
        cubic_spline(x, ordinates, first_slope ? &of[n] : nullptr, last_slope ? &of[n + 1] : nullptr));
    terms_.push_back({factor, value, std::make_shared<const PiecewisePolynomial>(value->derivative()),
                      std::make_shared<const PiecewisePolynomial>(value->integral())});
  };
  add(1.0, numbers);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i].is_number()) continue;
    std::vector<double> cardinal(unknown.size(), 0.0);
    cardinal[i] = 1;
    add(unknown[i], cardinal);
  }
}

Symbol Spline::sum(TablePtr Term::*table, const Symbol& x) const {
  Symbol total = 0.0;
  for (const Term& term : terms_) total += term.factor * Symbol::lookup(term.*table, x);
  return total;
}

}  // namespace perilune::expr
