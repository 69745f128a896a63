// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/tangents_read.hpp"

namespace perilune::sensitivity {

std::optional<formulation::TangentsRead> tangents_read(const Problem& problem) {
  const System& system = *problem.system;
  if (system.switches() || !system.sampled().empty()) return std::nullopt;
  formulation::TangentsRead out;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  out.motions.assign(n, 0);
  out.accelerations.assign(n, 0);
  using expr::Quantity;
  const auto mark = [](std::vector<char>& list, const Measure& measure, Quantity quantity) {
    for (const int index : measure.indices_of(quantity)) list[static_cast<std::size_t>(index)] = 1;
  };
  const auto add = [&](const std::optional<Measure>& measure) {
    if (!measure) return;
    mark(out.motions, *measure, Quantity::Position);
    mark(out.motions, *measure, Quantity::Velocity);
    mark(out.accelerations, *measure, Quantity::Acceleration);
    out.multipliers = out.multipliers || measure->reads(Quantity::Multiplier);
  };
  for (const auto& objective : problem.objectives) {
    add(objective->terminal);
    add(objective->integral);
    if (!objective->extremum) continue;
    // Between mesh points each of the three is interpolated by all of them.
    const Measure& signal = objective->extremum->signal;
    add(signal);
    for (const Quantity each : {Quantity::Position, Quantity::Velocity, Quantity::Acceleration}) {
      mark(out.motions, signal, each);
      mark(out.accelerations, signal, each);
    }
  }
  if (problem.stop) add(problem.stop->terminal);
  return out;
}

}  // namespace perilune::sensitivity
