// SPDX-License-Identifier: MIT
#include "formulation/formulation.hpp"

namespace perilune::formulation {

namespace {

/// Phi'' + 2 xi omega Phi' + omega^2 Phi - lambda / alpha = 0; none: alpha is infinite. A violation decays with xi
/// omega, and so does that of a constraint on velocities: Psi' + xi omega Psi - kappa / alpha = 0.
ConstraintLaw oscillating(double xi, double omega, double compliance) {
  return {1, 2 * xi * omega, omega * omega, compliance, xi * omega};
}

// One record per form: a form without one does not compile.
Properties properties_of(const Penalty& form) {
  return {.name = "penalty",
          .point_law = oscillating(form.xi, form.omega, 1 / form.alpha),
          .is_regularized = true,
          .projects = form.project};
}
Properties properties_of(const Index1& form) {
  return {.name = form.alpha == 0 && form.beta == 0 ? "index1" : "index1 (Baumgarte)",
          .point_law = {1, 2 * form.alpha, form.beta * form.beta, 0, form.alpha},
          .projects = form.project};
}
Properties properties_of(const Index3& form) {
  return {.name = "index3", .is_index3 = true, .ends_with_point = true, .projects = form.project};
}
Properties properties_of(const Index2& form) {
  return {.name = "index2", .is_index2 = true, .ends_with_point = true, .projects = form.project};
}
Properties properties_of(const AugmentedLagrangian& form) {
  const bool is_index3 = form.index == 3;
  return {.name = is_index3 ? "augmented_lagrangian (index 3)" : "augmented_lagrangian",
          .point_law = is_index3 ? ConstraintLaw() : oscillating(form.xi, form.omega, 0),
          .is_regularized = true,
          .iterated_alpha = form.alpha,
          .is_index3 = is_index3,
          .ends_with_point = is_index3,
          .projects = is_index3 || form.project};
}
Properties properties_of(const StabilizedIndex1&) {
  return {.name = "stabilized_index1", .unknowns = Unknowns::CoordinatesAndRates, .ends_with_point = true};
}
Properties properties_of(const Maggi&) {
  return {.name = "maggi", .unknowns = Unknowns::IndependentCoordinates, .has_reduced_points = true};
}
Properties properties_of(const CoordinatePartitioning&) {
  return {.name = "coordinate_partitioning", .unknowns = Unknowns::IndependentCoordinates};
}
Properties properties_of(const JointCoordinates&) {
  return {.name = "joint_coordinates", .unknowns = Unknowns::IndependentCoordinates};
}

}  // namespace

Properties properties(const Formulation& formulation) {
  return std::visit([](const auto& form) { return properties_of(form); }, formulation);
}

ConstraintLaw step_law(const Formulation& formulation, double h) {
  const Properties form = properties(formulation);
  if (form.is_index3) return {0, 0, 1 / (h * h), 0, 1 / h};
  if (form.is_index2) return {0, 1 / h, 0, 0, 1 / h};
  return form.point_law;
}

std::string name_of(const Formulation& formulation) { return properties(formulation).name; }

}  // namespace perilune::formulation
