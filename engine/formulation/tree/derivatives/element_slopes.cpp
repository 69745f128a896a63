// SPDX-License-Identifier: MIT
#include "formulation/tree/derivatives/element_slopes.hpp"

#include <algorithm>

namespace perilune::formulation {

namespace {

system::Elements one_of(const system::Elements& all, int element) {
  const int nq = all.kernel->coordinate_count(), nc = all.kernel->constraint_count(), nd = all.kernel->data_count();
  const auto part = [element](const auto& list, int stride) {
    using List = std::remove_cvref_t<decltype(list)>;
    if (list.empty()) return List();
    return List(list.begin() + element * stride, list.begin() + (element + 1) * stride);
  };
  system::Elements out{all.kernel, {}, part(all.datum, nd)};
  out.batch.count = 1;
  out.batch.coordinates = part(all.batch.coordinates, nq);
  out.batch.multipliers = part(all.batch.multipliers, nc);
  out.batch.nn = part(all.batch.nn, nq * nq);
  out.batch.mn = part(all.batch.mn, nc * nq);
  out.batch.nd = part(all.batch.nd, nq * nd);
  out.batch.md = part(all.batch.md, nc * nd);
  out.batch.is_active = part(all.batch.is_active, 1);
  out.batch.data_offset = all.batch.data_offset + static_cast<std::size_t>(element * nd);
  return out;
}

/// Every entry at its own place.
void number(std::vector<int>& slots) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] >= 0) slots[i] = static_cast<int>(i);
  }
}

}  // namespace

bool ElementSlopes::is_active(const system::Elements& elements, int element) {
  const int nd = elements.kernel->data_count();
  const auto first = elements.datum.begin() + element * nd;
  return std::any_of(first, first + nd, [](int column) { return column >= 0; });
}

ElementSlopes::ElementSlopes(const system::System& system, const system::Elements& elements, int element)
    : ElementSlopes(system, one_of(elements, element)) {}

ElementSlopes::ElementSlopes(const system::System& system, const system::Elements& elements)
    : kernel_(elements.kernel),
      batch_(elements.batch),
      datum_(elements.datum),
      n_(system.coordinate_count()),
      nq_(kernel_->coordinate_count()),
      nc_(kernel_->constraint_count()),
      nd_(kernel_->data_count()) {
  for (auto* slots : {&batch_.nn, &batch_.mn, &batch_.nd, &batch_.md}) number(*slots);
  of_values_ = batch_;
  for (std::size_t i = 0; i < of_values_.multipliers.size(); ++i) of_values_.multipliers[i] = static_cast<int>(i);
  has_data_ = std::any_of(datum_.begin(), datum_.end(), [](int column) { return column >= 0; });
  make_room(system);
}

void ElementSlopes::make_room(const system::System& system) {
  const auto room = [this](int rows, int columns) {
    return std::vector<double>(static_cast<std::size_t>(batch_.count * rows * columns), 0.0);
  };
  stiffness_ = damping_ = room(nq_, nq_);
  residual_data_ = room(nq_, nd_);
  jacobian_ = jacobian_rate_ = jacobian_acceleration_ = room(nc_, nq_);
  phi_data_ = phi_rate_data_ = phi_acceleration_data_ = room(nc_, nd_);
  values_ = room(nc_, 3);
  scratch_.resize(system.scratch_size());
  blocks_.stiffness = stiffness_.data();
  blocks_.damping = damping_.data();
  blocks_.residual_data = residual_data_.data();
  blocks_.jacobian = jacobian_.data();
  blocks_.jacobian_rate = jacobian_rate_.data();
  blocks_.jacobian_acceleration = jacobian_acceleration_.data();
  blocks_.phi_data = phi_data_.data();
  blocks_.phi_rate_data = phi_rate_data_.data();
  blocks_.phi_acceleration_data = phi_acceleration_data_.data();
  blocks_.phi = values_.data();
  blocks_.phi_rate = blocks_.phi + batch_.count * nc_;
  blocks_.phi_bias = blocks_.phi_rate + batch_.count * nc_;
  blocks_.scratch = scratch_.data();
}

void ElementSlopes::evaluate(const Node& x, const system::Data& data) {
  std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
  kernel_->evaluate(of_values_, at(x), data.packed.data(), blocks_);
}

void ElementSlopes::linearize(const Node& x, const system::Data& data) {
  for (auto* list : {&stiffness_, &damping_, &residual_data_, &jacobian_rate_, &jacobian_acceleration_, &phi_data_,
                     &phi_rate_data_, &phi_acceleration_data_}) {
    std::fill(list->begin(), list->end(), 0.0);
  }
  kernel_->linearize(batch_, at(x), data.packed.data(), blocks_, has_data_);
  has_damping_ = std::any_of(damping_.begin(), damping_.end(), [](double each) { return each != 0; });
}

void ElementSlopes::subtract_transposed(const double* w, double* z) const {
  double *zv = z + n_, *zd = zv + n_;
  const double *of_q = stiffness_.data(), *of_v = damping_.data(), *of_d = residual_data_.data();
  for (int e = 0; e < batch_.count; ++e) {
    const int *c = batch_.coordinates.data() + e * nq_, *d = datum_.data() + e * nd_;
    for (int i = 0; i < nq_; ++i, of_q += nq_, of_v += nq_, of_d += nd_) {
      const double weight = w[c[i]];
      if (weight == 0) continue;
      for (int j = 0; j < nq_; ++j) z[c[j]] -= weight * of_q[j];
      for (int j = 0; j < nq_ && has_damping_; ++j) zv[c[j]] -= weight * of_v[j];
      for (int j = 0; j < nd_ && has_data_; ++j) {
        if (d[j] >= 0) zd[d[j]] -= weight * of_d[j];
      }
    }
  }
}

void ElementSlopes::subtract_product(const double* z, int count, double* out) const {
  const double *zv = z + n_ * count, *zd = zv + n_ * count;
  const double *of_q = stiffness_.data(), *of_v = damping_.data(), *of_d = residual_data_.data();
  for (int e = 0; e < batch_.count; ++e) {
    const int *c = batch_.coordinates.data() + e * nq_, *d = datum_.data() + e * nd_;
    for (int i = 0; i < nq_; ++i, of_q += nq_, of_v += nq_, of_d += nd_) {
      double* to = out + c[i] * count;
      const auto add = [&](double slope, const double* from) {
        if (slope == 0) return;
        for (int k = 0; k < count; ++k) to[k] -= slope * from[k];
      };
      for (int j = 0; j < nq_; ++j) add(of_q[j], z + c[j] * count);
      for (int j = 0; j < nq_ && has_damping_; ++j) add(of_v[j], zv + c[j] * count);
      for (int j = 0; j < nd_ && has_data_; ++j) {
        if (d[j] >= 0) add(of_d[j], zd + d[j] * count);
      }
    }
  }
}

}  // namespace perilune::formulation
