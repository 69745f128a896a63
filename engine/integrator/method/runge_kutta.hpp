// SPDX-License-Identifier: MIT
// Runge-Kutta methods as tableaux, and the plans of their steps.
#pragma once
#include "integrator/plan.hpp"

namespace perilune::integrator {

/// Butcher tableau; all rows of `a` have as many entries as there are stages. A first stage at c = 0 is the end of the
/// step before.
struct Tableau {
  int stages = 0;
  std::vector<std::vector<double>> a;
  std::vector<double> b, c;
  // Weights of the slopes of the stages, and of the slope at the start, in the error estimate; empty without one.
  std::vector<double> error{};
  double error_start = 0;
  int error_order = 0;         // the estimate is proportional to h^(error_order + 1)
  double error_filter = 0;     // gamma of (I - h gamma J)^-1, which keeps the estimate of stiff components small
  double nearly_unstable = 3;  // times a rate of decay: explicit steps are about as long as they are stable

  bool is_explicit(std::size_t i) const;
  bool is_explicit() const;
  bool starts_at_start() const { return c.front() == 0; }
  bool ends_at_end() const { return a.back() == b; }
};
const Tableau& rk4_tableau();
const Tableau& dormand_prince_tableau();
const Tableau& dormand_prince8_tableau();
const Tableau& trapezoidal_tableau();
const Tableau& sdirk4_tableau();
const Tableau& radau3_tableau();
const Tableau& radau5_tableau();

/// How the formulation wants steps to end.
struct Ending {
  bool with_point = false;      // accelerations and multipliers are found anew at the end of an implicit step
  bool replaces_state = false;  // the next step starts from the point at the end
  bool projects = false;        // which is projected onto the constraints
};

/// The plan of a step, the same for all steps. `copies` of the initial point are needed before the first.
struct RungeKuttaPlan {
  Plan plan;
  int copies = 0;
  bool ends_with_point = false;  // after the last implicit stage
  std::vector<int> stage_node;   // where each stage is found: a node of the step, or -1 (or -2): before it
  std::vector<QuadratureLink> quadrature_error;  // the embedded estimate of the integrals' errors
};
RungeKuttaPlan runge_kutta_plan(const Tableau& tableau, const Ending& ending);

}  // namespace perilune::integrator
