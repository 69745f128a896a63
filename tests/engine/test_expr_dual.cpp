// SPDX-License-Identifier: MIT
// Automatic-differentiation scalars: Grad (also nested), Taylor2 and complex continuation against closed formulas.
#include <catch2/catch.hpp>
#include <functional>

#include "expr/dual.hpp"

using namespace perilune::expr;

namespace {

using Second = Grad<1, Dual>;  // value, first and second derivative in one variable
using Complex = std::complex<double>;

/// A function of one variable for every scalar type, with its first three derivatives.
struct Function {
  const char* name;
  std::function<Dual(Dual)> dual;
  std::function<Second(Second)> second;
  std::function<Taylor2<double>(Taylor2<double>)> taylor;
  std::function<Taylor2<Dual>(Taylor2<Dual>)> taylor_dual;
  std::function<Complex(Complex)> complex;
  std::function<std::array<double, 4>(double)> exact;  // f, f', f'', f'''
  std::vector<double> at;
};

#define ANY_SCALAR(expression)                                            \
  [](Dual x) { return expression; }, [](Second x) { return expression; }, \
      [](Taylor2<double> x) -> Taylor2<double> { return expression; },    \
      [](Taylor2<Dual> x) -> Taylor2<Dual> { return expression; }, [](Complex x) -> Complex { return expression; }

std::vector<Function> functions() {
  using A = std::array<double, 4>;
  const std::vector<double> all{-1.9, -0.4, 0.3, 1.2}, small{-0.8, -0.1, 0.6}, positive{0.2, 1.0, 3.5};
  return {
      {"sqrt", ANY_SCALAR(sqrt(x)),
       [](double x) {
         const double r = std::sqrt(x);
         return A{r, 1 / (2 * r), -1 / (4 * r * x), 3 / (8 * r * x * x)};
       },
       positive},
      {"exp", ANY_SCALAR(exp(x)),
       [](double x) {
         return A{std::exp(x), std::exp(x), std::exp(x), std::exp(x)};
       },
       all},
      {"log", ANY_SCALAR(log(x)),
       [](double x) {
         return A{std::log(x), 1 / x, -1 / (x * x), 2 / (x * x * x)};
       },
       positive},
      {"sin", ANY_SCALAR(sin(x)),
       [](double x) {
         return A{std::sin(x), std::cos(x), -std::sin(x), -std::cos(x)};
       },
       all},
      {"cos", ANY_SCALAR(cos(x)),
       [](double x) {
         return A{std::cos(x), -std::sin(x), -std::cos(x), std::sin(x)};
       },
       all},
      {"tan", ANY_SCALAR(tan(x)),
       [](double x) {
         const double s = std::sin(x), c = std::cos(x), c2 = c * c;
         return A{std::tan(x), 1 / c2, 2 * s / (c2 * c), (2 * c2 + 6 * s * s) / (c2 * c2)};
       },
       all},
      {"asin", ANY_SCALAR(asin(x)),
       [](double x) {
         const double w = 1 - x * x;
         return A{std::asin(x), 1 / std::sqrt(w), x / std::pow(w, 1.5), (1 + 2 * x * x) / std::pow(w, 2.5)};
       },
       small},
      {"acos", ANY_SCALAR(acos(x)),
       [](double x) {
         const double w = 1 - x * x;
         return A{std::acos(x), -1 / std::sqrt(w), -x / std::pow(w, 1.5), -(1 + 2 * x * x) / std::pow(w, 2.5)};
       },
       small},
      {"atan", ANY_SCALAR(atan(x)),
       [](double x) {
         const double w = 1 + x * x;
         return A{std::atan(x), 1 / w, -2 * x / (w * w), (6 * x * x - 2) / (w * w * w)};
       },
       all},
      {"sinh", ANY_SCALAR(sinh(x)),
       [](double x) {
         return A{std::sinh(x), std::cosh(x), std::sinh(x), std::cosh(x)};
       },
       all},
      {"cosh", ANY_SCALAR(cosh(x)),
       [](double x) {
         return A{std::cosh(x), std::sinh(x), std::cosh(x), std::sinh(x)};
       },
       all},
      {"tanh", ANY_SCALAR(tanh(x)),
       [](double x) {
         const double t = std::tanh(x), s = 1 / (std::cosh(x) * std::cosh(x));
         return A{t, s, -2 * t * s, -2 * s * s + 4 * t * t * s};
       },
       all},
      {"x^2.5", ANY_SCALAR(pow(x, 2.5)),
       [](double x) {
         return A{std::pow(x, 2.5), 2.5 * std::pow(x, 1.5), 3.75 * std::sqrt(x), 1.875 / std::sqrt(x)};
       },
       positive},
      {"x^3", ANY_SCALAR(pow(x, 3.0)),
       [](double x) {
         return A{x * x * x, 3 * x * x, 6 * x, 6};
       },
       all},
      {"x^-1", ANY_SCALAR(pow(x, -1.0)),
       [](double x) {
         return A{1 / x, -1 / (x * x), 2 / (x * x * x), -6 / (x * x * x * x)};
       },
       all},
      {"3 / x - x x + 2", ANY_SCALAR(3.0 / x - x * x + 2.0),
       [](double x) {
         return A{3 / x - x * x + 2, -3 / (x * x) - 2 * x, 6 / (x * x * x) - 2, -18 / (x * x * x * x)};
       },
       all},
      {"-x / (1 + x x)", ANY_SCALAR(-x / (1.0 + x * x)),
       [](double x) {
         const double w = 1 + x * x;
         return A{-x / w, (x * x - 1) / (w * w), (6 * x - 2 * x * x * x) / (w * w * w),
                  (6 - 36 * x * x + 6 * x * x * x * x) / (w * w * w * w)};
       },
       all},
      {"exp(sin(x)) as a composition", ANY_SCALAR(exp(sin(x))),
       [](double x) {
         const double s = std::sin(x), c = std::cos(x), e = std::exp(s);
         return A{e, c * e, (c * c - s) * e, (c * c * c - 3 * s * c - c) * e};
       },
       all},
  };
}

}  // namespace

TEST_CASE("differentiated scalars: functions of one variable") {
  for (const Function& f : functions()) {
    for (double x : f.at) {
      INFO(f.name << " at " << x);
      const auto [value, first, second, third] = f.exact(x);
      auto near = [](double y) { return Approx(y).epsilon(2e-14).margin(2e-14); };
      const Dual d = f.dual(Dual::variable(x, 0));
      CHECK(d.v == near(value));
      CHECK(d.g[0] == near(first));
      CHECK(f.complex(Complex(x, 1e-150)).real() == near(value));
      CHECK(f.complex(Complex(x, 1e-150)).imag() / 1e-150 == near(first));
      const Second n = f.second(Second(Dual::variable(x, 0), {Dual(1.0)}));
      CHECK(n.v.v == near(value));
      CHECK(n.v.g[0] == near(first));
      CHECK(n.g[0].v == near(first));
      CHECK(n.g[0].g[0] == near(second));
      // Along x(s) with x' = 0.7, x'' = -0.3.
      const Taylor2<double> t = f.taylor({x, 0.7, -0.3});
      CHECK(t.f == near(value));
      CHECK(t.d == near(0.7 * first));
      CHECK(t.dd == near(0.49 * second - 0.3 * first));
      const Taylor2<Dual> p = f.taylor_dual({Dual::variable(x, 0), Dual(0.7), Dual(-0.3)});
      CHECK(p.f.g[0] == near(first));
      CHECK(p.d.g[0] == near(0.7 * second));
      CHECK(p.dd.g[0] == near(0.49 * third - 0.3 * second));
      CHECK(p.dd.v == near(t.dd));
    }
  }
}

TEST_CASE("differentiated scalars: several variables, nested") {
  using G = Grad<2, double>;
  using H = Grad<2, G>;
  const double a = 0.8, b = -1.3;
  auto seed = [](double value, int k) {
    return H(G::variable(value, k), {G(k == 0 ? 1.0 : 0.0), G(k == 1 ? 1.0 : 0.0)});
  };
  const H x = seed(a, 0), y = seed(b, 1);
  auto check = [](const H& f, double value, std::array<double, 2> g, std::array<double, 3> h) {
    auto near = [](double expected) { return Approx(expected).epsilon(1e-14).margin(1e-15); };
    CHECK(f.v.v == near(value));
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(f.v.g[i] == near(g[i]));
      CHECK(f.g[i].v == near(g[i]));
      for (std::size_t j = 0; j < 2; ++j) CHECK(f.g[i].g[j] == near(h[i + j]));
    }
  };
  check(x + y, a + b, {1, 1}, {0, 0, 0});
  check(x - y, a - b, {1, -1}, {0, 0, 0});
  check(x * y, a * b, {b, a}, {0, 1, 0});
  check(x / y, a / b, {1 / b, -a / (b * b)}, {0, -1 / (b * b), 2 * a / (b * b * b)});
  const double q = a * a + b * b;
  check(atan2(x, y), std::atan2(a, b), {b / q, -a / q},
        {-2 * a * b / (q * q), (a * a - b * b) / (q * q), 2 * a * b / (q * q)});
  const double p = std::pow(a, b), l = std::log(a);
  check(pow(x, y), p, {b * p / a, p * l}, {b * (b - 1) * p / (a * a), p / a * (1 + b * l), p * l * l});
  H z = x;
  z += y;
  z *= x;
  z -= 2.0;
  check(z, a * a + a * b - 2, {2 * a + b, a}, {2, 1, 0});
  check(2.0 * x - 1.0 / y, 2 * a - 1 / b, {2, 1 / (b * b)}, {0, 0, -2 / (b * b * b)});
}

TEST_CASE("Taylor scalars: products and quotients along a curve") {
  // f = s^2, g = 1 + s at s = 0.5: (fg)'' = 2 + 6s, and s^2 / (1 + s) by polynomial division: s - 1 + 1 / (1 + s).
  const double s = 0.5;
  const Taylor2<double> f(s * s, 2 * s, 2), g(1 + s, 1, 0);
  const Taylor2<double> product = f * g, quotient = f / g;
  CHECK(product.f == Approx(0.375));
  CHECK(product.d == Approx(2 * s + 3 * s * s));
  CHECK(product.dd == Approx(2 + 6 * s));
  CHECK(quotient.f == Approx(s - 1 + 1 / (1 + s)));
  CHECK(quotient.d == Approx(1 - 1 / ((1 + s) * (1 + s))));
  CHECK(quotient.dd == Approx(2 / std::pow(1 + s, 3)));
  const Taylor2<double> same = f - f;
  CHECK(same.f == 0);
  CHECK(same.dd == 0);
}

TEST_CASE("powers at zero are differentiable as often as the exponent says") {
  using Third = Grad<1, Second>;
  auto third = [](double e) { return pow(Third(Second(Dual::variable(0, 0), {Dual(1.0)}), {Second(1.0)}), e); };
  CHECK(third(1).v.v.g[0] == 1);
  CHECK(third(1).v.g[0].g[0] == 0);
  CHECK(third(1).g[0].g[0].g[0] == 0);
  CHECK(third(2).v.g[0].g[0] == 2);
  CHECK(third(2).g[0].g[0].g[0] == 0);
  CHECK(third(3).v.g[0].g[0] == 0);
  CHECK(third(3).g[0].g[0].g[0] == 6);
  CHECK(third(0).v.v.v == 1);
  CHECK(third(0).v.g[0].g[0] == 0);
  for (double e : {0.0, 1.0}) {
    const Taylor2<double> t = pow(Taylor2<double>(0, 1, 0), e);
    CHECK(t.d == e);
    CHECK(t.dd == 0);
  }
}

TEST_CASE("the complex arctangent of two numbers continues the real one") {
  for (double y : {-1.2, 0.4}) {
    for (double x : {-0.7, 1.5}) {
      const double square = x * x + y * y;
      CHECK(perilune::expr::atan2(Complex(y, 1e-150), Complex(x)).imag() / 1e-150 == Approx(x / square).epsilon(1e-14));
      CHECK(perilune::expr::atan2(Complex(y), Complex(x, 1e-150)).imag() / 1e-150 ==
            Approx(-y / square).epsilon(1e-14));
      CHECK(perilune::expr::atan2(Complex(y, 1e-150), Complex(x)).real() == std::atan2(y, x));
    }
  }
}
