// SPDX-License-Identifier: MIT
// What is asked of the motion that a formulation and an integrator make: where it ends, its order of convergence, what
// its tolerances promise, and how far it leaves the constraints.
#pragma once
#include <string>
#include <vector>

#include "mechanisms.hpp"

struct Integration {
  perilune::formulation::Formulation formulation;
  perilune::integrator::Integrator integrator;
  std::string name() const;
};

/// A run that must come to its end.
perilune::simulation::Evaluation run_of(Mechanism mechanism, const Integration& how);

/// The end of such a run.
struct End {
  std::vector<double> q, v, lambda, values;
  perilune::integrator::Statistics statistics;
  std::size_t plans = 0;
  std::vector<double> state() const;  // q and v
};
End end_of(const Mechanism& mechanism, const Integration& how);
/// By the same equations as exactly as doubles allow: those of index 1 where the formulation takes implicit integrators
/// only.
End exact_end_of(const Mechanism& mechanism, const perilune::formulation::Formulation& formulation);

/// Orders of convergence of a mechanism's end, from runs with the integrator's step and with half of it.
class OrderCheck {
 public:
  OrderCheck(const Mechanism& mechanism, perilune::formulation::Formulation formulation);
  /// That of positions, of velocities and of the objectives, among them integrals, is in the range.
  void all(const perilune::integrator::Integrator& method, double lower, double upper) const;
  /// That of positions, of positions and velocities together, or of the objectives.
  void positions(const perilune::integrator::Integrator& method, double lower, double upper) const;
  void state(const perilune::integrator::Integrator& method, double lower, double upper) const;
  void values(const perilune::integrator::Integrator& method, double lower, double upper) const;

 private:
  struct Errors {
    double q, v, state, values;
  };
  Errors errors(const perilune::integrator::Integrator& method) const;
  /// Of all the errors named.
  void check(const perilune::integrator::Integrator& method, double lower, double upper,
             std::initializer_list<double Errors::*> which) const;

  Mechanism mechanism_;
  perilune::formulation::Formulation formulation_;
  End exact_;
};

/// Largest violation of the constraints and of their rates at the mesh points.
struct Drift {
  double position = 0, rate = 0;
};
Drift drift_of(const Mechanism& mechanism, const perilune::simulation::Evaluation& run);
