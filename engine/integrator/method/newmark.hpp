// SPDX-License-Identifier: MIT
// The Newmark family for second-order equations: Newmark, HHT and generalized-alpha as Arnold and Bruels (2007) state
// it for constrained systems, M a + Phi_q^T lambda = Q at the end of the step and an auxiliary acceleration w that the
// displacements use:
//   (1 - alpha_m) w' + alpha_m w = (1 - alpha_f) a' + alpha_f a
//   q' = q + h v + h^2 ((1/2 - beta) w + beta w'),   v' = v + h ((1 - gamma) w + gamma w')
#pragma once
#include "integrator/method/runge_kutta.hpp"

namespace perilune::integrator {

struct NewmarkWeights {
  double alpha_m, alpha_f, beta, gamma;
};
/// Second order with the wanted damping of high frequencies: rho in [0, 1] is the spectral radius at infinity.
NewmarkWeights generalized_alpha_weights(double rho);
/// Hilber, Hughes and Taylor with alpha in [-1/3, 0].
NewmarkWeights hht_weights(double alpha);

struct NewmarkPlan {
  Plan plan;
  int copies = 0;
};
NewmarkPlan newmark_plan(const NewmarkWeights& weights, const Ending& ending);

}  // namespace perilune::integrator
