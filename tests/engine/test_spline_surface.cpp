// SPDX-License-Identifier: MIT
// Heights over a grid: the bicubic spline against products of splines, and as an operation of tapes.
#include <catch2/catch.hpp>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "expr/spline_surface.hpp"
#include "expr_check.hpp"

using namespace perilune;
using expr::bicubic_spline;
using expr::cubic_spline;
using expr::PiecewisePolynomial;
using expr::PiecewiseSurface;
using expr_check::Compiled;

namespace {

const std::vector<double> xs{-1.0, -0.2, 0.3, 1.1}, ys{-2.0, 0.0, 0.5};
const std::vector<double> fs{0.4, -0.7, 0.9, 0.1}, hs{0.3, 1.2, -0.5};

std::vector<double> products() {
  std::vector<double> z;
  for (double f : fs) {
    for (double h : hs) z.push_back(f * h);
  }
  return z;
}

}  // namespace

TEST_CASE("bicubic spline: an operation of a tape with exact derivatives of every kind") {
  expr::Graph g;
  const auto surface = std::make_shared<const PiecewiseSurface>(bicubic_spline(xs, ys, products()));
  const PiecewisePolynomial f = cubic_spline(xs, fs, nullptr, nullptr), h = cubic_spline(ys, hs, nullptr, nullptr);
  const PiecewisePolynomial df = f.derivative(), dh = h.derivative(), ddf = df.derivative(), ddh = dh.derivative();
  const expr::NodeId x = expr_check::variable(g, 0), y = expr_check::variable(g, 1), node = g.lookup(surface, x, y);
  CHECK(g.lookup(surface, x, y) == node);
  CHECK(g.to_string(node) == "spline(x, y)");
  const expr::NodeId one = g.constant(1);
  const Compiled value(g, {x, y}, node), by_x(g, {x, y}, expr::derivative(g, node, {{x, one}})),
      by_y(g, {x, y}, expr::derivative(g, node, {{y, one}}));
  for (const auto& [u, v] : {std::pair{-1.7, -3.0}, {-0.5, -0.4}, {0.2, 0.2}, {0.9, -1.0}, {0.4, 2.0}, {3.0, 0.7}}) {
    const auto near = [](double expected) { return Approx(expected).epsilon(1e-12).margin(1e-12); };
    const double fx = df(u) * h(v), fy = f(u) * dh(v), fxx = ddf(u) * h(v), fxy = df(u) * dh(v), fyy = f(u) * ddh(v);
    CHECK(value.value({u, v}) == near(f(u) * h(v)));
    CHECK(value.forward({u, v}, {0.3, -2.0}) == near(0.3 * fx - 2 * fy));
    CHECK(value.gradient({u, v})[0] == near(fx));
    CHECK(value.gradient({u, v})[1] == near(fy));
    CHECK(value.complex_step({u, v})[0] == near(fx));
    CHECK(value.complex_step({u, v})[1] == near(fy));
    const auto curvature = value.curvature({u, v}, {0.3, -2.0});
    CHECK(curvature[0] == near(0.3 * fxx - 2 * fxy));
    CHECK(curvature[1] == near(0.3 * fxy - 2 * fyy));
    CHECK(by_x.value({u, v}) == near(fx));
    CHECK(by_y.value({u, v}) == near(fy));
    CHECK(by_x.gradient({u, v})[1] == near(fxy));
    CHECK(by_y.gradient({u, v})[1] == near(fyy));
  }
  CHECK(g.constant_value(g.lookup(surface, g.constant(0.3), g.constant(0.0))) == Approx(0.9 * 1.2).epsilon(1e-14));
  CHECK(expr::substitute(g, node, {{x, y}, {y, x}}) == g.lookup(surface, y, x));
}

TEST_CASE("bicubic spline: replayed on another graph, and wrong points") {
  expr::Graph g, other;
  const auto surface = std::make_shared<const PiecewiseSurface>(bicubic_spline(xs, ys, products()));
  const expr::NodeId x = expr_check::variable(g, 0), y = expr_check::variable(g, 1);
  const expr::Tape tape(g, {x, y}, {g.binary(expr::Op::Mul, g.lookup(surface, x, y), x)});
  const expr::NodeId u = expr_check::variable(other, 0), v = expr_check::variable(other, 1);
  const Compiled again(other, {u, v}, tape.replay(other, {u, v})[0]);
  CHECK(again.value({0.3, 0.0}) == Approx(0.3 * 0.9 * 1.2).epsilon(1e-14));
  CHECK_THROWS_AS(bicubic_spline({0, 1}, {0, 1}, {1, 2, 3}), Error);
  CHECK_THROWS_AS(bicubic_spline({0, 0}, {0, 1}, {1, 2, 3, 4}), Error);
  CHECK_THROWS_AS(bicubic_spline({0, 1}, {0}, {1, 2}), Error);
  CHECK_THROWS_AS(bicubic_spline({0, 1}, {0, 1}, {1, 2, 3, NAN}), Error);
}
