// SPDX-License-Identifier: MIT
#include "optimize/fit/distributions.hpp"

#include <cmath>
#include <limits>

#include "error.hpp"

namespace perilune::optimize {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr double smallest = std::numeric_limits<double>::min() / rounding;
constexpr int most_terms = 1000000;  // the terms of the fractions grow with the root of their parameters

double away_from_zero(double value) { return std::abs(value) < smallest ? smallest : value; }

// The continued fraction of the incomplete beta function, NIST DLMF 8.17.22, by the method of Lentz; it converges fast
// for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  double numerator = 1, inverse = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = inverse;
  for (int k = 1; k < most_terms; ++k) {
    const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
    inverse = 1 / away_from_zero(1 + even * inverse);
    numerator = away_from_zero(1 + even / numerator);
    fraction *= inverse * numerator;
    const double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
    inverse = 1 / away_from_zero(1 + odd * inverse);
    numerator = away_from_zero(1 + odd / numerator);
    fraction *= inverse * numerator;
    if (std::abs(inverse * numerator - 1) <= 2 * rounding) return fraction;
  }
  throw NumericalError("Student's t distribution did not converge; ask for fewer degrees of freedom.");
}

}  // namespace

double student_t_tail(double t, double degrees_of_freedom) {
  if (!(degrees_of_freedom > 0)) throw Error("Student's t needs a positive number of degrees of freedom.");
  t = std::abs(t);
  if (t == 0) return 1;
  if (std::isinf(t)) return 0;
  if (degrees_of_freedom > 1e4) {
    // The sums below cancel there, but the normal quantile z with the same tail is close: G. W. Hill, Algorithm 395,
    // Communications of the ACM 13 (1970); the terms left out are below rounding.
    const double shifted = degrees_of_freedom - 0.5, squared = shifted * std::log1p(t * t / degrees_of_freedom);
    return std::erfc(std::sqrt(0.5 * squared) * (1 + (squared + 3) / (48 * shifted * shifted)));
  }
  // The tail is the incomplete beta function of x = dof / (dof + t^2) with a = dof / 2 and b = 1/2.
  const double a = 0.5 * degrees_of_freedom, b = 0.5, square = t * t;
  const double x = degrees_of_freedom / (degrees_of_freedom + square), rest = square / (degrees_of_freedom + square);
  constexpr double log_root_pi = 0.572364942924700087;  // log Gamma(1/2)
  const double log_x = -std::log1p(square / degrees_of_freedom);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - log_root_pi + a * log_x + b * std::log(rest));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(rest, b, a) / b;
}

double student_t_half_width(double confidence, double degrees_of_freedom) {
  if (!(confidence > 0 && confidence < 1)) throw Error("A confidence must lie between 0 and 1, as 0.95 does.");
  const double tail = 1 - confidence;
  double low = 0, high = 1;
  while (student_t_tail(high, degrees_of_freedom) > tail) {
    low = high;
    high *= 2;
    if (std::isinf(high)) return high;
  }
  // Bisection down to neighbouring numbers: some sixty evaluations that cannot go astray.
  while (true) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return high;
    (student_t_tail(middle, degrees_of_freedom) > tail ? low : high) = middle;
  }
}

double chi_square_tail(double x, double degrees_of_freedom) {
  if (!(degrees_of_freedom > 0))
    throw Error("The chi-square distribution needs a positive number of degrees of freedom.");
  if (!(x > 0)) return 1;
  if (std::isinf(x)) return 0;
  const double a = 0.5 * degrees_of_freedom, y = 0.5 * x;
  const double front = std::exp(a * std::log(y) - y - std::lgamma(a));
  if (y < a + 1) {  // the series of the lower incomplete gamma function, NIST DLMF 8.7.1
    double term = 1 / a, sum = term;
    for (int k = 1; k < most_terms && term > rounding * sum; ++k) {
      term *= y / (a + k);
      sum += term;
    }
    return 1 - front * sum;
  }
  // The continued fraction of the upper one, NIST DLMF 8.9.2.
  double below = y + 1 - a, numerator = 1 / smallest, inverse = 1 / away_from_zero(below), fraction = inverse;
  for (int k = 1; k < most_terms; ++k) {
    const double coefficient = -k * (k - a);
    below += 2;
    inverse = 1 / away_from_zero(below + coefficient * inverse);
    numerator = away_from_zero(below + coefficient / numerator);
    fraction *= inverse * numerator;
    if (std::abs(inverse * numerator - 1) <= 2 * rounding) return front * fraction;
  }
  throw NumericalError("The chi-square distribution did not converge; ask for fewer degrees of freedom.");
}

}  // namespace perilune::optimize
