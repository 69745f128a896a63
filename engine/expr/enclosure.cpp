// SPDX-License-Identifier: MIT
#include "expr/enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "expr/piecewise.hpp"
#include "expr/piecewise_surface.hpp"

namespace perilune::expr {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Interval valid(double low, double high) {
  return low <= high ? Interval{low, high} : Interval::everything();  // neither with NaN
}

double product(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }

template <class F>
Interval rising(const Interval& x, F&& f) {
  return valid(f(x.low), f(x.high));
}
template <class F>
Interval falling(const Interval& x, F&& f) {
  return valid(f(x.high), f(x.low));
}

/// Cosine of x: extreme values lie at multiples of pi.
Interval cosine(const Interval& x) {
  constexpr double pi = std::numbers::pi;
  constexpr double huge = 1e7;  // up to there rounding leaves nine digits of where in its period a number is
  if (!(x.high - x.low < 2 * pi) || std::abs(x.low) > huge || std::abs(x.high) > huge) return {-1, 1};
  double low = std::min(std::cos(x.low), std::cos(x.high)), high = std::max(std::cos(x.low), std::cos(x.high));
  for (double k = std::ceil(x.low / pi); k * pi <= x.high; ++k) {
    if (std::fmod(std::abs(k), 2) == 0) {
      high = 1;
    } else {
      low = -1;
    }
  }
  return valid(low, high);
}

Interval square(const Interval& x) {
  const double a = x.low * x.low, b = x.high * x.high;
  return valid(x.contains(0) ? 0 : std::min(a, b), std::max(a, b));
}

Interval power(const Interval& x, double e) {
  if (e == 0) return {1, 1};
  const bool is_whole = e == std::floor(e) && std::abs(e) < 1e9;
  if (is_whole && e < 0) return Interval{1, 1} / power(x, -e);
  if (is_whole) {
    const double a = std::pow(x.low, e), b = std::pow(x.high, e);
    if (std::fmod(e, 2) != 0) return valid(a, b);
    return valid(x.contains(0) ? 0 : std::min(a, b), std::max(a, b));
  }
  if (x.low < 0) return Interval::everything();
  const double a = std::pow(x.low, e), b = std::pow(x.high, e);
  return valid(std::min(a, b), std::max(a, b));
}

Interval tangent(const Interval& x) {
  constexpr double pi = std::numbers::pi;
  constexpr double huge = 1e7;
  if (!(std::abs(x.low) < huge && std::floor(x.low / pi - 0.5) == std::floor(x.high / pi - 0.5))) {
    return Interval::everything();
  }
  return rising(x, [](double u) { return std::tan(u); });
}

/// Of polynomials in Horner's form, by pieces: value and slope.
template <class Piece>
Enclosure over_pieces(const Interval& x, const std::vector<double>& knots, Piece&& piece) {
  constexpr std::size_t most = 64;
  const auto at = [&](double u) {
    return static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), u) - knots.begin());
  };
  const std::size_t first = at(x.low), last = at(x.high);
  if (!std::isfinite(x.low + x.high) || last - first > most) return {Interval::everything(), Interval::everything()};
  Enclosure sum;
  for (std::size_t k = first; k <= last; ++k) {
    const Interval part{k == first ? x.low : knots[k - 1], k == last ? x.high : knots[k]};
    const Enclosure e = piece(part);
    sum = k == first ? e : Enclosure(hull(sum.value, e.value), hull(sum.slope, e.slope));
  }
  return sum;
}

/// Value and slope, by the argument, of a polynomial with these coefficients.
Enclosure polynomial(const double* c, std::size_t degree, const Interval& u) {
  Interval value{c[degree], c[degree]}, slope;
  for (std::size_t i = degree; i-- > 0;) {
    slope = slope * u + value;
    value = value * u + Interval{c[i], c[i]};
  }
  return {value, slope};
}

Enclosure table(const PiecewisePolynomial& curve, const Enclosure& x) {
  const Enclosure found = over_pieces(x.value, curve.knots(), [&](const Interval& part) {
    const std::size_t k = curve.piece(0.5 * (part.low + part.high));
    const double from = curve.origin(k);
    return polynomial(curve.coefficients(k), curve.degree(), part - Interval{from, from});
  });
  return {found.value, found.slope * x.slope};
}

/// The surface as a function of time, cell by cell.
Enclosure surface(const PiecewiseSurface& heights, const Enclosure& x, const Enclosure& y) {
  return over_pieces(x.value, heights.x_knots(), [&](const Interval& part_x) {
    return over_pieces(y.value, heights.y_knots(), [&](const Interval& part_y) {
      return heights.in_cell(0.5 * (part_x.low + part_x.high), 0.5 * (part_y.low + part_y.high),
                             Enclosure(part_x, x.slope), Enclosure(part_y, y.slope));
    });
  });
}

/// f(x) with the given values and slopes by x.
Enclosure chain(const Enclosure& x, const Interval& value, const Interval& slope) { return {value, slope * x.slope}; }

/// One of the two, or either.
Enclosure chosen(bool may_be_first, bool may_be_second, const Enclosure& x, const Enclosure& y, bool jumps) {
  if (!may_be_second) return x;
  if (!may_be_first) return y;
  return {hull(x.value, y.value), jumps ? Interval::everything() : hull(x.slope, y.slope)};
}

Enclosure condition(bool may_hold, bool may_fail) {
  if (may_hold && may_fail) return {Interval{0, 1}, Interval::everything()};
  return may_hold ? 1.0 : 0.0;
}

Enclosure quotient(double numerator, const Interval& denominator, const Enclosure& x, const Interval& value) {
  return chain(x, value, Interval{numerator, numerator} / denominator);
}

constexpr Interval one{1, 1};

}  // namespace

Interval Interval::everything() { return {-infinity, infinity}; }

Interval operator+(const Interval& x, const Interval& y) { return valid(x.low + y.low, x.high + y.high); }
Interval operator-(const Interval& x, const Interval& y) { return valid(x.low - y.high, x.high - y.low); }
Interval operator*(const Interval& x, const Interval& y) {
  if (&x == &y) return square(x);
  const double a = product(x.low, y.low), b = product(x.low, y.high), c = product(x.high, y.low),
               d = product(x.high, y.high);
  return valid(std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d)));
}
Interval operator/(const Interval& x, const Interval& y) {
  if (y.contains(0) || !(y.low <= y.high)) return x.is_exactly(0) ? Interval{} : Interval::everything();
  return x * Interval{1 / y.high, 1 / y.low};
}
Interval hull(const Interval& x, const Interval& y) { return valid(std::min(x.low, y.low), std::max(x.high, y.high)); }

Enclosure operator+(const Enclosure& x, const Enclosure& y) { return {x.value + y.value, x.slope + y.slope}; }
Enclosure operator-(const Enclosure& x, const Enclosure& y) {
  if (&x == &y) return 0.0;
  return {x.value - y.value, x.slope - y.slope};
}
Enclosure operator-(const Enclosure& x) { return {Interval{} - x.value, Interval{} - x.slope}; }
Enclosure operator*(const Enclosure& x, const Enclosure& y) {
  if (&x == &y) return chain(x, square(x.value), Interval{2, 2} * x.value);
  return {x.value * y.value, x.slope * y.value + x.value * y.slope};
}
Enclosure operator/(const Enclosure& x, const Enclosure& y) {
  if (&x == &y) return 1.0;
  const Interval value = x.value / y.value;
  return {value, (x.slope - value * y.slope) / y.value};
}

Enclosure apply(Op op, const Enclosure& a, const Enclosure& b, const Enclosure& c, double value, const Tables* tables) {
  const Interval& x = a.value;
  switch (op) {
    case Op::Neg:
      return -a;
    case Op::Abs:
      if (x.low >= 0) return a;
      if (x.high <= 0) return -a;
      return {valid(0, std::max(-x.low, x.high)), hull(a.slope, (-a).slope)};
    case Op::Sign:
      if (x.low > 0) return 1.0;
      if (x.high < 0) return -1.0;
      return x.is_exactly(0) ? Enclosure(0.0) : Enclosure(Interval{-1, 1}, Interval::everything());
    case Op::Sqrt: {
      const Interval root = rising(x, [](double u) { return std::sqrt(std::max(u, 0.0)); });
      return quotient(0.5, root, a, root);
    }
    case Op::Exp: {
      const Interval y = rising(x, [](double u) { return std::exp(u); });
      return chain(a, y, y);
    }
    case Op::Log:
      return x.low > 0 ? quotient(1, x, a, rising(x, [](double u) { return std::log(u); }))
                       : Enclosure(Interval::everything(), Interval::everything());
    case Op::Sin:
      return chain(a, cosine(x - Interval{std::numbers::pi / 2, std::numbers::pi / 2}), cosine(x));
    case Op::Cos:
      return chain(a, cosine(x), cosine(x + Interval{std::numbers::pi / 2, std::numbers::pi / 2}));
    case Op::Tan: {
      const Interval y = tangent(x);
      return std::isfinite(y.high - y.low) ? chain(a, y, one + square(y)) : Enclosure(y, y);
    }
    case Op::Asin:
    case Op::Acos: {
      const Interval inside{std::clamp(x.low, -1.0, 1.0), std::clamp(x.high, -1.0, 1.0)};
      const Interval rest = one - square(inside), root = rising(rest, [](double u) { return std::sqrt(u); });
      if (op == Op::Asin) return quotient(1, root, a, rising(inside, [](double u) { return std::asin(u); }));
      return quotient(-1, root, a, falling(inside, [](double u) { return std::acos(u); }));
    }
    case Op::Atan:
      return quotient(1, one + square(x), a, rising(x, [](double u) { return std::atan(u); }));
    case Op::Sinh:
    case Op::Cosh: {
      const Interval odd = rising(x, [](double u) { return std::sinh(u); });
      const Interval even = valid(x.contains(0) ? 1 : std::min(std::cosh(x.low), std::cosh(x.high)),
                                  std::max(std::cosh(x.low), std::cosh(x.high)));
      return op == Op::Sinh ? chain(a, odd, even) : chain(a, even, odd);
    }
    case Op::Tanh: {
      const Interval y = rising(x, [](double u) { return std::tanh(u); });
      return chain(a, y, one - square(y));
    }
    case Op::PowConstant:
      return chain(a, power(x, value), Interval{value, value} * power(x, value - 1));
    case Op::Table:
      return table(*tables->curves[static_cast<std::size_t>(value)], a);
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Div:
      return a / b;
    case Op::Pow: {
      if (b.value.is_exactly(b.value.low) && b.slope.is_exactly(0)) {
        const double e = b.value.low;
        return chain(a, power(x, e), Interval{e, e} * power(x, e - 1));
      }
      const Enclosure logarithm = apply(Op::Log, a, a, a, 0, tables);
      const Enclosure exponent = b * logarithm;
      return apply(Op::Exp, exponent, exponent, exponent, 0, tables);
    }
    case Op::Atan2: {
      // With y / x where x keeps its sign, x / y where y does; else any angle.
      const Interval& y = b.value;
      const Interval square_sum = square(x) + square(y);
      const Interval slope = (y * a.slope - x * b.slope) / square_sum;
      if (y.low > 0 || x.low > 0 || x.high < 0) {
        const double angles[] = {std::atan2(x.low, y.low), std::atan2(x.low, y.high), std::atan2(x.high, y.low),
                                 std::atan2(x.high, y.high)};
        return {valid(*std::min_element(angles, angles + 4), *std::max_element(angles, angles + 4)), slope};
      }
      return {{-std::numbers::pi, std::numbers::pi}, Interval::everything()};
    }
    case Op::Min: {
      Enclosure out = chosen(x.low <= b.value.high, b.value.low < x.high, a, b, false);
      out.value.high = std::min(x.high, b.value.high);
      return out;
    }
    case Op::Max: {
      Enclosure out = chosen(x.high >= b.value.low, b.value.high > x.low, a, b, false);
      out.value.low = std::max(x.low, b.value.low);
      return out;
    }
    case Op::Less:
      return condition(x.low < b.value.high, x.high >= b.value.low);
    case Op::LessEqual:
      return condition(x.low <= b.value.high, x.high > b.value.low);
    case Op::Surface:
      return surface(*tables->surfaces[static_cast<std::size_t>(value)], a, b);
    case Op::Where:
      return chosen(!x.is_exactly(0), x.contains(0), b, c, true);
    case Op::Constant:
    case Op::Variable:
      break;
  }
  return 0.0;
}

}  // namespace perilune::expr
