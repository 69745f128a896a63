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
      values_(count() + more_rows) {
  for (Elements& each : system_->elements()) {
    if (each.kernel->is_constant()) continue;
    const model::EvaluateLanes own = model::lanes_of(*each.kernel);
    has_elements_ = has_elements_ && own;
    moving_.push_back({std::move(each.batch), own, each.kernel->constraint_count() > 0});
  }
  // As the system has it, so that what adds to the same number does so in the same order.
  std::stable_partition(moving_.begin(), moving_.end(), [](const Moving& each) { return !each.has_constraints; });
}

void SystemLanes::set_data(std::size_t lane, const Data& data) {
  packed_.put(0, lane, data.packed.data(), data.packed.size());
  constant_.put(0, lane, data.constant.data(), data.constant.size());
}

void SystemLanes::evaluate(const model::LaneKinematics& at) {
  std::copy_n(constant_.row(0), (nn_ + n_) * expr::lane_count, values_.row(0));
  std::fill_n(values_.row(jacobian()), mn_ * expr::lane_count, 0.0);
  model::Blocks blocks;
  blocks.mass = values_.row(mass());
  blocks.force = values_.row(force());
  blocks.jacobian = values_.row(jacobian());
  blocks.phi = values_.row(phi());
  blocks.phi_rate = values_.row(phi_rate());
  blocks.phi_bias = values_.row(phi_bias());
  for (const Moving& each : moving_) each.evaluate(registers_, each.batch, at, packed_.row(0), blocks);
}

}  // namespace perilune::system
