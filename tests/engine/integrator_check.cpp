#include "integrator_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace perilune;
using expr::Symbol;

End end_of(Mechanism mechanism, const formulation::Formulation& form, const integrator::Integrator& method) {
  mechanism.problem.formulation = form;
  mechanism.problem.integrator = method;
  const auto run = sensitivity::evaluate(mechanism.problem, mechanism.parameters());
  INFO(run.solution.message);
  REQUIRE(run.solution.status == integrator::Status::Completed);
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  return {{mesh.q_at(last), mesh.q_at(last) + mesh.n},
          {mesh.v_at(last), mesh.v_at(last) + mesh.n},
          {mesh.lambda_at(last), mesh.lambda_at(last) + mesh.m},
          run.values,
          run.solution.statistics,
          run.solution.steps.plans.size()};
}

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

ObservedOrders observed_orders(Mechanism (*make)(), const formulation::Formulation& form,
                               const integrator::Integrator& coarse, const integrator::Integrator& fine) {
  const End exact = end_of(make(), formulation::Index1{}, integrator::DormandPrince{1e-12, 1e-13});
  const End x = end_of(make(), form, coarse), y = end_of(make(), form, fine);
  auto order = [](const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& e) {
    return std::log2(largest_difference(a, e) / largest_difference(b, e));
  };
  return {order(x.q, y.q, exact.q), order(x.v, y.v, exact.v), order(x.values, y.values, exact.values)};
}

namespace {

/// Relative to the largest entry; entries count per relative change of a parameter, absolute below 1.
double difference(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& rho) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double scale = std::max(1.0, std::abs(rho[i]));
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, scale * std::abs(x[i] - y[i]));
    largest = std::max(largest, scale * std::abs(y[i]));
  }
  return worst / largest;
}

}  // namespace

void check_discrete_gradients(Mechanism mechanism, const formulation::Formulation& form,
                              const integrator::Integrator& method) {
  sensitivity::Problem& problem = mechanism.problem;
  problem.formulation = form;
  problem.integrator = method;
  const std::vector<double> rho = mechanism.parameters();
  INFO(mechanism.name << ", " << formulation::name_of(form) << ", " << integrator::name_of(method) << ", step "
                      << integrator::fixed_step(method));
  auto run = [&](const sensitivity::Method& which) {
    return sensitivity::gradient(problem, rho, mechanism.over(), which);
  };
  const auto direct = run(sensitivity::DiscreteDirect{}), adjoint = run(sensitivity::DiscreteAdjoint{});
  const auto extrapolated = run(sensitivity::FiniteDifference{4e-3, 2});
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    CAPTURE(problem.objectives[o]->name);
    CHECK(direct.values[o] == adjoint.values[o]);
    CHECK(difference(direct.derivatives[o], adjoint.derivatives[o], rho) < 1e-10);
    CHECK(difference(direct.derivatives[o], extrapolated.derivatives[o], rho) < 1e-7);
  }
}

Mechanism spring_pendulum(double stiffness) {
  Mechanism mechanism("spring pendulum", {0, -9.81});
  model::Model& m = *mechanism.model;
  const Symbol free = 1.0 - 9.81 * 0.6 / stiffness;
  m.add_spring("s", m.ground_place({0.0, 0.0}), m.add_point("P", {0.8, -0.6}, {0.0, 0.0}, 1.0), stiffness, &free,
               2 * std::sqrt(stiffness), 0.0);
  mechanism.compile();
  mechanism.problem.end = 2;
  return mechanism;
}
