// SPDX-License-Identifier: MIT
#include "system/metric_products.hpp"

#include <algorithm>

namespace perilune::system {

namespace {

constexpr ConstraintLaw no_rows{0, 0, 0, 0, 0};

/// Some mass of the elements depends on positions or on data that are differentiated.
bool has_changing_mass(const Elements& e) {
  if (!e.kernel->has_mass()) return false;
  return !e.kernel->is_constant() || std::any_of(e.datum.begin(), e.datum.end(), [](int k) { return k >= 0; });
}

}  // namespace

MetricProducts::MetricProducts(const System& system)
    : run_(system.coordinate_count(), system.constraint_count(), system.data_count()),
      size_(static_cast<std::size_t>(system.coordinate_count() + system.constraint_count())) {
  std::vector<Elements> elements = system.elements();
  auto make = [&](ProductKind kind) {
    ProductSteps steps = product_steps(kind, elements, system.coordinate_count(), system.element_products());
    run_.make_room(steps);
    return steps;
  };
  std::erase_if(elements, [](const auto& e) { return !has_changing_mass(e) && e.kernel->constraint_count() == 0; });
  all_ = {make(ProductKind::MetricChange), make(ProductKind::MetricTangent)};
  std::erase_if(elements, [](const auto& e) { return !has_changing_mass(e); });
  masses_ = {make(ProductKind::MetricChange), make(ProductKind::MetricTangent)};
}

void MetricProducts::add_gradient(const Kinematics& at, const Data& data, const double* w, const double* a,
                                  const double* lambda, PointGradient out) {
  const Direction second{nullptr, nullptr, a, lambda, nullptr, 0};
  run_.set_point(at, data, no_rows);
  run_.set_second(0, second);
  run_.set_weight(0, w);
  run_.set_gradient(0, out);
  run_.run((lambda ? all_ : masses_).gradient);
}

void MetricProducts::add_tangent(const Kinematics& at, const Data& data, std::span<const Direction> along,
                                 const double* a, const double* lambda, double* rows) {
  const Direction second{nullptr, nullptr, a, lambda, nullptr, 0};
  run_.set_point(at, data, no_rows, along.size());
  for (std::size_t k = 0; k < along.size(); ++k) {
    run_.set_first(k, along[k]);
    run_.set_second(k, second);
    run_.set_rows(k, rows + k * size_);
  }
  run_.run((lambda ? all_ : masses_).tangent);
}

}  // namespace perilune::system
