// SPDX-License-Identifier: MIT
#include "sensitivity/edge_at_start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "at_time.hpp"
#include "sensitivity/discrete/tangent.hpp"

namespace perilune::sensitivity {

namespace {

/// The first of the parameters that moves a condition where the run begins, with its switch.
struct Moved {
  int parameter, number;
};

std::optional<Moved> find_moved(const Problem& problem, const Evaluation& run, const std::vector<int>& over) {
  const TangentBundle bundle(problem, run, over);
  // What conditions say of accelerations and reactions is left out: these follow the state.
  const auto count = static_cast<std::size_t>(bundle.count);
  const std::vector<double> none(static_cast<std::size_t>(bundle.n + bundle.m) * count, 0.0);
  const Measure& functions = *problem.system->switches();
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
      if (std::abs(moves[k]) > 1e-9 * largest) return Moved{over[k], number};
    }
  }
  return std::nullopt;
}

}  // namespace

void warn_of_edge_at_start(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                           std::vector<std::string>& warnings) {
  if (run.solution.jumps_at_start.empty() || !run.phases.empty()) return;
  constexpr std::size_t together = 64;  // so that thousands of parameters take no memory to speak of
  for (std::size_t first = 0; first < over.size(); first += together) {
    const auto begin = over.begin() + static_cast<std::ptrdiff_t>(first);
    const auto many = static_cast<std::ptrdiff_t>(std::min(together, over.size() - first));
    const std::optional<Moved> moved = find_moved(problem, run, {begin, begin + many});
    if (!moved) continue;
    warnings.push_back(at_time(problem.start) + "the motion begins right where \"" +
                       problem.system->switch_name(moved->number) +
                       "\" changes its side, and something jumps there: with another value of parameter \"" +
                       problem.system->parameter_name(moved->parameter) +
                       "\" it begins on either side, so that derivatives differ to both sides; these are those of one "
                       "of them");
    return;
  }
}

}  // namespace perilune::sensitivity
