// What every integrator is asked: its order, what its tolerances promise, what stiffness costs it, and exact gradients.
#pragma once
#include <string>
#include <vector>

#include "mechanisms.hpp"

/// A finished run, at its end.
struct End {
  std::vector<double> q, v, lambda, values;
  perilune::integrator::Statistics statistics;
  std::size_t plans = 0;
};
End end_of(Mechanism mechanism, const perilune::formulation::Formulation& form,
           const perilune::integrator::Integrator& method);

double largest_difference(const std::vector<double>& x, const std::vector<double>& y);

/// Order observed between the steps of two methods, the second half as long as the first: of positions, of velocities
/// and of the objectives, among them integrals.
struct ObservedOrders {
  double q, v, values;
};
ObservedOrders observed_orders(Mechanism (*make)(), const perilune::formulation::Formulation& form,
                               const perilune::integrator::Integrator& coarse,
                               const perilune::integrator::Integrator& fine);

/// Discrete direct = discrete adjoint = extrapolated differences on the same sequence of steps.
void check_discrete_gradients(Mechanism mechanism, const perilune::formulation::Formulation& form,
                              const perilune::integrator::Integrator& method);

/// A mass of 1 kg that swings on a critically damped spring of `stiffness` N/m, almost a pendulum of 1 m. It starts
/// with the spring as long as the weight makes it there.
Mechanism spring_pendulum(double stiffness);
