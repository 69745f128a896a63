// SPDX-License-Identifier: MIT
#include "system/second_order.hpp"

namespace perilune::system {

SecondOrder::SecondOrder(const System& system)
    : SecondOrder(system.elements(), system.coordinate_count(), system.constraint_count(), system.data_count(),
                  system.element_products()) {}

SecondOrder::SecondOrder(const std::vector<Elements>& elements, int n, int m, int data, ElementProductCache& products)
    : run_(n, m, data), size_(static_cast<std::size_t>(n + m)) {
  auto make = [&](ProductKind kind) {
    ProductSteps steps = product_steps(kind, elements, n, products);
    run_.make_room(steps);
    return steps;
  };
  steps_ = std::make_shared<const Steps>(
      Steps{make(ProductKind::Gradient), make(ProductKind::First), make(ProductKind::Second)});
}

void SecondOrder::add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                               const Direction& direction, PointGradient& out) {
  add_gradient(at, data, law, w, std::span(&direction, 1), out);
}

void SecondOrder::add_gradient(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                               std::span<const Direction> directions, PointGradient& out) {
  run_.set_point(at, data, law, directions.size());
  for (std::size_t k = 0; k < directions.size(); ++k) {
    run_.set_first(k, directions[k]);
    run_.set_weight(k, w + k * size_);
    run_.set_gradient(k, out);
  }
  run_.run(steps_->gradient);
}

void SecondOrder::add_gradients(const Kinematics& at, const Data& data, const ConstraintLaw& law, const double* w,
                                std::span<const Direction> directions, std::span<PointGradient> out) {
  run_.set_point(at, data, law, directions.size());
  for (std::size_t k = 0; k < directions.size(); ++k) {
    run_.set_first(k, directions[k]);
    run_.set_weight(k, w);
    run_.set_gradient(k, out[k]);
  }
  run_.run(steps_->gradient);
}

void SecondOrder::add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law, const Direction& first,
                             const Direction& second, double* r) {
  add_second(at, data, law, std::span(&first, 1), second, r);
}

void SecondOrder::add_second(const Kinematics& at, const Data& data, const ConstraintLaw& law,
                             std::span<const Direction> first, const Direction& second, double* r) {
  run_.set_point(at, data, law, first.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    run_.set_first(k, first[k]);
    run_.set_second(k, second);
    run_.set_rows(k, r + k * size_);
  }
  run_.run(steps_->second);
}

void SecondOrder::add_first(const Kinematics& at, const Data& data, const ConstraintLaw& law,
                            const Direction& direction, double* r) {
  run_.set_point(at, data, law);
  run_.set_first(0, direction);
  run_.set_rows(0, r);
  run_.run(steps_->first);
}

}  // namespace perilune::system
