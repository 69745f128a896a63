#include "formulation/formulation.hpp"

namespace perilune::formulation {

namespace {

const AugmentedLagrangian* augmented(const Formulation& formulation, int index) {
  const auto* f = std::get_if<AugmentedLagrangian>(&formulation);
  return f && f->index == index ? f : nullptr;
}

}  // namespace

bool is_index3(const Formulation& formulation) {
  return std::holds_alternative<Index3>(formulation) || augmented(formulation, 3);
}

ConstraintLaw point_law(const Formulation& formulation) {
  if (const auto* p = std::get_if<Penalty>(&formulation)) {
    return {1, 2 * p->xi * p->omega, p->omega * p->omega, 1 / p->alpha};
  }
  if (const auto* f = std::get_if<Index1>(&formulation)) return {1, 2 * f->alpha, f->beta * f->beta, 0};
  if (const auto* f = augmented(formulation, 1)) return {1, 2 * f->xi * f->omega, f->omega * f->omega, 0};
  return {};
}

ConstraintLaw step_law(const Formulation& formulation, double h) {
  return is_index3(formulation) ? ConstraintLaw{0, 0, 1 / (h * h), 0} : point_law(formulation);
}

bool is_regularized(const Formulation& formulation) {
  return std::holds_alternative<Penalty>(formulation) || std::holds_alternative<AugmentedLagrangian>(formulation);
}

bool allows_redundancy(const Formulation& formulation) {
  return is_regularized(formulation) || has_independent_coordinates(formulation);
}

bool has_independent_coordinates(const Formulation& formulation) {
  return std::holds_alternative<Maggi>(formulation) || std::holds_alternative<CoordinatePartitioning>(formulation);
}

bool ends_with_point(const Formulation& formulation) {
  return is_index3(formulation) || std::holds_alternative<StabilizedIndex1>(formulation);
}

bool projects(const Formulation& formulation) {
  if (augmented(formulation, 3)) return true;
  return std::visit(
      [](const auto& form) {
        if constexpr (requires { form.project; }) return form.project;
        return false;
      },
      formulation);
}

bool gives_way(const Formulation& formulation) {
  return !projects(formulation) && !ends_with_point(formulation) && !has_independent_coordinates(formulation);
}

std::string name_of(const Formulation& formulation) {
  static constexpr const char* names[] = {
      "penalty", "index1", "index3", "augmented_lagrangian", "stabilized_index1", "maggi", "coordinate_partitioning"};
  std::string name = names[formulation.index()];
  if (const auto* f = std::get_if<Index1>(&formulation))
    return f->alpha == 0 && f->beta == 0 ? name : name + " (Baumgarte)";
  if (augmented(formulation, 3)) return name + " (index 3)";
  return name;
}

}  // namespace perilune::formulation
