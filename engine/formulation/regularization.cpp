// SPDX-License-Identifier: MIT
#include "formulation/regularization.hpp"

#include <string>

namespace perilune::formulation {

namespace {

/// What resists each coordinate: its own entry of M. Directions without mass, such as that of the length of Euler
/// parameters, do not stand along coordinates: those that a constraint of one body ties together share the mean.
std::vector<double> masses_of(const system::System& system, const system::Workspace& w) {
  std::vector<double> mass(static_cast<std::size_t>(system.coordinate_count()));
  std::size_t entry = 0;
  system.nn().for_each([&](int i, int j) {
    if (i == j) mass[static_cast<std::size_t>(i)] = w.mass[entry];
    ++entry;
  });
  const std::vector<int>&start = system.mn().row_start(), &column = system.mn().column();
  for (int k = 0; k < system.constraint_count(); ++k) {
    if (!system.is_internal_constraint(k)) continue;
    const auto row = static_cast<std::size_t>(k);
    double sum = 0;
    for (int e = start[row]; e < start[row + 1]; ++e) {
      sum += mass[static_cast<std::size_t>(column[static_cast<std::size_t>(e)])];
    }
    const double mean = sum / std::max(1, start[row + 1] - start[row]);
    for (int e = start[row]; e < start[row + 1]; ++e) {
      double& own = mass[static_cast<std::size_t>(column[static_cast<std::size_t>(e)])];
      own = std::max(own, mean);
    }
  }
  return mass;
}

}  // namespace

double usual_regularization(const system::System& system, const system::Data& data) {
  constexpr double of_unit = 1e-7;  // of a constraint whose Phi_q M^-1 Phi_q^T is 1, such as 1 m of a point of 1 kg
  system::Workspace w(system);
  system.evaluate_metric(0, data.initial_q.data(), data.initial_v.data(), data, w);
  const std::vector<double> mass = masses_of(system, w);
  const std::vector<int>&start = system.mn().row_start(), &column = system.mn().column();
  double sum = 0;
  int count = 0;
  for (int k = 0; k < system.constraint_count(); ++k) {
    if (system.is_internal_constraint(k)) continue;
    double mobility = 0;
    for (auto e = static_cast<std::size_t>(start[static_cast<std::size_t>(k)]);
         e < static_cast<std::size_t>(start[static_cast<std::size_t>(k) + 1]); ++e) {
      const double own = mass[static_cast<std::size_t>(column[e])];
      if (own > 0) mobility += w.jacobian[e] * w.jacobian[e] / own;
    }
    if (!(mobility > 0) || !std::isfinite(mobility)) continue;  // moves no mass, or has no gradient there
    sum += std::log(mobility);
    ++count;
  }
  return count == 0 ? of_unit : of_unit * std::exp(sum / count);
}

}  // namespace perilune::formulation
