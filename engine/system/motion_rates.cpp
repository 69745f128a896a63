// SPDX-License-Identifier: MIT
#include "system/motion_rates.hpp"

namespace perilune::system {

MotionRates::MotionRates(const System& system)
    : MotionRates(system.elements(), system.coordinate_count(), system.constraint_count(), system.element_products()) {}

MotionRates MotionRates::with_second_rates(const System& system) {
  return {system.elements(), system.coordinate_count(), system.constraint_count(), system.element_products(), true};
}

MotionRates::MotionRates(const std::vector<Elements>& elements, int n, int m, ElementProductCache& products,
                         bool has_second_rates)
    : run_(n, m, 0), n_(static_cast<std::size_t>(n)) {
  auto make = [&](ProductKind kind) {
    ProductSteps steps = product_steps(kind, elements, n, products);
    run_.make_room(steps);
    return steps;
  };
  steps_ = std::make_shared<const Steps>(Steps{make(ProductKind::RatesOfRows), make(ProductKind::DampingRates),
                                               make(ProductKind::MassRates), make(ProductKind::TimePartial),
                                               make(ProductKind::Curvature),
                                               has_second_rates ? make(ProductKind::SecondRates) : ProductSteps()});
}

void MotionRates::set(const Point& point, std::size_t count) {
  run_.set_point(point.at, *point.data, point.law, count);
  for (std::size_t k = 0; k < count; ++k) run_.set_rates(k, point.a_rate, point.lambda_rate);
}

void MotionRates::add_time_partial(const Kinematics& at, const Data& data, const ConstraintLaw& law, double* r) {
  run_.set_point(at, data, law);
  run_.set_rows(0, r);
  run_.run(steps_->time_partial);
}

void MotionRates::add_curvature(const Point& point, double* r) {
  set(point);
  run_.set_rows(0, r);
  run_.run(steps_->curvature);
}

void MotionRates::add_rates_of_rows(const Point& point, const double* w, const PointGradient& out) {
  set(point);
  gradients_.assign(1, out);
  run_.set_weight(0, w);
  run_.set_gradient(0, gradients_.front());
  run_.run(steps_->rates_of_rows);
}

void MotionRates::add_second_rates(const Point& point, const double* a_second, const double* lambda_second,
                                   const double* w, const PointGradient& out) {
  set(point);
  run_.set_second_rates(0, a_second, lambda_second);
  gradients_.assign(1, out);
  run_.set_weight(0, w);
  run_.set_gradient(0, gradients_.front());
  run_.run(steps_->second_rates);
}

void MotionRates::add_damping_rates(const Point& point, int count, const double* x, double* out) {
  const auto products = static_cast<std::size_t>(count);
  gradients_.resize(products);
  set(point, products);
  for (std::size_t k = 0; k < products; ++k) {
    gradients_[k] = {.v = out + k * n_};
    run_.set_weight(k, x + k * n_);
    run_.set_gradient(k, gradients_[k]);
  }
  run_.run(steps_->damping_rates);
}

void MotionRates::add_mass_rates(const Kinematics& at, const Data& data, int count, const double* x, double* rate,
                                 double* second) {
  const auto products = static_cast<std::size_t>(count);
  gradients_.resize(products);
  run_.set_point(at, data, {}, products);
  for (std::size_t k = 0; k < products; ++k) {
    gradients_[k] = {.q = second ? second + k * n_ : nullptr, .a = rate ? rate + k * n_ : nullptr};
    run_.set_rates(k, x + k * n_, nullptr);
    run_.set_gradient(k, gradients_[k]);
  }
  run_.run(steps_->mass_rates);
}

}  // namespace perilune::system
