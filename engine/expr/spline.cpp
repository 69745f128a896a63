// SPDX-License-Identifier: MIT
#include "expr/spline.hpp"

#include <cmath>
#include <numbers>

#include "error.hpp"

namespace perilune::expr {

namespace {

void check_sizes(std::size_t abscissas, std::size_t ordinates) {
  if (abscissas == ordinates) return;
  throw Error("a spline needs as many ordinates as abscissas, not " + std::to_string(ordinates) + " for " +
              std::to_string(abscissas));
}

Spline::Term term(const Symbol& factor, PiecewisePolynomial curve) {
  const auto value = std::make_shared<const PiecewisePolynomial>(std::move(curve));
  return {factor, value, std::make_shared<const PiecewisePolynomial>(value->derivative()),
          std::make_shared<const PiecewisePolynomial>(value->integral())};
}

}  // namespace

Spline::Spline(const std::vector<double>& x, const std::vector<Symbol>& y, const std::optional<Symbol>& first_slope,
               const std::optional<Symbol>& last_slope) {
  check_sizes(x.size(), y.size());
  const std::size_t n = x.size();
  std::vector<Symbol> unknown(y);  // ordinates, then the end slopes
  unknown.push_back(first_slope.value_or(0.0));
  unknown.push_back(last_slope.value_or(0.0));
  std::vector<double> numbers;
  for (const Symbol& s : unknown) numbers.push_back(s.is_number() ? s.number() : 0.0);
  auto add = [&](const Symbol& factor, const std::vector<double>& of) {
    const std::vector<double> ordinates(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(n));
    terms_.push_back(
        term(factor, cubic_spline(x, ordinates, first_slope ? &of[n] : nullptr, last_slope ? &of[n + 1] : nullptr)));
  };
  add(1.0, numbers);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i].is_number()) continue;
    std::vector<double> cardinal(unknown.size(), 0.0);
    cardinal[i] = 1;
    add(unknown[i], cardinal);
  }
}

Spline Spline::periodic(const std::vector<double>& x, const std::vector<Symbol>& y, double period) {
  check_sizes(x.size(), y.size());
  if (x.size() < 3) throw Error("a periodic spline needs at least 3 points");
  if (!(x.back() - x.front() < period)) {
    throw Error("the abscissas must lie within one period from the first, which is given again by the period itself");
  }
  // Beyond this many points on either side natural ends make no difference any more: their effect falls to a quarter
  // from each point to the next.
  constexpr std::size_t enough = 40;
  const auto copies = static_cast<int>((enough + x.size() - 1) / x.size());
  std::vector<double> all_x, numbers;
  for (int k = -copies; k <= copies; ++k) {
    for (const double each : x) all_x.push_back(each + k * period);
  }
  Spline out;
  const auto add = [&](const Symbol& factor, const std::vector<double>& of) {
    std::vector<double> all_y;
    for (int k = -copies; k <= copies; ++k) all_y.insert(all_y.end(), of.begin(), of.end());
    out.terms_.push_back(term(factor, cubic_spline(all_x, all_y, nullptr, nullptr)));
  };
  for (const Symbol& s : y) numbers.push_back(s.is_number() ? s.number() : 0.0);
  add(1.0, numbers);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i].is_number()) continue;
    std::vector<double> cardinal(y.size(), 0.0);
    cardinal[i] = 1;
    add(y[i], cardinal);
  }
  out.first_ = x.front();
  out.period_ = period;
  return out;
}

Symbol Spline::within(const Symbol& x) const {
  if (x.is_number()) return within(x.number());
  if (period_ == 0) return x;
  const double turn = 2 * std::numbers::pi / period_;
  const Symbol angle = turn * (x - first_);
  return first_ + (std::numbers::pi + atan2(-sin(angle), -cos(angle))) / turn;
}

double Spline::within(double x) const { return period_ == 0 ? x : x - period_ * std::floor((x - first_) / period_); }

Symbol Spline::sum(TablePtr Term::*table, const Symbol& x) const {
  Symbol total = 0.0;
  for (const Term& term : terms_) total += term.factor * Symbol::lookup(term.*table, x);
  return total;
}

}  // namespace perilune::expr
