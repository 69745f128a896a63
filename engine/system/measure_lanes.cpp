// SPDX-License-Identifier: MIT
#include "system/measure_lanes.hpp"

#include <cstring>

namespace perilune::system {

using expr::Quantity;

MeasureLanes::Source MeasureLanes::source_of(const Measure::Input& input) {
  if (input.index < 0) return Source::Nowhere;
  switch (input.quantity) {
    case Quantity::Time:
    case Quantity::Position:
    case Quantity::Velocity:
    case Quantity::Acceleration:
    case Quantity::Multiplier:
      return Source::Motion;
    case Quantity::Parameter:
    case Quantity::Side:
      return Source::Data;
    case Quantity::Absence:
    case Quantity::Argument:
      return Source::Nowhere;
  }
  return Source::Nowhere;
}

MeasureLanes::MeasureLanes(const Measure& measure) : measure_(measure), work_(measure.tape_.make_work<Pack>()) {
  for (std::size_t i = 0; i < measure.inputs_.size(); ++i) {
    const Measure::Input& input = measure.inputs_[i];
    const int slot = static_cast<int>(i);
    if (source_of(input) == Source::Motion) moving_.push_back({slot, input.quantity, input.index});
    if (source_of(input) == Source::Data) data_.push_back(slot);
    if (source_of(input) == Source::Nowhere) work_[i] = measure.read({}, input);
  }
}

void MeasureLanes::set_data(std::size_t lane, const double* parameters, const double* sides) {
  const MotionPoint at{0, nullptr, nullptr, nullptr, nullptr, parameters, sides};
  for (const int slot : data_) {
    const auto i = static_cast<std::size_t>(slot);
    work_[i].set(static_cast<int>(lane), measure_.read(at, measure_.inputs_[i]));
  }
}

void MeasureLanes::evaluate(const Rows& at, double* out) {
  for (const Moving& each : moving_) {
    const double* rows = each.quantity == Quantity::Time           ? at.t
                         : each.quantity == Quantity::Position     ? at.q
                         : each.quantity == Quantity::Velocity     ? at.v
                         : each.quantity == Quantity::Acceleration ? at.a
                                                                   : at.lambda;
    const int row = each.quantity == Quantity::Time ? 0 : each.index;
    std::memcpy(work_[static_cast<std::size_t>(each.slot)].x, rows + row * expr::lane_count, sizeof(Pack));
  }
  measure_.tape_.evaluate(work_.data());
  std::memcpy(out, work_[static_cast<std::size_t>(measure_.tape_.output_slot(0))].x, sizeof(Pack));
}

}  // namespace perilune::system
