// SPDX-License-Identifier: MIT
#include "formulation/formulation.hpp"

namespace perilune::formulation {

namespace {

const AugmentedLagrangian* augmented(const Formulation& formulation, int index) {
  const auto* f = std::get_if<AugmentedLagrangian>(&formulation);
  return f && f->index == index ? f : nullptr;
}

// One record per form: a form without one does not compile.
Properties properties_of(const Penalty& form) { return {.is_regularized = true, .projects = form.project}; }
Properties properties_of(const Index1& form) { return {.projects = form.project}; }
Properties properties_of(const Index3& form) {
  return {.is_index3 = true, .ends_with_point = true, .projects = form.project};
}
Properties properties_of(const Index2& form) {
  return {.is_index2 = true, .ends_with_point = true, .projects = form.project};
}
Properties properties_of(const AugmentedLagrangian& form) {
  const bool is_index3 = form.index == 3;
  return {.is_regularized = true,
          .is_index3 = is_index3,
          .ends_with_point = is_index3,
          .projects = is_index3 || form.project};
}
Properties properties_of(const StabilizedIndex1&) { return {.ends_with_point = true}; }
Properties properties_of(const Maggi&) { return {.has_independent_coordinates = true}; }
Properties properties_of(const CoordinatePartitioning&) { return {.has_independent_coordinates = true}; }

}  // namespace

ConstraintLaw point_law(const Formulation& formulation) {
  if (const auto* p = std::get_if<Penalty>(&formulation)) {
    return {1, 2 * p->xi * p->omega, p->omega * p->omega, 1 / p->alpha};
  }
  if (const auto* f = std::get_if<Index1>(&formulation)) return {1, 2 * f->alpha, f->beta * f->beta, 0};
  if (const auto* f = augmented(formulation, 1)) return {1, 2 * f->xi * f->omega, f->omega * f->omega, 0};
  return {};
}

ConstraintLaw step_law(const Formulation& formulation, double h) {
  const Properties form = properties(formulation);
  if (form.is_index3) return {0, 0, 1 / (h * h), 0};
  if (form.is_index2) return {0, 1 / h, 0, 0};
  return point_law(formulation);
}

Properties properties(const Formulation& formulation) {
  return std::visit([](const auto& form) { return properties_of(form); }, formulation);
}

std::string name_of(const Formulation& formulation) {
  static constexpr const char* names[] = {"penalty",
                                          "index1",
                                          "index3",
                                          "index2",
                                          "augmented_lagrangian",
                                          "stabilized_index1",
                                          "maggi",
                                          "coordinate_partitioning"};
  std::string name = names[formulation.index()];
  if (const auto* f = std::get_if<Index1>(&formulation))
    return f->alpha == 0 && f->beta == 0 ? name : name + " (Baumgarte)";
  if (augmented(formulation, 3)) return name + " (index 3)";
  return name;
}

}  // namespace perilune::formulation
