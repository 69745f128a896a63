// SPDX-License-Identifier: MIT
// Tapes: every operation against the standard library, derivative conventions, failures, dependencies.
#include <catch2/catch.hpp>

#include "error.hpp"
#include "expr/rewrite.hpp"
#include "expr_check.hpp"

using namespace perilune::expr;
using Catch::Matchers::Contains;
using expr_check::Compiled;
using expr_check::variable;

namespace {

const double infinity = std::numeric_limits<double>::infinity();

struct Case {
  Op op;
  double a, b;
  double value, in_a, in_b;                // by closed formulas
  double in_aa = 0, in_ab = 0, in_bb = 0;  // second derivatives
};

double square(double x) { return x * x; }

std::vector<Case> unary_cases() {
  std::vector<Case> all;
  auto add = [&](Op op, double x, double value, double slope, double curvature) {
    all.push_back({op, x, 0, value, slope, 0, curvature});
  };
  for (double x : {-1.7, -0.6, 0.3, 0.9, 2.2}) {
    add(Op::Neg, x, -x, -1, 0);
    add(Op::Abs, x, std::fabs(x), std::copysign(1.0, x), 0);
    add(Op::Sign, x, std::copysign(1.0, x), 0, 0);
    add(Op::Exp, x, std::exp(x), std::exp(x), std::exp(x));
    add(Op::Sin, x, std::sin(x), std::cos(x), -std::sin(x));
    add(Op::Cos, x, std::cos(x), -std::sin(x), -std::cos(x));
    add(Op::Tan, x, std::tan(x), 1 / square(std::cos(x)), 2 * std::sin(x) / std::pow(std::cos(x), 3));
    add(Op::Atan, x, std::atan(x), 1 / (1 + x * x), -2 * x / square(1 + x * x));
    add(Op::Sinh, x, std::sinh(x), std::cosh(x), std::sinh(x));
    add(Op::Cosh, x, std::cosh(x), std::sinh(x), std::cosh(x));
    add(Op::Tanh, x, std::tanh(x), 1 / square(std::cosh(x)), -2 * std::sinh(x) / std::pow(std::cosh(x), 3));
    if (x > 0) {
      add(Op::Sqrt, x, std::sqrt(x), 0.5 / std::sqrt(x), -0.25 / (x * std::sqrt(x)));
      add(Op::Log, x, std::log(x), 1 / x, -1 / (x * x));
    }
    if (std::fabs(x) < 1) {
      const double root = std::sqrt(1 - x * x);
      add(Op::Asin, x, std::asin(x), 1 / root, x / std::pow(root, 3));
      add(Op::Acos, x, std::acos(x), -1 / root, -x / std::pow(root, 3));
    }
  }
  return all;
}

std::vector<Case> binary_cases() {
  std::vector<Case> all;
  for (double a : {0.4, 1.3, 2.5}) {
    for (double b : {-1.1, 0.7, 1.9}) {
      const double p = std::pow(a, b), l = std::log(a), r2 = a * a + b * b;
      all.push_back({Op::Add, a, b, a + b, 1, 1});
      all.push_back({Op::Sub, a, b, a - b, 1, -1});
      all.push_back({Op::Mul, a, b, a * b, b, a, 0, 1, 0});
      all.push_back({Op::Div, a, b, a / b, 1 / b, -a / (b * b), 0, -1 / (b * b), 2 * a / (b * b * b)});
      all.push_back({Op::Pow, a, b, p, b * p / a, p * l, b * (b - 1) * p / (a * a), p / a * (1 + b * l), p * l * l});
      all.push_back({Op::Atan2, a, b, std::atan2(a, b), b / r2, -a / r2, -2 * a * b / (r2 * r2),
                     (a * a - b * b) / (r2 * r2), 2 * a * b / (r2 * r2)});
      all.push_back({Op::Min, a, b, std::fmin(a, b), a < b ? 1.0 : 0.0, a < b ? 0.0 : 1.0});
      all.push_back({Op::Max, a, b, std::fmax(a, b), a > b ? 1.0 : 0.0, a > b ? 0.0 : 1.0});
      all.push_back({Op::Less, a, b, a < b ? 1.0 : 0.0, 0, 0});
      all.push_back({Op::LessEqual, a, b, a <= b ? 1.0 : 0.0, 0, 0});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("every operation of a tape has its value and derivatives") {
  std::vector<Case> cases = unary_cases();
  const std::vector<Case> more = binary_cases();
  cases.insert(cases.end(), more.begin(), more.end());
  std::vector<char> seen(static_cast<std::size_t>(Op::Where) + 1, 0);
  for (const Case& c : cases) {
    seen[static_cast<std::size_t>(c.op)] = 1;
    Graph g;
    const NodeId x = variable(g, 0), y = variable(g, 1);
    const Compiled f(g, {x, y}, c.op < Op::Add ? g.unary(c.op, x) : g.binary(c.op, x, y));
    const std::vector<double> at{c.a, c.b};
    INFO(name_of(c.op) << " of " << c.a << ", " << c.b);
    auto near = [](double expected) { return Approx(expected).epsilon(1e-14).margin(1e-14); };
    CHECK(f.value(at) == near(c.value));
    CHECK(f.forward(at, {1, 0}) == near(c.in_a));
    CHECK(f.forward(at, {0, 1}) == near(c.in_b));
    CHECK(f.gradient(at)[0] == near(c.in_a));
    CHECK(f.gradient(at)[1] == near(c.in_b));
    CHECK(f.slopes(at, {0, 1})[0] == near(c.in_a));
    CHECK(f.slopes(at, {0, 1})[1] == near(c.in_b));
    CHECK(f.slopes(at, {0})[0] == near(c.in_a));
    CHECK(f.slopes(at, {1})[1] == near(c.in_b));
    CHECK(f.complex_step(at)[0] == near(c.in_a));
    CHECK(f.complex_step(at)[1] == near(c.in_b));
    const auto in_a = f.curvature(at, {1, 0}), in_b = f.curvature(at, {0, 1});
    auto near2 = [](double expected) { return Approx(expected).epsilon(1e-13).margin(1e-13); };
    CHECK(in_a[0] == near2(c.in_aa));
    CHECK(in_a[1] == near2(c.in_ab));
    CHECK(in_b[0] == near2(c.in_ab));
    CHECK(in_b[1] == near2(c.in_bb));
  }
  for (int op = static_cast<int>(Op::Neg); op < static_cast<int>(Op::Where); ++op) {
    INFO(name_of(static_cast<Op>(op)));
    if (static_cast<Op>(op) != Op::PowConstant && static_cast<Op>(op) != Op::Table &&
        static_cast<Op>(op) != Op::Surface)
      CHECK(seen[static_cast<std::size_t>(op)] == 1);
  }
}

TEST_CASE("powers with a constant exponent") {
  for (double e : {-2.0, -0.5, 0.5, 1.5, 3.0, 4.0}) {
    Graph g;
    const NodeId x = variable(g, 0);
    const Compiled f(g, {x}, g.binary(Op::Pow, x, g.constant(e)));
    for (double a : {-1.3, 0.2, 2.0}) {
      if (a < 0 && e != std::round(e)) continue;
      INFO(a << "^" << e);
      auto near = [](double expected) { return Approx(expected).epsilon(1e-14); };
      CHECK(f.value({a}) == near(std::pow(a, e)));
      CHECK(f.forward({a}, {1}) == near(e * std::pow(a, e - 1)));
      CHECK(f.gradient({a})[0] == near(e * std::pow(a, e - 1)));
      CHECK(f.complex_step({a})[0] == near(e * std::pow(a, e - 1)));
      CHECK(f.curvature({a}, {1})[0] == near(e * (e - 1) * std::pow(a, e - 2)));
    }
  }
}

TEST_CASE("powers at zero") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1);
  auto power = [&](double e) { return Compiled(g, {x}, g.binary(Op::Pow, x, g.constant(e))); };
  for (double e : {2.0, 3.0, 1.5}) {
    INFO("exponent " << e);
    CHECK(power(e).value({0}) == 0);
    CHECK(power(e).forward({0}, {1}) == 0);
    CHECK(power(e).gradient({0})[0] == 0);
    CHECK(power(e).complex_step({0})[0] == 0);
  }
  CHECK(power(1).gradient({0})[0] == 1);
  CHECK(power(0).gradient({0})[0] == 0);
  CHECK(power(0.5).gradient({0})[0] == infinity);
  CHECK(power(2).curvature({0}, {1})[0] == 2);
  CHECK(power(3).curvature({0}, {1})[0] == 0);
  const Compiled f(g, {x, y}, g.binary(Op::Pow, x, y));
  CHECK(f.value({0, 2.5}) == 0);
  CHECK(f.gradient({0, 2.5}) == std::vector<double>{0, 0});
  CHECK(f.forward({0, 2.5}, {1, 1}) == 0);
  CHECK(f.gradient({0, 1}) == std::vector<double>{1, 0});
}

TEST_CASE("slopes at kinks follow the stated conventions") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1);
  using V = std::vector<double>;
  auto slopes = [&](NodeId f, const V& at) {
    const Compiled c(g, {x, y}, f);
    const std::vector<double> reverse = c.gradient(at);
    CHECK(c.forward(at, {1, 0}) == reverse[0]);
    CHECK(c.forward(at, {0, 1}) == reverse[1]);
    CHECK(c.slopes(at, {0, 1}) == reverse);
    CHECK(c.slopes(at, {1}) == V{0, reverse[1]});
    return reverse;
  };
  CHECK(slopes(g.unary(Op::Abs, x), {0, 0}) == V{0, 0});
  CHECK(slopes(g.unary(Op::Sign, x), {0, 0}) == V{0, 0});
  CHECK(Compiled(g, {x}, g.unary(Op::Sign, x)).value({0}) == 0);
  CHECK(slopes(g.binary(Op::Min, x, y), {2, 2}) == V{1, 0});
  CHECK(slopes(g.binary(Op::Max, x, y), {2, 2}) == V{1, 0});
  CHECK(slopes(g.binary(Op::Min, y, x), {2, 2}) == V{0, 1});
  CHECK(slopes(g.binary(Op::Less, x, y), {2, 2}) == V{0, 0});
  CHECK(Compiled(g, {x, y}, g.binary(Op::Less, x, y)).value({2, 2}) == 0);
  CHECK(Compiled(g, {x, y}, g.binary(Op::LessEqual, x, y)).value({2, 2}) == 1);
  const NodeId choice = g.where(g.binary(Op::Less, x, y), g.binary(Op::Mul, x, y), g.unary(Op::Neg, y));
  CHECK(slopes(choice, {1, 2}) == V{2, 1});
  CHECK(slopes(choice, {2, 2}) == V{0, -1});
  const NodeId on_number = g.where(x, y, g.constant(5));
  CHECK(Compiled(g, {x, y}, on_number).value({0, 3}) == 5);
  CHECK(Compiled(g, {x, y}, on_number).value({-2, 3}) == 3);
}

TEST_CASE("a branch that is not chosen does not spoil derivatives") {
  // Hertz's contact law: outside contact the power is not a number, and so are its slopes.
  Graph g;
  const NodeId x = variable(g, 0), k = variable(g, 1), zero = g.constant(0);
  const NodeId force = g.binary(Op::Mul, k, g.binary(Op::Pow, x, g.constant(1.5)));
  const Compiled f(g, {x, k}, g.where(g.binary(Op::Less, zero, x), force, zero));
  using V = std::vector<double>;
  CHECK(f.value({-0.25, 3}) == 0);
  CHECK(f.gradient({-0.25, 3}) == V{0, 0});
  CHECK(f.forward({-0.25, 3}, {1, 1}) == 0);
  CHECK(f.slopes({-0.25, 3}, {0, 1}) == V{0, 0});
  CHECK(f.curvature({-0.25, 3}, {1, 1}) == V{0, 0});
  CHECK(f.gradient({0.25, 3}) == V{2.25, 0.125});
  CHECK(f.curvature({0.25, 3}, {1, 0}) == V{4.5, 0.75});
  const NodeId power = g.where(g.binary(Op::Less, zero, x), force, zero);
  const std::vector<NodeId> slopes = gradient(g, power, {x, k});
  CHECK(Compiled(g, {x, k}, slopes[0]).value({-0.25, 3}) == 0);
  CHECK(Compiled(g, {x, k}, slopes[1]).value({-0.25, 3}) == 0);
  CHECK(Compiled(g, {x, k}, slopes[0]).value({0.25, 3}) == 2.25);
  CHECK(Compiled(g, {x, k}, slopes[1]).value({0.25, 3}) == 0.125);

  const NodeId root = g.unary(Op::Sqrt, x);  // infinite slope at 0
  const std::vector<NodeId> guarded{g.where(g.binary(Op::Less, zero, x), root, x), g.binary(Op::Min, x, root),
                                    g.binary(Op::Add, x, g.binary(Op::Less, root, g.constant(-1))),
                                    g.binary(Op::Add, x, g.unary(Op::Sign, root)),
                                    g.where(g.binary(Op::Less, root, g.constant(1)), x, zero)};
  for (NodeId id : guarded) {
    INFO(g.to_string(id));
    const Compiled h(g, {x}, id);
    CHECK(h.gradient({0}) == V{1});
    CHECK(h.forward({0}, {1}) == 1);
    CHECK(h.slopes({0}, {0}) == V{1});
    CHECK(Compiled(g, {x}, gradient(g, id, {x}).front()).value({0}) == 1);
  }
  // The same operation outside the choice still counts.
  const Compiled both(g, {x}, g.binary(Op::Add, root, g.where(g.binary(Op::Less, zero, x), root, zero)));
  CHECK(both.gradient({0})[0] == infinity);
  CHECK(both.gradient({4})[0] == 0.5);
}

TEST_CASE("a variable that a tape needs and does not get is named") {
  Graph g;
  const NodeId x = variable(g, 0), speed = g.variable(Quantity::Velocity, 0, "slider.vx");
  CHECK_THROWS_WITH(Tape(g, {x}, {g.binary(Op::Mul, x, speed)}), Contains("'slider.vx'") && Contains("not available"));
  CHECK_THROWS_AS(Tape(g, {}, {x}), perilune::Error);
  CHECK_NOTHROW(Tape(g, {speed, x}, {x}));
}

TEST_CASE("the first failure names the script line and the formula") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1);
  g.set_origin("arm.lua:7");
  const NodeId log = g.unary(Op::Log, x);
  g.set_origin("arm.lua:8");
  const NodeId product = g.binary(Op::Mul, log, y);
  g.set_origin("arm.lua:9");
  const NodeId unused = g.binary(Op::Div, g.constant(1), y);
  auto failure = [&](const std::vector<NodeId>& outputs, const std::vector<double>& at) {
    const Tape tape(g, {x, y}, outputs);
    auto work = tape.make_work<double>();
    std::copy(at.begin(), at.end(), work.begin());
    tape.evaluate(work.data());
    return tape.first_failure(g, work.data());
  };
  CHECK(failure({product}, {-1, 2}) == "arm.lua:7: log(x)");
  CHECK(failure({product}, {1, 2}).empty());
  // Numbers that no output is made of are no failure.
  const NodeId kept = g.where(g.binary(Op::Less, x, g.constant(0)), y, unused);
  CHECK(failure({kept}, {-1, 0}).empty());
  CHECK(failure({kept}, {1, 0}) == "arm.lua:9: 1 / y");
  const NodeId later = g.binary(Op::Add, kept, product);
  CHECK(failure({later}, {-1, 0}) == "arm.lua:7: log(x)");
  CHECK(failure({g.binary(Op::Less, unused, x)}, {1, 0}).empty());
  // What comes in broken is shown where it is first used.
  CHECK(failure({product}, {std::nan(""), 1}) == "arm.lua:7: log(x)");
  CHECK(failure({y}, {1, infinity}) == "y");
  CHECK(failure({x}, {1, infinity}).empty());
  g.set_origin("");
  CHECK(failure({g.binary(Op::Div, x, g.binary(Op::Sub, y, x))}, {1, 1}) == "x / (y - x)");
  CHECK_THAT(failure({g.unary(Op::Log, g.constant(-1))}, {1, 1}), Contains("constant"));
  // First is what was written first, though the tape computes the roots together and before.
  g.set_origin("arm.lua:12");
  const NodeId early = g.unary(Op::Asin, g.binary(Op::Add, x, g.constant(5)));
  g.set_origin("arm.lua:13");
  NodeId sum = early;
  for (NodeId root : {g.unary(Op::Sqrt, x), g.unary(Op::Sqrt, y)}) sum = g.binary(Op::Add, sum, root);
  CHECK(failure({sum}, {-1, -1}) == "arm.lua:12: asin(x + 5)");
}

TEST_CASE("tapes without operations") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1), five = g.constant(5);
  const Tape empty(g, {}, {});
  CHECK(empty.size() == 0);
  CHECK(empty.output_count() == 0);
  empty.evaluate(static_cast<double*>(nullptr));

  const Tape tape(g, {x, y}, {y, five, y, x});
  CHECK(tape.operation_count() == 0);
  CHECK(tape.input_count() == 2);
  CHECK(tape.inputs() == std::vector<NodeId>{x, y});
  auto work = tape.make_work<double>();
  work[0] = 3;
  work[1] = 4;
  tape.evaluate(work.data());
  std::vector<double> values;
  for (int k = 0; k < 4; ++k) values.push_back(work[static_cast<std::size_t>(tape.output_slot(k))]);
  CHECK(values == std::vector<double>{4, 5, 4, 3});
  CHECK(tape.is_constant_output(1));
  CHECK_FALSE(tape.is_constant_output(0));
  std::vector<double> tangent(work.size(), 9.0);
  tangent[0] = 0.5;
  tangent[1] = 0.25;
  tape.tangent(work.data(), tangent.data());
  CHECK(tangent[static_cast<std::size_t>(tape.output_slot(0))] == 0.25);
  CHECK(tangent[static_cast<std::size_t>(tape.output_slot(1))] == 0);
  std::vector<double> adjoint(work.size(), 0.0);
  for (int k = 0; k < 4; ++k) adjoint[static_cast<std::size_t>(tape.output_slot(k))] += 1;
  tape.reverse(work.data(), adjoint.data());
  CHECK(adjoint[0] == 1);
  CHECK(adjoint[1] == 2);
}

TEST_CASE("which outputs depend on which inputs") {
  Graph g;
  const NodeId x = variable(g, 0), y = variable(g, 1), z = variable(g, 2);
  const NodeId shared = g.unary(Op::Sin, y);
  const Tape tape(
      g, {z, y, x},
      {g.binary(Op::Mul, x, shared), z, g.constant(1), g.where(x, y, z), g.binary(Op::Pow, shared, g.constant(3))});
  const std::vector<std::vector<bool>> expected{
      {false, true, true}, {true, false, false}, {false, false, false}, {true, true, true}, {false, true, false}};
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < 3; ++i) {
      INFO("output " << k << ", input " << i);
      CHECK(tape.depends(k, i) == expected[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)]);
    }
  }
}

TEST_CASE("work arrays of several tapes may be reused") {
  Graph g;
  const NodeId x = variable(g, 0);
  const Tape one(g, {x}, {g.binary(Op::Mul, x, g.constant(3))}), two(g, {x}, {g.binary(Op::Add, x, g.constant(10))});
  std::vector<double> work(static_cast<std::size_t>(std::max(one.size(), two.size())));
  auto run = [&](const Tape& tape) {
    tape.load_constants(work.data());
    work[0] = 2;
    tape.evaluate(work.data());
    return work[static_cast<std::size_t>(tape.output_slot(0))];
  };
  CHECK(run(one) == 6);
  CHECK(run(two) == 12);
  CHECK(run(one) == 6);
}
