// SPDX-License-Identifier: MIT
#include "sensitivity/discrete/start_data.hpp"

namespace perilune::sensitivity {

std::vector<char> data_of_start(const Problem& problem) {
  const System& system = *problem.system;
  const bool is_declared = problem.from || problem.start_from == analysis::StartFrom::Declared;
  std::vector<char> out(static_cast<std::size_t>(system.data_count()), is_declared ? 0 : 1);
  const auto mark = [&](int datum) {
    if (datum >= 0) out[static_cast<std::size_t>(datum)] = 1;
  };
  system.md().for_each([&](int, int datum) { mark(datum); });
  for (int i = 0; i < system.coordinate_count(); ++i) {
    mark(system.initial_position_datum(i));
    mark(system.initial_velocity_datum(i));
  }
  if (const int time = system.time_datum(); time >= 0) out[static_cast<std::size_t>(time)] = 0;
  return out;
}

}  // namespace perilune::sensitivity
