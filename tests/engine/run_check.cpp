// SPDX-License-Identifier: MIT
#include "run_check.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "numbers.hpp"

using namespace perilune;
using formulation::Formulation;
using integrator::Integrator;

std::string Integration::name() const {
  const double step = integrator::fixed_step(integrator);
  return formulation::name_of(formulation) + ", " + integrator::name_of(integrator) + ", " +
         (step > 0 ? "step " + std::to_string(step) : "adaptive");
}

simulation::Evaluation run_of(Mechanism mechanism, const Integration& how) {
  mechanism.problem.formulation = how.formulation;
  mechanism.problem.integrator = how.integrator;
  auto run = simulation::evaluate(mechanism.problem, mechanism.parameters());
  INFO(mechanism.name << ", " << how.name() << ": " << run.solution.message);
  REQUIRE(run.solution.status == integrator::Status::Completed);
  return run;
}

std::vector<double> End::state() const {
  std::vector<double> both = q;
  both.insert(both.end(), v.begin(), v.end());
  return both;
}

End end_of(const Mechanism& mechanism, const Integration& how) {
  const auto run = run_of(mechanism, how);
  const integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  return {{mesh.q_at(last), mesh.q_at(last) + mesh.n},
          {mesh.v_at(last), mesh.v_at(last) + mesh.n},
          {mesh.lambda_at(last), mesh.lambda_at(last) + mesh.m},
          run.values,
          run.solution.statistics,
          run.solution.steps.plans.size()};
}

End exact_end_of(const Mechanism& mechanism, const Formulation& form) {
  const Integrator accurate = integrator::DormandPrince{{1e-12, 1e-13}};
  const bool is_explicit = integrator::objection(form, accurate).empty();
  return end_of(mechanism, {is_explicit ? form : formulation::Index1{}, accurate});
}

OrderCheck::OrderCheck(const Mechanism& mechanism, Formulation form)
    : mechanism_(mechanism), formulation_(std::move(form)), exact_(exact_end_of(mechanism, formulation_)) {}

OrderCheck::Errors OrderCheck::errors(const Integrator& method) const {
  const End end = end_of(mechanism_, {formulation_, method});
  return {largest_difference(end.q, exact_.q), largest_difference(end.v, exact_.v),
          largest_difference(end.state(), exact_.state()), largest_difference(end.values, exact_.values)};
}

void OrderCheck::check(const Integrator& method, double lower, double upper,
                       std::initializer_list<double Errors::*> which) const {
  const Errors coarse = errors(method), fine = errors(with_step(method, integrator::fixed_step(method) / 2));
  const Integration how{formulation_, method};
  for (double Errors::*error : which) {
    INFO(mechanism_.name << ", " << how.name() << ": error " << coarse.*error << ", then " << fine.*error);
    const double observed = std::log2(coarse.*error / fine.*error);
    CHECK(observed > lower);
    CHECK(observed < upper);
  }
}

void OrderCheck::all(const Integrator& method, double lower, double upper) const {
  check(method, lower, upper, {&Errors::q, &Errors::v, &Errors::values});
}

void OrderCheck::positions(const Integrator& method, double lower, double upper) const {
  check(method, lower, upper, {&Errors::q});
}

void OrderCheck::state(const Integrator& method, double lower, double upper) const {
  check(method, lower, upper, {&Errors::state});
}

void OrderCheck::values(const Integrator& method, double lower, double upper) const {
  check(method, lower, upper, {&Errors::values});
}

Drift drift_of(const Mechanism& mechanism, const simulation::Evaluation& run) {
  const system::System& system = *mechanism.problem.system;
  system::Workspace w(system);
  const integrator::Mesh& mesh = run.solution.mesh;
  Drift drift;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    system.evaluate({mesh.t[k], mesh.q_at(k), mesh.v_at(k), nullptr, nullptr}, *run.data, w);
    drift.position = std::max(drift.position, largest({w.phi.begin(), w.phi.end()}));
    drift.rate = std::max(drift.rate, largest({w.phi_rate.begin(), w.phi_rate.end()}));
  }
  return drift;
}
