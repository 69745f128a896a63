// What is asked of a formulation with an integrator: constraints kept, order of convergence, exact discrete gradients.
#pragma once
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "mechanisms.hpp"

/// Largest difference of two gradients of an objective, relative to its largest entry. Entries count per relative
/// change of a parameter (absolute below 1), so that a stiffness of 100 N/m weighs as much as a length of 1 m.
inline double difference(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& rho) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double scale = std::max(1.0, std::abs(rho[i]));
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, scale * std::abs(x[i] - y[i]));
    largest = std::max(largest, scale * std::abs(y[i]));
  }
  return worst / largest;
}

struct FormRun {
  perilune::formulation::Formulation form;
  perilune::integrator::Integrator method;
  std::string name() const {
    return perilune::formulation::name_of(form) + ", " + perilune::integrator::name_of(method);
  }
};

inline perilune::sensitivity::Evaluation run_of(Mechanism& mechanism, const FormRun& how) {
  mechanism.problem.formulation = how.form;
  mechanism.problem.integrator = how.method;
  auto run = perilune::sensitivity::evaluate(mechanism.problem, mechanism.parameters());
  INFO(mechanism.name << ", " << how.name() << ": " << run.solution.message);
  REQUIRE(run.solution.status == perilune::integrator::Status::Completed);
  return run;
}

/// Positions and velocities at the end.
inline std::vector<double> end_state(Mechanism& mechanism, const FormRun& how) {
  const auto run = run_of(mechanism, how);
  const perilune::integrator::Mesh& mesh = run.solution.mesh;
  const std::size_t last = mesh.size() - 1;
  std::vector<double> state(mesh.q_at(last), mesh.q_at(last) + mesh.n);
  state.insert(state.end(), mesh.v_at(last), mesh.v_at(last) + mesh.n);
  return state;
}

inline double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
  return worst;
}

/// Orders of convergence at the end, from runs at a step and at half of it.
class OrderCheck {
 public:
  OrderCheck(Mechanism& mechanism, perilune::formulation::Formulation form)
      : mechanism_(mechanism),
        form_(std::move(form)),
        exact_(end_state(mechanism,
                         {perilune::formulation::Index1{}, perilune::integrator::DormandPrince{{1e-12, 1e-13}}})) {}
  void operator()(const perilune::integrator::Integrator& method, double order) const {
    const double step = perilune::integrator::fixed_step(method), coarse = error(method),
                 fine = error(perilune::integrator::with_step(method, step / 2));
    const FormRun how{form_, method};
    INFO(mechanism_.name << ", " << how.name() << ": " << coarse << ", " << fine);
    CHECK(std::log2(coarse / fine) == Approx(order).margin(0.25));
  }

 private:
  double error(const perilune::integrator::Integrator& method) const {
    return largest_difference(end_state(mechanism_, {form_, method}), exact_);
  }

  Mechanism& mechanism_;
  perilune::formulation::Formulation form_;
  std::vector<double> exact_;
};

/// Largest violation of the constraints and of their rates at the mesh points.
struct Drift {
  double position = 0, rate = 0;
};
inline Drift drift_of(const Mechanism& mechanism, const perilune::sensitivity::Evaluation& run) {
  const perilune::system::System& system = *mechanism.problem.system;
  perilune::system::Workspace w(system);
  const perilune::integrator::Mesh& mesh = run.solution.mesh;
  Drift drift;
  for (std::size_t k = 0; k < mesh.size(); ++k) {
    system.evaluate({mesh.t[k], mesh.q_at(k), mesh.v_at(k), nullptr, nullptr}, *run.data, w);
    for (double x : w.phi) drift.position = std::max(drift.position, std::abs(x));
    for (double x : w.phi_rate) drift.rate = std::max(drift.rate, std::abs(x));
  }
  return drift;
}

/// The discrete direct and the discrete adjoint gradient are the same, and that of the steps themselves.
inline void check_discrete_gradients(Mechanism mechanism, const FormRun& how) {
  using namespace perilune::sensitivity;
  Problem& problem = mechanism.problem;
  problem.formulation = how.form;
  problem.integrator = how.method;
  INFO(mechanism.name << ", " << how.name());
  const std::vector<double> rho = mechanism.parameters();
  auto run = [&](const Method& which) { return gradient(problem, rho, mechanism.over(), which); };
  const Gradient direct = run(DiscreteDirect{}), adjoint = run(DiscreteAdjoint{});
  const Gradient extrapolated = run(FiniteDifference{4e-3, 2});
  REQUIRE(direct.derivatives.size() == problem.objectives.size());
  for (std::size_t o = 0; o < problem.objectives.size(); ++o) {
    CAPTURE(problem.objectives[o]->name);
    CHECK(direct.values[o] == adjoint.values[o]);
    CHECK(difference(direct.derivatives[o], adjoint.derivatives[o], rho) < 1e-10);
    CHECK(difference(direct.derivatives[o], extrapolated.derivatives[o], rho) < 1e-7);
  }
}
