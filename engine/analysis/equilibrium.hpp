// SPDX-License-Identifier: MIT
// Static equilibrium: Q(q, 0, t) - Phi_q^T lambda = 0, Phi(q, t) = 0; the velocities of first-order states are unknowns
// too, with z' = 0. With constraints on velocities, A v = 0, these react, too: Q - Phi_q^T lambda - A^T kappa = 0, and
// the place is the one to which the way of rolling_way.hpp leads.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/assembly.hpp"

namespace perilune::analysis {

enum class Wanted {
  Stable,   // go downhill from the start, away from unstable equilibria
  Nearest,  // Newton's method from the start, to an equilibrium of any kind
};

struct Equilibrium {
  ConsistentState state;  // v: of the first-order states, else 0
  std::vector<double> lambda;
  double residual = 0;  // largest force that is left (N, N m)
  int iterations = 0;
  enum class Stability { Stable, Unstable, Unknown } stability = Stability::Unknown;
};

/// Of more coordinates eigenvalues are not sought to tell stability: they cost the cube of it.
inline constexpr int most_for_stability = 400;

/// The data with the switch of statics thrown, if there is one.
std::shared_ptr<const Data> data_at_rest(const System& system, const std::shared_ptr<const Data>& data);
std::optional<Data> changed_at_rest(const System& system, const Data& data);

/// From the declared state, made consistent, near which the equilibrium is sought. `independent` as in Assembly.
/// `state` says what to tell the user of a way of rolling.
/// Throws NumericalError when none is found.
Equilibrium find_equilibrium(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                             const std::vector<int>& independent, double t, Wanted wanted);

}  // namespace perilune::analysis
