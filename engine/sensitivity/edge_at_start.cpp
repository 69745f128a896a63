// SPDX-License-Identifier: MIT
#include "sensitivity/edge_at_start.hpp"

#include <algorithm>
#include <cmath>

#include "at_time.hpp"
#include "sensitivity/discrete/tangent.hpp"

namespace perilune::sensitivity {

void warn_of_edge_at_start(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                           std::vector<std::string>& warnings) {
  if (run.solution.jumps_at_start.empty() || !run.phases.empty()) return;
  const System& system = *problem.system;
  const TangentBundle bundle(problem, run, over);
  // What conditions say of accelerations and reactions is left out: these follow the state.
  const auto count = static_cast<std::size_t>(bundle.count);
  const std::vector<double> none(static_cast<std::size_t>(bundle.n + bundle.m) * std::max<std::size_t>(count, 1), 0.0);
  const Measure& functions = *system.switches();
  std::vector<double> work = functions.make_work();
  functions.evaluate({problem.start, run.initial.q.data(), run.initial.v.data(), none.data(), none.data() + bundle.n,
                      run.data->parameters.data(), run.data->sides.data()},
                     work);
  for (const int number : run.solution.jumps_at_start) {
    std::vector<double> moves(count, 0.0);
    add_directional(functions, work, 1, bundle, bundle.z.data(), none.data(), moves.data(), number);
    for (std::size_t k = 0; k < count; ++k) {
      double largest = 0;  // of the state: what stays where it is does so to the rounding of what moves
      for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(bundle.n); ++i) {
        largest = std::max(largest, std::abs(bundle.z[i * count + k]));
      }
      if (!(std::abs(moves[k]) > 1e-9 * largest)) continue;
      warnings.push_back(at_time(problem.start) + "the motion begins right where \"" + system.switch_name(number) +
                         "\" changes its side, and something jumps there: with another value of parameter \"" +
                         system.parameter_name(over[k]) +
                         "\" it begins on either side, so that derivatives differ to both sides; these are those of "
                         "one of them");
      return;
    }
  }
}

}  // namespace perilune::sensitivity
