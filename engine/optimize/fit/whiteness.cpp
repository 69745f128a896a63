// SPDX-License-Identifier: MIT
#include "optimize/fit/whiteness.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "format/text.hpp"
#include "optimize/fit/distributions.hpp"

namespace perilune::optimize {
namespace {

constexpr double least_p_value = 0.01;
constexpr Eigen::Index most_lags = 10;

std::string warning_for(const std::string& name, const Whiteness& found) {
  if (found.p_value >= least_p_value) return "";
  std::string text = "The residuals of \"" + name + "\" are not white: neighbours are correlated by " +
                     format::significant(found.autocorrelation, 2) + " (Ljung-Box " +
                     format::significant(found.statistic, 3) + " over " + std::to_string(found.lags) +
                     " lags, p = " + format::significant(found.p_value, 2) +
                     "). The model misses something that the data show, or the "
                     "samples lie closer than their noise is independent";
  // Exact for a constant under noise that decays geometrically; what changes slowly is near it.
  const double rho = found.autocorrelation;
  if (rho > 0.1 && rho < 1)
    text += "; the standard errors may be too small by a factor of about " +
            format::significant(std::sqrt((1 + rho) / (1 - rho)), 2);
  return text + ".";
}

}  // namespace

Whiteness whiteness(const std::string& name, const Eigen::VectorXd& residuals) {
  Whiteness found;
  const Eigen::Index n = residuals.size();
  const double largest = n > 0 ? residuals.lpNorm<Eigen::Infinity>() : 0;
  if (n < 2 || largest == 0) return found;
  const Eigen::VectorXd scaled = residuals / largest;  // squares of tiny residuals underflow
  const double power = scaled.squaredNorm();
  const auto autocorrelation = [&](Eigen::Index lag) { return scaled.head(n - lag).dot(scaled.tail(n - lag)) / power; };
  found.autocorrelation = autocorrelation(1);
  const Eigen::Index lags = std::min(most_lags, n / 5);
  found.lags = static_cast<int>(lags);
  if (lags == 0) return found;
  const auto count = static_cast<double>(n);
  double sum = 0;
  for (Eigen::Index lag = 1; lag <= lags; ++lag) {
    const double correlation = autocorrelation(lag);
    sum += correlation * correlation / (count - static_cast<double>(lag));
  }
  found.statistic = count * (count + 2) * sum;
  found.p_value = chi_square_tail(found.statistic, static_cast<double>(lags));
  found.warning = warning_for(name, found);
  return found;
}

std::vector<Whiteness> whiteness(const std::vector<ResidualSeries>& series, const Eigen::VectorXd& residuals) {
  Eigen::Index total = 0;
  for (const ResidualSeries& one : series) {
    if (one.length < 0)
      throw Error("The series \"" + one.name + "\" has a negative length; give how many residuals it has.");
    total += one.length;
  }
  if (total != residuals.size())
    throw Error("The series have " + std::to_string(total) + " residuals together, but the fit has " +
                std::to_string(residuals.size()) + "; give the length of each series.");
  std::vector<Whiteness> found;
  Eigen::Index first = 0;
  for (const ResidualSeries& one : series) {
    found.push_back(whiteness(one.name, residuals.segment(first, one.length)));
    first += one.length;
  }
  return found;
}

}  // namespace perilune::optimize
