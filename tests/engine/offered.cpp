// SPDX-License-Identifier: MIT
#include "offered.hpp"

#include "formulation/tree/recursion.hpp"

using namespace perilune;
using formulation::Formulation, formulation::JointCoordinates;
using integrator::Integrator;

std::vector<Formulation> all_formulations() {
  return {formulation::Penalty{1e9, 1, 10},
          formulation::Penalty{1e3, 0.7, 20},
          formulation::Index1{},
          formulation::Index1{5, 5},
          formulation::Index1{0, 0, true},
          formulation::Index3{},
          formulation::Index3{true},
          formulation::Index2{},
          formulation::Index2{true},
          formulation::AugmentedLagrangian{1, 1e7, 1, 10},
          formulation::AugmentedLagrangian{1, 1e7, 1, 10, true},
          formulation::AugmentedLagrangian{3, 1e7, 1, 10},
          formulation::StabilizedIndex1{},
          formulation::Maggi{},
          formulation::CoordinatePartitioning{},
          formulation::JointCoordinates{}};
}

std::vector<Integrator> all_integrators(double h) {
  using namespace integrator;
  const Tolerances loose{1e-4, 1e-5, h / 2};
  return {Rk4{h},
          Trapezoidal{h},
          Sdirk4{2 * h},
          Radau{3, 2 * h, {}},
          Radau{5, 3 * h, {}},
          Newmark{h},
          Hht{h},
          GeneralizedAlpha{h},
          Variational{h},
          Bdf{2, h, {}},
          Bdf{5, h, {}},
          Rosenbrock{3, 2 * h, {}},
          Rosenbrock{4, 2 * h, {}},
          DormandPrince{loose},
          Radau{5, 0, loose},
          Bdf{5, 0, loose},
          Rosenbrock{4, 0, loose}};
}

analysis::Mobility mobility_of(const Mechanism& mechanism) {
  const simulation::Problem& problem = mechanism.problem;
  const auto data = problem.system->make_data(mechanism.parameters());
  analysis::Assembly assembly(problem.system, problem.independent);
  const auto start = assembly.solve(problem.start, *data);
  return analysis::mobility(assembly.constraints(), problem.start, *data, start.q);
}

namespace {

template <class Ask>
auto asked(const Mechanism& mechanism, const Ask& ask) {
  const simulation::Problem& problem = mechanism.problem;
  const auto data = problem.system->make_data(mechanism.parameters());
  analysis::Assembly assembly(problem.system, problem.independent);
  const auto start = assembly.solve(problem.start, *data);
  return ask(problem.system, data, start.q.data());
}

}  // namespace

bool is_tree(const Mechanism& mechanism) {
  return asked(mechanism, [](const auto& system, const auto& data, const double* q) {
    return formulation::closing_constraints(*system, *data, q) == 0;
  });
}

bool has_recursions(const Mechanism& mechanism) {
  return asked(mechanism, [](const auto& system, const auto& data, const double* q) {
    return std::holds_alternative<std::unique_ptr<formulation::Recursion>>(formulation::recursion_of(system, data, q));
  });
}

std::vector<Formulation> formulations_for(const Mechanism& mechanism) {
  std::vector<Formulation> all = all_formulations();
  if (!mobility_of(mechanism).redundant.empty()) {
    std::erase_if(all, [](const Formulation& form) { return !formulation::properties(form).is_regularized; });
  }
  // Without recursions that form is coordinate partitioning, to the last bit.
  if (!has_recursions(mechanism)) {
    std::erase_if(all, [](const Formulation& form) { return std::holds_alternative<JointCoordinates>(form); });
  }
  return all;
}

std::vector<Integrator> integrators_for(const Formulation& form, double h) {
  std::vector<Integrator> all = all_integrators(h);
  std::erase_if(all, [&](const Integrator& method) { return !integrator::objection(form, method).empty(); });
  return all;
}
