// SPDX-License-Identifier: MIT
// Rosenbrock methods of order 3 and 4, with constant and with adaptive steps.
#include <catch2/catch.hpp>
#include <cmath>

#include "integrator/method/rosenbrock.hpp"
#include "model/body/points.hpp"
#include "model/force/forces.hpp"
#include "run_check.hpp"
#include "sensitivity/second/hessian.hpp"

using namespace perilune;
using expr::Symbol;
using formulation::AugmentedLagrangian;
using formulation::Formulation;
using formulation::Index1;
using formulation::Penalty;
using integrator::Rosenbrock;

namespace {

Rosenbrock constant(int order, double step) { return {order, step, {}}; }

Rosenbrock adaptive(int order, double relative, double absolute) { return {order, 0, {relative, absolute}}; }

/// A mass of 1 kg that a very stiff, critically damped spring, or a damper alone, makes follow x = sin(3 t), while it
/// swings along y.
Mechanism follower(double stiffness, bool is_damper) {
  Mechanism mechanism("follower", {0, -9.81});
  model::Model& m = *mechanism.model;
  const model::Place P = add_point(m, "P", {0.0, 0.5}, {3.0, 0.0}, 1.0);
  const Symbol t = mechanism.signal("t"), x = mechanism.signal("P.x"), y = mechanism.signal("P.y");
  const Symbol slip = mechanism.signal("P.vx") - 3.0 * cos(3.0 * t);
  const Symbol pull = is_damper ? -stiffness * slip : -stiffness * (x - sin(3.0 * t)) - 2 * std::sqrt(stiffness) * slip;
  add_force(m, "pull", P, {pull, -20.0 * y + 5.0 * x * y}, {});
  mechanism.compile();
  mechanism.problem.end = 2;
  return mechanism;
}

/// The coefficients as in y' = f: increments k with alpha, and beta = alpha + gamma; weights b and sums by rows.
struct Classical {
  std::size_t size;
  std::vector<double> alpha, beta, b, sum_alpha, sum_beta;
  explicit Classical(const integrator::RosenbrockMethod& method, const std::vector<double>& end)
      : size(end.size()), alpha(size * size), beta(alpha), b(size), sum_alpha(size), sum_beta(size) {
    // Gamma^-1 = 1 / gamma - c; alpha = a Gamma, b = Gamma^T end.
    const formulation::RosenbrockScheme& s = method.scheme;
    std::vector<double> gamma(size * size);
    for (std::size_t j = 0; j < size; ++j) {
      gamma[j * size + j] = s.gamma;
      for (std::size_t i = j + 1; i < size; ++i) {
        for (std::size_t k = j; k < i; ++k) gamma[i * size + j] += s.gamma * s.c[i * size + k] * gamma[k * size + j];
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) alpha[i * size + j] += s.a[i * size + k] * gamma[k * size + j];
        beta[i * size + j] = alpha[i * size + j] + gamma[i * size + j];
        b[j] += end[i] * gamma[i * size + j];
        sum_alpha[i] += alpha[i * size + j];
        sum_beta[i] += beta[i * size + j];
      }
    }
  }
  template <class F>
  double sum(F&& term) const {
    double total = 0;
    for (std::size_t i = 0; i < size; ++i) total += b[i] * term(i);
    return total;
  }
  /// Row i of a matrix times a vector.
  template <class F>
  double row(const std::vector<double>& matrix, std::size_t i, F&& term) const {
    double total = 0;
    for (std::size_t j = 0; j < size; ++j) total += matrix[i * size + j] * term(j);
    return total;
  }
};

void check_conditions(const Classical& c, int order) {
  auto is = [](double x, double expected) { CHECK(std::abs(x - expected) < 2e-14); };
  auto alpha = [&](std::size_t i) { return c.sum_alpha[i]; };
  auto beta = [&](std::size_t i) { return c.sum_beta[i]; };
  auto squares = [&](std::size_t i) { return c.sum_alpha[i] * c.sum_alpha[i]; };
  auto beta_beta = [&](std::size_t i) { return c.row(c.beta, i, beta); };
  is(c.sum([](std::size_t) { return 1.0; }), 1);
  is(c.sum(beta), 1.0 / 2);
  if (order < 3) return;
  is(c.sum(squares), 1.0 / 3);
  is(c.sum(beta_beta), 1.0 / 6);
  if (order < 4) return;
  is(c.sum([&](std::size_t i) { return squares(i) * alpha(i); }), 1.0 / 4);
  is(c.sum([&](std::size_t i) { return alpha(i) * c.row(c.alpha, i, beta); }), 1.0 / 8);
  is(c.sum([&](std::size_t i) { return c.row(c.beta, i, squares); }), 1.0 / 12);
  is(c.sum([&](std::size_t i) { return c.row(c.beta, i, beta_beta); }), 1.0 / 24);
}

}  // namespace

TEST_CASE("rosenbrock: order conditions", "[integrator]") {
  for (int order : {3, 4}) {
    CAPTURE(order);
    const integrator::RosenbrockMethod& method = integrator::rosenbrock_method(order);
    const Classical own(method, method.end);
    check_conditions(own, order);
    for (std::size_t i = 0; i < own.size; ++i) {
      CHECK(std::abs(own.sum_alpha[i] - method.scheme.time[i]) < 1e-14);
      CHECK(std::abs(own.sum_beta[i] - own.sum_alpha[i] - method.scheme.of_time[i]) < 1e-14);
      CHECK(std::abs(own.beta[(own.size - 1) * own.size + i] - own.b[i]) < 1e-14);  // stiffly accurate
    }
    std::vector<double> embedded = method.end;
    embedded.back() = 0;
    check_conditions(Classical(method, embedded), method.error_order);
    CHECK(method.error_order == order - 1);
  }
}

TEST_CASE("rosenbrock: constant steps have their order", "[integrator]") {
  for (Mechanism (*make)() : {four_bar_mechanism, five_bar_mechanism, spatial_pendulum_mechanism,
                              driven_linkage_mechanism, planar_forces_mechanism}) {
    const OrderCheck order(make(), Index1{});
    for (int k : {3, 4}) order.all(constant(k, 0.005), k - 0.3, k + 1.4);
  }
}

TEST_CASE("rosenbrock: the steps do not feel stiff dampers", "[integrator]") {
  for (int order : {3, 4}) {
    const End stiff = end_of(follower(1e5, true), {Index1{}, adaptive(order, 1e-6, 1e-7)});
    CHECK(stiff.statistics.steps < (order == 3 ? 600 : 150));
    for (double stiffness : {1e7, 1e9, 1e11}) {
      INFO(order << ", damper " << stiffness);
      const End stiffer = end_of(follower(stiffness, true), {Index1{}, adaptive(order, 1e-6, 1e-7)});
      CHECK(10 * stiffer.statistics.steps < 11 * stiff.statistics.steps);
      CHECK(std::abs(stiffer.q[0] - std::sin(6.0)) < 1e-6);
    }
  }
}

TEST_CASE("rosenbrock: constant steps are stable on stiff springs and dampers", "[integrator]") {
  for (int order : {3, 4}) {
    for (double stiffness : {1e5, 1e7, 1e9, 1e11}) {
      INFO(order << ", " << stiffness);
      CHECK(std::abs(end_of(follower(stiffness, false), {Index1{}, constant(order, 0.01)}).q[0] - std::sin(6.0)) <
            2e-4);
      CHECK(std::abs(end_of(follower(stiffness, true), {Index1{}, constant(order, 0.01)}).q[0] - std::sin(6.0)) < 2e-5);
    }
  }
}

TEST_CASE("rosenbrock: one matrix per step, and those of its middle and end", "[integrator]") {
  const End end = end_of(four_bar_mechanism(), {Index1{}, constant(4, 0.01)});
  CHECK(end.statistics.newton_iterations == 0);
  CHECK(end.statistics.jacobians == end.statistics.steps);
  CHECK(end.statistics.factorizations == 1 + 3 * end.statistics.steps);
  CHECK(end.statistics.evaluations == 1 + 8 * end.statistics.steps);
}

TEST_CASE("rosenbrock: what it does not offer is refused", "[integrator]") {
  for (const Formulation& form : std::initializer_list<Formulation>{
           formulation::Index3{}, AugmentedLagrangian{3}, formulation::StabilizedIndex1{}, formulation::Maggi{},
           formulation::CoordinatePartitioning{}}) {
    INFO(formulation::name_of(form));
    CHECK(integrator::objection(form, Rosenbrock{}).find("penalty, index1 or") != std::string::npos);
  }
  CHECK(integrator::objection(Penalty{}, Rosenbrock{}).empty());
  Mechanism mechanism = five_bar_mechanism();
  mechanism.problem.formulation = Index1{};
  mechanism.problem.integrator = constant(4, 0.01);
  const std::vector<double> rho = mechanism.parameters(), direction(mechanism.over().size(), 1.0);
  CHECK_THROWS_WITH(sensitivity::hessian_products(mechanism.problem, rho, mechanism.over(), {direction}),
                    Catch::Contains("not offered with rosenbrock4"));
}
