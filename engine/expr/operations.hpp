// SPDX-License-Identifier: MIT
// One operation of the graph: its value and its partial derivatives, for any scalar type.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>

#include "expr/dual.hpp"
#include "expr/graph.hpp"
#include "expr/piecewise.hpp"
#include "expr/piecewise_surface.hpp"

namespace perilune::expr {

/// Value of `op` applied to a, b, c; `value` is the exponent of PowConstant, and the number of a Table or a Surface
/// among `tables`.
template <class T>
T apply(Op op, const T& a, const T& b, const T& c, double value, const Tables* tables = nullptr) {
  using std::abs, std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan;
  using std::sinh, std::cosh, std::tanh, std::pow, std::atan2, expr::atan2, expr::pow;
  switch (op) {
    case Op::Neg:
      return -a;
    case Op::Abs:
      return real_part(a) < 0 ? -a : a;
    case Op::Sign:
      return T(real_part(a) > 0 ? 1.0 : real_part(a) < 0 ? -1.0 : 0.0);
    case Op::Sqrt:
      return sqrt(a);
    case Op::Exp:
      return exp(a);
    case Op::Log:
      return log(a);
    case Op::Sin:
      return sin(a);
    case Op::Cos:
      return cos(a);
    case Op::Tan:
      return tan(a);
    case Op::Asin:
      return asin(a);
    case Op::Acos:
      return acos(a);
    case Op::Atan:
      return atan(a);
    case Op::Sinh:
      return sinh(a);
    case Op::Cosh:
      return cosh(a);
    case Op::Tanh:
      return tanh(a);
    case Op::PowConstant:
      return pow(a, value);
    case Op::Table:
      return (*tables->curves[static_cast<std::size_t>(value)])(a);
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Div:
      return a / b;
    case Op::Pow:
      return pow(a, b);
    case Op::Atan2:
      return atan2(a, b);
    case Op::Min:
      return real_part(b) < real_part(a) ? b : a;
    case Op::Max:
      return real_part(b) > real_part(a) ? b : a;
    case Op::Less:
      return T(real_part(a) < real_part(b) ? 1.0 : 0.0);
    case Op::LessEqual:
      return T(real_part(a) <= real_part(b) ? 1.0 : 0.0);
    case Op::Surface:
      return (*tables->surfaces[static_cast<std::size_t>(value)])(a, b);
    case Op::Where:
      return real_part(a) != 0 ? b : c;
    case Op::Constant:
    case Op::Variable:
      break;
  }
  return T(0.0);
}

inline bool is_zero(double x) { return x == 0; }
inline bool is_zero(const std::complex<double>& x) { return x == 0.0; }
template <int N, class V>
bool is_zero(const Grad<N, V>& x) {
  return is_zero(x.v) && std::all_of(x.g.begin(), x.g.end(), [](const V& slope) { return is_zero(slope); });
}

template <class V>
bool is_zero(const Taylor2<V>& x) {
  return is_zero(x.f) && is_zero(x.d) && is_zero(x.dd);
}

template <class T>
struct Partials {
  T a = T(0.0), b = T(0.0), c = T(0.0);
};

/// Partial derivatives of `op` at (a, b, c), whose value is `value`; `exponent` and `tables` as in apply.
template <class T>
Partials<T> partials(Op op, const T& a, const T& b, const T& value, double exponent, const Tables* tables = nullptr) {
  using std::sqrt, std::sin, std::cos, std::sinh, std::cosh, std::log, std::pow, expr::pow;
  const T one(1.0);
  switch (op) {
    case Op::Neg:
      return {-one};
    case Op::Abs:
      return {T(real_part(a) > 0 ? 1.0 : real_part(a) < 0 ? -1.0 : 0.0)};
    case Op::Sqrt:
      return {0.5 / value};
    case Op::Exp:
      return {value};
    case Op::Log:
      return {one / a};
    case Op::Sin:
      return {cos(a)};
    case Op::Cos:
      return {-sin(a)};
    case Op::Tan:
      return {one + value * value};
    case Op::Asin:
      return {one / sqrt(one - a * a)};
    case Op::Acos:
      return {-one / sqrt(one - a * a)};
    case Op::Atan:
      return {one / (one + a * a)};
    case Op::Sinh:
      return {cosh(a)};
    case Op::Cosh:
      return {sinh(a)};
    case Op::Tanh:
      return {one - value * value};
    case Op::PowConstant:
      return {exponent * pow(a, exponent - 1.0)};
    case Op::Table:
      return {tables->curves[static_cast<std::size_t>(exponent)]->slope(a)};
    case Op::Add:
      return {one, one};
    case Op::Sub:
      return {one, -one};
    case Op::Mul:
      return {b, a};
    case Op::Div:
      return {one / b, -value / b};
    case Op::Pow:
      return {b * pow(a, b - one), real_part(a) == 0 ? T(0.0) : value * log(a)};
    case Op::Atan2: {
      const T square = a * a + b * b;
      return {b / square, -a / square};
    }
    case Op::Min:
      return real_part(b) < real_part(a) ? Partials<T>{T(0.0), one} : Partials<T>{one};
    case Op::Max:
      return real_part(b) > real_part(a) ? Partials<T>{T(0.0), one} : Partials<T>{one};
    case Op::Surface: {
      const PiecewiseSurface& surface = *tables->surfaces[static_cast<std::size_t>(exponent)];
      return {surface.slope_x(a, b), surface.slope_y(a, b)};
    }
    case Op::Where:
      return real_part(a) != 0 ? Partials<T>{T(0.0), one} : Partials<T>{T(0.0), T(0.0), one};
    default:
      return {};
  }
}

}  // namespace perilune::expr
