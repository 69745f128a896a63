// SPDX-License-Identifier: MIT
#include "formulation/absolute/point_lanes.hpp"

#include <algorithm>

#include "error.hpp"

namespace perilune::formulation {

namespace {

constexpr int L = expr::lane_count;

}  // namespace

bool Dynamics::accelerations_in_lanes(double t, const double* q, const double* v, double* a, double* lambda) {
  if (rows_ != Rows::All || regularization_ != 0) return false;
  // The first point is found alone; and all of them where the matrix asks for pivots.
  const linalg::SmallLdl* method = solver_.symmetric_method();
  if (!method || method->listings() == 0) return false;
  PointLanes::Point point{this, t, q, v, a, lambda};
  return Fibers::wait(&point) && point.is_done;
}

bool PointLanes::are_offered(const System& system) {
  return expr::registers_here() != expr::Registers::None && !system.is_implicit() &&
         system.coordinate_count() + system.constraint_count() <= linalg::symmetric_limit;
}

PointLanes::PointLanes(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      n_(static_cast<std::size_t>(system_->coordinate_count())),
      m_(static_cast<std::size_t>(system_->constraint_count())),
      lanes_(system_, 2),
      nothing_(lanes_.count()),
      compliance_(nothing_ + 1),
      law_(2),
      x_(n_ + m_) {}

void PointLanes::list_operations(const Dynamics& of, const linalg::SmallLdl& method) {
  std::vector<int> row_of(of.solver_.value_count(), static_cast<int>(nothing_));
  const auto put = [&](const std::vector<int>& slots, std::size_t first, std::size_t step) {
    for (const int slot : slots) {
      row_of[static_cast<std::size_t>(slot)] = static_cast<int>(first);
      first += step;
    }
  };
  put(of.slots_.nn, lanes_.mass(), 1);
  put(of.slots_.lower, lanes_.jacobian(), 1);
  put(of.slots_.upper, lanes_.jacobian(), 1);
  put(of.slots_.compliance, compliance_, 0);
  ldl_.emplace(method, row_of);
  for (Lane& each : known_) each.listing = -1;
}

bool PointLanes::admit(std::size_t lane, const Point& point) {
  Dynamics& own = *point.dynamics;
  if (own.system_ != system_) return false;
  const linalg::SmallLdl* method = own.solver_.symmetric_method();
  if (!method || method->listings() == 0) return false;
  if (!ldl_) list_operations(own, *method);
  Lane& known = known_[lane];
  if (known.serial != own.serial_) known = {own.serial_, false, -1};
  if (known.listing != method->listings()) {
    if (!ldl_->serves(*method)) return false;
    known.listing = method->listings();
  }
  law_.row(0)[lane] = own.law_.rate;
  law_.row(1)[lane] = own.law_.position;
  lanes_.values().row(compliance_)[lane] = -(own.law_.compliance + own.regularization_);
  if (lanes_.has_elements()) {
    // Sides of switches are data that change on the way.
    if (!known.has_data || system_->switches()) lanes_.set_data(lane, *own.data_);
    known.has_data = true;
    lanes_.set_state(lane, point.t, point.q, point.v);
    return true;
  }
  try {
    own.evaluate_metric(point.t, point.q, point.v);
  } catch (const Interrupted&) {
    interrupt_requested.store(true);
    return false;
  } catch (const NumericalError&) {
    return false;  // it will say so alone
  }
  lanes_.set_values(lane, own.w_);
  return true;
}

void PointLanes::compute_right_sides() {
  const expr::LaneArray& w = lanes_.values();
  std::copy_n(w.row(lanes_.force()), n_ * L, x_.row(0));
  const double *rate = law_.row(0), *position = law_.row(1);
  for (std::size_t k = 0; k < m_; ++k) {
    const double *phi = w.row(lanes_.phi() + k), *phi_rate = w.row(lanes_.phi_rate() + k),
                 *phi_bias = w.row(lanes_.phi_bias() + k);
    double* x = x_.row(n_ + k);
    for (int i = 0; i < L; ++i) x[i] = -(phi_bias[i] + rate[i] * phi_rate[i] + position[i] * phi[i]);
  }
}

void PointLanes::require_finite(Admitted& points) const {
  double sum[L] = {};
  for (std::size_t i = 0; i < n_; ++i) {
    const double* x = x_.row(i);
    for (int lane = 0; lane < L; ++lane) sum[lane] += x[lane] - x[lane];  // 0, or NaN if any is not finite
  }
  for (std::size_t lane = 0; lane < points.size(); ++lane) {
    if (sum[lane] != 0) points[lane] = nullptr;
  }
}

void PointLanes::hand_out(const Admitted& points) {
  const std::size_t most = std::max(lanes_.count(), ldl_->number_count());
  if (unasked_.size() < most) unasked_.resize(most);
  expr::LanePointers solutions, values, factors;
  for (std::size_t lane = 0; lane < points.size(); ++lane) {
    solutions[lane] = values[lane] = factors[lane] = unasked_.data();
    if (!points[lane]) continue;
    Dynamics& own = *points[lane]->dynamics;
    solutions[lane] = own.rhs_.data();
    values[lane] = own.w_.values.data();
    factors[lane] = linalg::LdlLanes::numbers_of(*own.solver_.symmetric_method());
  }
  take_all(lanes_.registers(), x_.row(0), n_ + m_, solutions);
  if (lanes_.has_elements()) take_all(lanes_.registers(), lanes_.values().row(0), lanes_.count(), values);
  take_all(lanes_.registers(), ldl_->numbers().row(0), ldl_->number_count(), factors);
  for (Point* point : points) {
    if (!point) continue;
    Dynamics& own = *point->dynamics;
    std::copy_n(own.rhs_.data(), n_, point->a);
    std::copy_n(own.rhs_.data() + n_, m_, point->lambda);
    own.solver_.take_symmetric();
    own.is_on_the_way_ = false;
    ++own.evaluations_;
    point->is_done = true;
  }
}

void PointLanes::compute(std::span<const Fibers::Request, Fibers::most> points) {
  Admitted admitted{};
  std::size_t count = 0;
  for (std::size_t lane = 0; lane < admitted.size(); ++lane) {
    auto* point = static_cast<Point*>(points[lane]);
    if (!point || !admit(lane, *point)) continue;
    admitted[lane] = point;
    ++count;
  }
  if (count < 2) {
    // Another list may serve them from now on.
    if (count == 0) ldl_.reset();
    return;
  }
  if (lanes_.has_elements()) lanes_.evaluate();
  const linalg::LdlLanes::Lanes good = ldl_->factor(lanes_.registers(), lanes_.values());
  compute_right_sides();
  ldl_->solve(lanes_.registers(), x_.row(0));
  for (std::size_t lane = 0; lane < admitted.size(); ++lane) {
    if (!good[lane]) admitted[lane] = nullptr;
  }
  require_finite(admitted);
  hand_out(admitted);
}

}  // namespace perilune::formulation
