// SPDX-License-Identifier: MIT
#include "integrator/method/variational.hpp"

namespace perilune::integrator {

Plan variational_plan(double alpha) {
  constexpr int between = 0;
  Plan plan;
  plan.groups = {{GroupKind::OwnStep, 0, Coupling(), formulation::VariationalScheme{alpha}}};
  plan.nodes.resize(2);
  plan.nodes[between].c = alpha;
  plan.end = 1;
  plan.quadrature = {{-1, 1, 0}, {between, 0, 1}};
  plan.finish();
  return plan;
}

std::string objection_to_variational(const system::System& system, double alpha) {
  const std::string instead = ", or use mbs.generalized_alpha, mbs.trapezoidal or mbs.radau";
  if (system.constrains_velocities()) {
    return "variational steps know constraints on positions alone, not those on velocities of " +
           system.describe_constraint(system.velocity_rows().front()) + ": leave them out" + instead;
  }
  if (system.is_implicit()) {
    return "variational steps have no accelerations and reactions for forces to read, as " + system.implicit_element() +
           ", does: leave it out" + instead;
  }
  if (!system.bent_mass_element().empty()) {
    return "variational steps need masses that are constant or those of Euler parameters, and the centre of mass of " +
           system.bent_mass_element() + ", turns about its reference point: place that at the centre" + instead;
  }
  if (alpha != 0.5 && system.has_moving_mass()) {
    return "an alpha other than 0.5 needs a constant mass matrix, which bodies with Euler parameters have not; use "
           "alpha = 0.5, or m:natural_body";
  }
  return {};
}

}  // namespace perilune::integrator
