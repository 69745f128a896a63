// SPDX-License-Identifier: MIT
// Small motions about a state: with N an orthonormal basis of the null space of Phi_q,
//   dq = N x1,  dv = N x2 + P x1,  Phi_q P = -(d Phi_q/dt) N,  x1' = x2,  x2' = N^T da + P^T dv,
// since N turns with N' = P, and da from the index-1 equations, linearized. First-order states z follow with z' of the
// same equations. With constraints on velocities, see linearized_state.hpp; about a steady motion, steady_motion.hpp.
#pragma once
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "system/system.hpp"

namespace perilune::analysis {

struct StateRates;

struct Mode {
  double real = 0, imaginary = 0;  // of the eigenvalue, 1/s; the imaginary part is not negative
  double frequency = 0;            // natural frequency |eigenvalue| / 2 pi (Hz), 0 where nothing oscillates
  double damping = 0;              // ratio -real / |eigenvalue|, 0 for the eigenvalue 0
  /// By coordinate, the largest component 1; for first-order states the part of z.
  std::vector<std::complex<double>> shape;
  std::size_t eigenvalue = 0;  // its number among the eigenvalues
};

struct Linearization {
  int degrees_of_freedom = 0;                     // of velocities
  int position_freedoms = 0;                      // more than these where constraints are on velocities
  int states = 0;                                 // first-order ones, and integrals of them where a law reads these
  std::vector<std::complex<double>> eigenvalues;  // degrees_of_freedom + position_freedoms + states
  std::vector<Mode> modes;                        // by |eigenvalue|; a conjugate pair is one mode
  /// Of each eigenvalue by the parameters of StateRates, if given; none of an eigenvalue that is not simple.
  std::vector<std::vector<std::complex<double>>> derivatives;
  std::vector<int> unbalancing;  // see EigenvalueDerivatives
  std::string seen_from;         // the body that who moves along turns with, where the motion leaves that open

  /// The largest real part is beyond rounding.
  bool is_unstable() const;
};

/// At a state that fulfils the constraints; with derivatives where its rates are given. Redundant constraints are left
/// out. Throws NumericalError where a freedom has no mass, and Error where constraints are on velocities and the state
/// moves.
Linearization linearize(const system::System& system, const system::Data& data, double t, const std::vector<double>& q,
                        const std::vector<double>& v, const StateRates* rates = nullptr);

/// As seen by who moves along with the steady motion that the state is one of. Throws NumericalError where it is none.
Linearization linearize_steady(const model::Model& model, const system::System& system, const system::Data& data,
                               double t, const std::vector<double>& q, const std::vector<double>& v,
                               const StateRates* rates = nullptr);

}  // namespace perilune::analysis
