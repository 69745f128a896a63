// SPDX-License-Identifier: MIT
// Automatic-differentiation scalars for the element templates and the tapes.
//   Grad<N, V>: value and N first derivatives over V (nest for second derivatives);  Dual = Grad<1, double>
//   Taylor2<V>: value, first and second time derivative along a curve
#pragma once
#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <type_traits>

namespace perilune::expr {

inline double real_part(double x) { return x; }
inline double real_part(const std::complex<double>& x) { return x.real(); }

/// atan2 continued analytically, for complex-step differentiation.
inline std::complex<double> atan2(const std::complex<double>& y, const std::complex<double>& x) {
  const double angle = std::atan2(y.real(), x.real());
  const double square = x.real() * x.real() + y.real() * y.real();
  return {angle, (x.real() * y.imag() - y.real() * x.imag()) / square};
}

/// Powers of a number off the positive axis, continued analytically (std::pow goes through the argument, whose rounding
/// drowns the step).
inline std::complex<double> pow(const std::complex<double>& x, double e) {
  if (x.real() > 0) return std::pow(x, e);
  const double slope = e == 0 ? 0.0 : e * std::pow(x.real(), e - 1);
  return {std::pow(x.real(), e), slope == 0 ? 0.0 : slope * x.imag()};
}

template <int N, class V = double>
struct Grad {
  V v{};
  std::array<V, N> g{};

  Grad() = default;
  Grad(double value) : v(value) {}  // NOLINT: constants mix freely with differentiated scalars
  Grad(const V& value, const std::array<V, N>& gradient) : v(value), g(gradient) {}
  template <class U = V>
  requires(!std::is_same_v<U, double>) explicit Grad(const V& value) : v(value) {}

  /// The k-th independent variable.
  static Grad variable(const V& value, int k) {
    Grad x;
    x.v = value;
    x.g[static_cast<std::size_t>(k)] = V(1.0);
    return x;
  }

  Grad& operator+=(const Grad& o) { return *this = *this + o; }
  Grad& operator-=(const Grad& o) { return *this = *this - o; }
  Grad& operator*=(const Grad& o) { return *this = *this * o; }

  friend Grad operator+(const Grad& x, const Grad& y) {
    Grad r;
    r.v = x.v + y.v;
    for (std::size_t i = 0; i < N; ++i) r.g[i] = x.g[i] + y.g[i];
    return r;
  }
  friend Grad operator-(const Grad& x, const Grad& y) {
    Grad r;
    r.v = x.v - y.v;
    for (std::size_t i = 0; i < N; ++i) r.g[i] = x.g[i] - y.g[i];
    return r;
  }
  friend Grad operator*(const Grad& x, const Grad& y) {
    Grad r;
    r.v = x.v * y.v;
    for (std::size_t i = 0; i < N; ++i) r.g[i] = x.g[i] * y.v + x.v * y.g[i];
    return r;
  }
  friend Grad operator/(const Grad& x, const Grad& y) {
    Grad r;
    r.v = x.v / y.v;
    for (std::size_t i = 0; i < N; ++i) r.g[i] = (x.g[i] - r.v * y.g[i]) / y.v;
    return r;
  }
  friend Grad operator-(const Grad& x) { return x.chain(-x.v, V(-1.0)); }

  /// f(x) with the given value and slope.
  Grad chain(const V& value, const V& slope) const {
    Grad r;
    r.v = value;
    for (std::size_t i = 0; i < N; ++i) r.g[i] = slope * g[i];
    return r;
  }
};

using Dual = Grad<1, double>;

template <int N, class V>
double real_part(const Grad<N, V>& x) {
  return real_part(x.v);
}

template <class V>
struct Taylor2 {
  V f{}, d{}, dd{};  // value, first and second derivative

  Taylor2() = default;
  Taylor2(double value) : f(value) {}  // NOLINT: constants mix freely
  template <class U = V>
  requires(!std::is_same_v<U, double>) explicit Taylor2(const V& value) : f(value) {}
  Taylor2(const V& value, const V& rate, const V& second) : f(value), d(rate), dd(second) {}

  Taylor2& operator+=(const Taylor2& o) { return *this = *this + o; }
  Taylor2& operator-=(const Taylor2& o) { return *this = *this - o; }
  Taylor2& operator*=(const Taylor2& o) { return *this = *this * o; }

  friend Taylor2 operator+(const Taylor2& x, const Taylor2& y) { return {x.f + y.f, x.d + y.d, x.dd + y.dd}; }
  friend Taylor2 operator-(const Taylor2& x, const Taylor2& y) { return {x.f - y.f, x.d - y.d, x.dd - y.dd}; }
  friend Taylor2 operator-(const Taylor2& x) { return {-x.f, -x.d, -x.dd}; }
  friend Taylor2 operator*(const Taylor2& x, const Taylor2& y) {
    return {x.f * y.f, x.d * y.f + x.f * y.d, x.dd * y.f + V(2.0) * (x.d * y.d) + x.f * y.dd};
  }
  friend Taylor2 operator/(const Taylor2& x, const Taylor2& y) {
    const V ratio = x.f / y.f, rate = (x.d - ratio * y.d) / y.f;
    return {ratio, rate, (x.dd - V(2.0) * (rate * y.d) - ratio * y.dd) / y.f};
  }

  Taylor2 chain(const V& value, const V& slope, const V& curvature) const {
    return {value, slope * d, curvature * d * d + slope * dd};
  }
};

template <class V>
double real_part(const Taylor2<V>& x) {
  return real_part(x.f);
}

// Functions of one differentiated argument: value y, slope s and curvature at x, in one place for both scalar types.
// clang-format off
#define PERILUNE_UNARY(name, value, slope, curvature)                               \
  template <int N, class V>                                                         \
  Grad<N, V> name(const Grad<N, V>& arg) {                                          \
    using std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin;   \
    using std::acos, std::atan, std::sinh, std::cosh, std::tanh;                    \
    const V& x = arg.v;                                                             \
    [[maybe_unused]] const V y = value;                                             \
    return arg.chain(y, slope);                                                     \
  }                                                                                 \
  template <class V>                                                                \
  Taylor2<V> name(const Taylor2<V>& arg) {                                          \
    using std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin;   \
    using std::acos, std::atan, std::sinh, std::cosh, std::tanh;                    \
    const V& x = arg.f;                                                             \
    [[maybe_unused]] const V y = value;                                             \
    [[maybe_unused]] const V s = slope;                                             \
    return arg.chain(y, s, curvature);                                              \
  }
PERILUNE_UNARY(sqrt, sqrt(x), V(0.5) / y, V(-0.5) * s / x)
PERILUNE_UNARY(exp, exp(x), y, y)
PERILUNE_UNARY(log, log(x), V(1.0) / x, -(s * s))
PERILUNE_UNARY(sin, sin(x), cos(x), -y)
PERILUNE_UNARY(cos, cos(x), -sin(x), -y)
PERILUNE_UNARY(tan, tan(x), V(1.0) + y * y, V(2.0) * y * s)
PERILUNE_UNARY(asin, asin(x), V(1.0) / sqrt(V(1.0) - x * x), x * s * s * s)
PERILUNE_UNARY(acos, acos(x), V(-1.0) / sqrt(V(1.0) - x * x), x * s * s * s)
PERILUNE_UNARY(atan, atan(x), V(1.0) / (V(1.0) + x * x), V(-2.0) * x * s * s)
PERILUNE_UNARY(sinh, sinh(x), cosh(x), y)
PERILUNE_UNARY(cosh, cosh(x), sinh(x), y)
PERILUNE_UNARY(tanh, tanh(x), V(1.0) - y * y, V(-2.0) * y * s)
#undef PERILUNE_UNARY
// clang-format on

/// factor x^e, which is 0 for a factor of 0 even where the power is infinite.
template <class V>
V scaled_power(double factor, const V& x, double e) {
  using std::pow, expr::pow;
  return factor == 0 ? V(0.0) : V(factor) * pow(x, e);
}
template <int N, class V>
Grad<N, V> pow(const Grad<N, V>& x, double e) {
  using std::pow, expr::pow;
  return x.chain(pow(x.v, e), scaled_power(e, x.v, e - 1.0));
}
template <class V>
Taylor2<V> pow(const Taylor2<V>& x, double e) {
  using std::pow, expr::pow;
  return x.chain(pow(x.f, e), scaled_power(e, x.f, e - 1.0), scaled_power(e * (e - 1.0), x.f, e - 2.0));
}
template <int N, class V>
Grad<N, V> pow(const Grad<N, V>& x, const Grad<N, V>& e) {
  using std::pow, std::log;
  const V value = pow(x.v, e.v), in_base = e.v * pow(x.v, e.v - V(1.0));
  const V in_exponent = real_part(x.v) == 0 ? V(0.0) : value * log(x.v);
  Grad<N, V> r;
  r.v = value;
  for (std::size_t i = 0; i < N; ++i) r.g[i] = in_base * x.g[i] + in_exponent * e.g[i];
  return r;
}
template <int N, class V>
Grad<N, V> atan2(const Grad<N, V>& y, const Grad<N, V>& x) {
  using std::atan2, expr::atan2;
  const V square = x.v * x.v + y.v * y.v;
  Grad<N, V> r;
  r.v = atan2(y.v, x.v);
  for (std::size_t i = 0; i < N; ++i) r.g[i] = (x.v * y.g[i] - y.v * x.g[i]) / square;
  return r;
}
template <class V>
Taylor2<V> pow(const Taylor2<V>& x, const Taylor2<V>& e) {
  return exp(e * log(x));
}
template <class V>
Taylor2<V> atan2(const Taylor2<V>& y, const Taylor2<V>& x) {
  using std::atan2, expr::atan2;
  const V square = x.f * x.f + y.f * y.f, rate = (x.f * y.d - y.f * x.d) / square;
  return {atan2(y.f, x.f), rate, (x.f * y.dd - y.f * x.dd - V(2.0) * rate * (x.f * x.d + y.f * y.d)) / square};
}

}  // namespace perilune::expr
