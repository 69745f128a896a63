// SPDX-License-Identifier: MIT
#include "system/lanes.hpp"

#include <algorithm>

namespace perilune::system {

namespace {

std::size_t packed_count(const System& system) {
  std::size_t count = 0;
  for (const Elements& each : system.elements()) {
    count += static_cast<std::size_t>(each.batch.count * each.kernel->data_count());
  }
  return count;
}

std::size_t size(int count) { return static_cast<std::size_t>(count); }

}  // namespace

SystemLanes::SystemLanes(std::shared_ptr<const System> system, std::size_t more_rows)
    : system_(std::move(system)),
      registers_(expr::registers_here()),
      n_(size(system_->coordinate_count())),
      m_(size(system_->constraint_count())),
      nn_(system_->nn().size()),
      mn_(system_->mn().size()),
      packed_(packed_count(*system_)),
      constant_(nn_ + n_),
      values_(count() + more_rows),
      alone_(*system_),
      state_(2 * n_) {
  for (Elements& each : system_->elements()) {
    if (each.kernel->is_constant()) continue;
    Moving& own =
        moving_.emplace_back(Moving{each.kernel, std::move(each.batch), model::lanes_of(*each.kernel, registers_), {}});
    if (!own.evaluate) own.rows = rows_of(own);
  }
  // As the system has it, so that what adds to the same number does so in the same order.
  std::stable_partition(moving_.begin(), moving_.end(),
                        [](const Moving& each) { return each.kernel->constraint_count() == 0; });
}

std::vector<std::size_t> SystemLanes::rows_of(const Moving& elements) const {
  std::vector<std::size_t> rows;
  const auto add = [&rows](const std::vector<int>& places, std::size_t first) {
    for (const int place : places) {
      if (place >= 0) rows.push_back(first + size(place));
    }
  };
  const model::Batch& batch = elements.batch;
  add(batch.coordinates, force());
  if (elements.kernel->has_mass()) add(batch.nn, mass());
  add(batch.mn, jacobian());
  for (const std::size_t first : {phi(), phi_rate(), phi_bias()}) add(batch.multipliers, first);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void SystemLanes::set_data(std::size_t lane, const Data& data) {
  packed_.put(0, lane, data.packed.data(), data.packed.size());
  constant_.put(0, lane, data.constant.data(), data.constant.size());
  data_[lane] = &data;
}

void SystemLanes::evaluate_alone(const Moving& elements, const model::LaneKinematics& at, std::size_t lane) {
  double *values = alone_.values.data(), *rows = values_.row(0) + lane;
  constexpr std::size_t step = expr::lane_count;
  for (const std::size_t row : elements.rows) values[row] = rows[row * step];
  for (std::size_t i = 0; i < n_; ++i) {
    state_[i] = at.q[i * step + lane];
    state_[n_ + i] = at.v[i * step + lane];
  }
  elements.kernel->evaluate(elements.batch, {at.t[lane], state_.data(), state_.data() + n_}, data_[lane]->packed.data(),
                            alone_.blocks);
  for (const std::size_t row : elements.rows) rows[row * step] = values[row];
}

void SystemLanes::evaluate(const model::LaneKinematics& at, const Lanes& asked) {
  std::copy_n(constant_.row(0), (nn_ + n_) * expr::lane_count, values_.row(0));
  std::fill_n(values_.row(jacobian()), mn_ * expr::lane_count, 0.0);
  model::Blocks blocks;
  blocks.mass = values_.row(mass());
  blocks.force = values_.row(force());
  blocks.jacobian = values_.row(jacobian());
  blocks.phi = values_.row(phi());
  blocks.phi_rate = values_.row(phi_rate());
  blocks.phi_bias = values_.row(phi_bias());
  for (const Moving& each : moving_) {
    if (each.evaluate) {
      each.evaluate(each.batch, at, packed_.row(0), blocks);
      continue;
    }
    for (std::size_t lane = 0; lane < asked.size(); ++lane) {
      if (asked[lane]) evaluate_alone(each, at, lane);
    }
  }
}

}  // namespace perilune::system
