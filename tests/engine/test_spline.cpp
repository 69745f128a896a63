// SPDX-License-Identifier: MIT
// Tabulated functions: the spline itself, its derivatives for every scalar type, and as a node of a tape.
#include <catch2/catch.hpp>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "expr/spline.hpp"
#include "expr_check.hpp"

using namespace perilune;
using Catch::Matchers::Contains;
using expr::cubic_spline;
using expr::PiecewisePolynomial;
using expr::Spline;
using expr::Symbol;
using expr_check::Compiled;

namespace {

const std::vector<double> xs{-1.0, -0.2, 0.3, 1.1, 2.0}, ys{0.4, -0.7, 0.9, 0.1, 1.5};

double cubic(double x) { return 1 + x * (-2 + x * (0.5 + 0.75 * x)); }
double cubic_slope(double x) { return -2 + x * (1 + 2.25 * x); }

}  // namespace

TEST_CASE("spline: a clamped one reproduces a cubic, a natural one has its textbook value") {
  std::vector<double> values;
  for (double x : xs) values.push_back(cubic(x));
  const double first = cubic_slope(xs.front()), last = cubic_slope(xs.back());
  const PiecewisePolynomial s = cubic_spline(xs, values, &first, &last);
  for (double x = -1; x <= 2; x += 0.07) {
    CHECK(s(x) == Approx(cubic(x)).epsilon(1e-13).margin(1e-14));
    CHECK(s.slope(x) == Approx(cubic_slope(x)).epsilon(1e-12).margin(1e-13));
  }
  // Through (0, 0), (1, 1), (2, 0) by hand: M_1 = -3 from 4 M_1 = -12, so s = (3 x - x^3) / 2 below 1.
  const PiecewisePolynomial hat = cubic_spline({0, 1, 2}, {0, 1, 0}, nullptr, nullptr);
  CHECK(hat(0.5) == Approx(0.6875).epsilon(1e-15));
  CHECK(hat.slope(0.5) == Approx(1.125).epsilon(1e-15));
  CHECK(hat(-1.0) == Approx(-1.5).epsilon(1e-15));  // linear beyond the ends
  CHECK(hat(4.0) == Approx(-3.0).epsilon(1e-15));
  CHECK(cubic_spline({0, 2}, {1, 5}, nullptr, nullptr)(1.5) == Approx(4).epsilon(1e-15));
}

TEST_CASE("spline: value, slope and curvature are continuous; natural ends are straight") {
  const PiecewisePolynomial s = cubic_spline(xs, ys, nullptr, nullptr), d = s.derivative(), dd = d.derivative();
  for (std::size_t i = 0; i < xs.size(); ++i) {
    CHECK(s(xs[i]) == Approx(ys[i]).epsilon(1e-15));
    const double before = std::nextafter(xs[i], -10.0);
    CHECK(s(before) == Approx(s(xs[i])).epsilon(1e-13));
    CHECK(d(before) == Approx(d(xs[i])).epsilon(1e-13));
    CHECK(dd(before) == Approx(dd(xs[i])).epsilon(1e-12).margin(1e-12));
  }
  for (double x : {-5.0, -1.0, 2.0, 7.0}) CHECK(std::abs(dd(x)) < 1e-12);
  for (double x : {-3.0, -0.5, 0.0, 1.0, 1.7, 3.0}) CHECK(d(x) == s.slope(x));
}

TEST_CASE("spline: the integral is exact") {
  const PiecewisePolynomial s = cubic_spline(xs, ys, nullptr, nullptr), integral = s.integral();
  CHECK(integral(xs[0]) == 0);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < xs.size(); ++i) {  // Simpson's rule is exact for cubics
    const double a = xs[i], b = xs[i + 1];
    sum += (b - a) / 6 * (s(a) + 4 * s((a + b) / 2) + s(b));
    CHECK(integral(b) == Approx(sum).epsilon(1e-13).margin(1e-14));
  }
  CHECK(integral(4.0) - integral(2.0) == Approx(s(2.0) + s(4.0)).epsilon(1e-13));  // a trapezium
  CHECK(integral(-3.0) == Approx(-(s(-3.0) + s(-1.0))).epsilon(1e-13));
}

TEST_CASE("spline: exact derivatives for every scalar type") {
  const PiecewisePolynomial s = cubic_spline(xs, ys, nullptr, nullptr), d = s.derivative(), dd = d.derivative();
  for (double x : {-2.0, -0.6, 0.1, 0.3, 1.0, 1.9, 2.5}) {
    const auto near = [](double expected) { return Approx(expected).epsilon(1e-13).margin(1e-13); };
    const expr::Grad<2> g = s(expr::Grad<2>(x, {2.0, -3.0}));
    CHECK(g.v == near(s(x)));
    CHECK(g.g[0] == near(2 * d(x)));
    CHECK(g.g[1] == near(-3 * d(x)));
    const expr::Taylor2<double> t = s(expr::Taylor2<double>(x, 0.7, -1.2));
    CHECK(t.d == near(0.7 * d(x)));
    CHECK(t.dd == near(0.49 * dd(x) - 1.2 * d(x)));
    CHECK(s(std::complex<double>(x, 1e-150)).imag() / 1e-150 == near(d(x)));
    CHECK(s.slope(expr::Dual(x, {1.0})).g[0] == near(dd(x)));
  }
}

TEST_CASE("spline: as an operation of a tape, and its symbolic derivative") {
  expr::Graph g;
  const auto table = std::make_shared<const PiecewisePolynomial>(cubic_spline(xs, ys, nullptr, nullptr));
  const PiecewisePolynomial d = table->derivative(), dd = d.derivative();
  const expr::NodeId x = expr_check::variable(g, 0), node = g.lookup(table, g.binary(expr::Op::Mul, x, x));
  CHECK(g.lookup(table, g.binary(expr::Op::Mul, x, x)) == node);
  CHECK(g.to_string(node) == "spline(x * x)");
  const Compiled f(g, {x}, node), slope(g, {x}, expr::derivative(g, node, {{x, g.constant(1)}}));
  for (double at : {-1.2, -0.3, 0.4, 1.3}) {
    const double u = at * at, first = 2 * at * d(u), second = 4 * u * dd(u) + 2 * d(u);
    const auto near = [](double expected) { return Approx(expected).epsilon(1e-13).margin(1e-13); };
    CHECK(f.value({at}) == (*table)(u));
    CHECK(f.forward({at}, {1}) == near(first));
    CHECK(f.gradient({at})[0] == near(first));
    CHECK(f.complex_step({at})[0] == near(first));
    CHECK(f.curvature({at}, {1})[0] == near(second));
    CHECK(slope.value({at}) == near(first));
    CHECK(slope.gradient({at})[0] == near(second));
  }
  CHECK(g.constant_value(g.lookup(table, g.constant(0.3))) == Approx(0.9).epsilon(1e-15));
  const expr::NodeId y = expr_check::variable(g, 1);
  CHECK(expr::substitute(g, node, {{x, y}}) == g.lookup(table, g.binary(expr::Op::Mul, y, y)));
}

TEST_CASE("spline: ordinates and end slopes may be expressions") {
  expr::Graph g;
  const expr::NodeId x = expr_check::variable(g, 0), y1 = expr_check::variable(g, 1), m = expr_check::variable(g, 2);
  std::vector<Symbol> ordinates(ys.begin(), ys.end());
  ordinates[1] = Symbol(g, y1) * 2.0;
  const Spline s(xs, ordinates, Symbol(g, m), std::nullopt);
  const Symbol at(g, x);
  const Compiled value(g, {x, y1, m}, s(at).in(g)), slope(g, {x, y1, m}, s.slope(at).in(g)),
      integral(g, {x, y1, m}, s.integral(at).in(g));
  const double first = 0.6;
  auto by_numbers = [&](double ordinate, double start) {
    std::vector<double> numbers = ys;
    numbers[1] = 2 * ordinate;
    return cubic_spline(xs, numbers, &start, nullptr);
  };
  const PiecewisePolynomial reference = by_numbers(-0.35, first);
  for (double at_x : {-1.5, -0.4, 0.2, 1.4, 2.2}) {
    const std::vector<double> p{at_x, -0.35, first};
    const auto near = [](double expected) { return Approx(expected).epsilon(1e-13).margin(1e-13); };
    CHECK(value.value(p) == near(reference(at_x)));
    CHECK(slope.value(p) == near(reference.slope(at_x)));
    CHECK(integral.value(p) == near(reference.integral()(at_x)));
    // The value is linear in the ordinates and slopes: any difference is exact.
    const auto gradient = value.gradient(p);
    CHECK(gradient[0] == near(reference.slope(at_x)));
    CHECK(gradient[1] == near(by_numbers(0.65, first)(at_x) - reference(at_x)));
    CHECK(gradient[2] == near(by_numbers(-0.35, first + 1)(at_x) - reference(at_x)));
  }
}

TEST_CASE("spline: wrong points are errors") {
  CHECK_THROWS_WITH(cubic_spline({1}, {1}, nullptr, nullptr), Contains("at least 2 points"));
  CHECK_THROWS_WITH(cubic_spline({1, 1}, {1, 2}, nullptr, nullptr), Contains("must increase; number 2"));
  CHECK_THROWS_WITH(cubic_spline({1, 2}, {1, NAN}, nullptr, nullptr), Contains("point 2 is not finite"));
  CHECK_THROWS_WITH(cubic_spline({1, 2}, {1}, nullptr, nullptr), Contains("not 1 for 2"));
}
