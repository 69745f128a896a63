// SPDX-License-Identifier: MIT
#include "analysis/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

// How far the neighbour of a position is that tells redundant constraints from a singular position, relative.
constexpr double neighbourhood = 1e-3;

/// A position nearby where the constraints hold too. False where nothing moves, or none was found.
bool move_along(ConstraintSolver& constraints, double t, const Data& data, std::vector<double>& q) {
  const int n = constraints.system().coordinate_count();
  constraints.evaluate(t, q.data(), data);
  constraints.leave_out_velocity_rows();
  constraints.factor(false, t);
  std::vector<double> step(static_cast<std::size_t>(constraints.size()), 0.0);
  // Any direction will do that no mechanism prefers.
  for (int i = 0; i < n; ++i) step[static_cast<std::size_t>(i)] = constraints.weight(i) * std::sin(1.7 + 2.3 * i);
  constraints.solve(step.data());
  const double size = largest(step.data(), n);
  if (!(size > 1e-6)) return false;
  const double factor = neighbourhood * std::max(1.0, largest(q.data(), n)) / size;
  for (int i = 0; i < n; ++i) q[static_cast<std::size_t>(i)] += factor * step[static_cast<std::size_t>(i)];
  return constraints.close(t, data, q, q);
}

}  // namespace

Mobility mobility(ConstraintSolver& constraints, double t, const Data& data, const std::vector<double>& q) {
  const System& s = constraints.system();
  Mobility out;
  for (int i = 0; i < s.coordinate_count(); ++i) out.coordinates += s.role(i) != model::Role::State;
  out.constraints = s.constraint_count();
  constraints.evaluate(t, q.data(), data);
  const system::ConstraintRank here = system::constraint_rank(s, constraints.workspace());
  out.rank = here.rank();
  out.degrees_of_freedom = out.coordinates - out.rank;
  out.velocity_constraints = static_cast<int>(s.velocity_rows().size());
  out.position_freedoms = out.degrees_of_freedom;
  if (s.constrains_velocities()) {
    constraints.leave_out_velocity_rows();
    out.position_freedoms = out.coordinates - system::constraint_rank(s, constraints.workspace()).rank();
  }
  out.redundant = here.redundant;
  out.margin = here.rows.margin();
  out.weakest = here.weakest;
  if (!here.is_redundant()) return out;
  std::vector<double> neighbour = q;
  try {
    if (!move_along(constraints, t, data, neighbour)) return out;
    constraints.evaluate(t, neighbour.data(), data);
  } catch (const Interrupted&) {
    throw;
  } catch (const NumericalError&) {
    return out;  // nothing to compare with
  }
  out.singular_freedoms = std::max(0, system::constraint_rank(s, constraints.workspace()).rank() - out.rank);
  return out;
}

std::vector<std::string> singularity_warnings(const Mobility& found, double t) {
  if (found.singular_freedoms > 0) {
    return {at_time(t) + "the position is singular: there the constraints of " + system::describe(found.redundant) +
            " lose their hold, and the mechanism may go on in more than one way"};
  }
  if (!found.is_nearly_singular()) return {};
  char margin[32];
  std::snprintf(margin, sizeof margin, "%.1e", found.margin);
  return {at_time(t) + "the position is nearly singular (pivot ratio " + margin + "): the constraints of \"" +
          found.weakest + "\" almost follow from the others; reactions and accelerations may be large there"};
}

}  // namespace perilune::analysis
