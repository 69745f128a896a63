// SPDX-License-Identifier: MIT
#include "sensitivity/edges_of_run.hpp"

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

/// The same of any number of parameters.
std::optional<Moved> find_moved_at_start(const Problem& problem, const Evaluation& run, const std::vector<int>& over) {
  constexpr std::size_t together = 64;  // so that thousands of parameters take no memory to speak of
  for (std::size_t first = 0; !run.solution.jumps_at_start.empty() && first < over.size(); first += together) {
    const auto begin = over.begin() + static_cast<std::ptrdiff_t>(first);
    const auto many = static_cast<std::ptrdiff_t>(std::min(together, over.size() - first));
    if (const auto moved = find_moved(problem, run, {begin, begin + many})) return moved;
  }
  return std::nullopt;
}

/// Slopes of an output of a measure by each parameter and by time, at the point last evaluated.
std::pair<std::vector<double>, double> slopes_in_time(const Measure& measure, std::vector<double>& work, int output,
                                                      int parameters) {
  std::pair<std::vector<double>, double> out{std::vector<double>(static_cast<std::size_t>(parameters), 0.0), 0};
  measure.visit_gradient(work, output, [&](expr::Quantity quantity, int index, double slope) {
    if (quantity == expr::Quantity::Parameter) out.first[static_cast<std::size_t>(index)] += slope;
    if (quantity == expr::Quantity::Time) out.second += slope;
  });
  return out;
}

/// The same where the run ends, of conditions on time, unless a condition on the motion ends it.
std::optional<Moved> find_moved_at_end(const Problem& problem, const Evaluation& run, const std::vector<int>& over) {
  if (run.solution.jumps_at_end.empty() || (problem.stop && !problem.stop->is_end_time)) return std::nullopt;
  const int count = problem.system->parameter_count();
  const integrator::Mesh& mesh = run.solution.mesh;
  system::MotionPoint end = mesh_point(mesh, mesh.size() - 1, run.data->parameters);
  end.sides = run.data->sides.data();
  std::vector<double> later(static_cast<std::size_t>(count), 0.0);  // how the end moves with each parameter
  if (problem.stop) {
    std::vector<double> work = problem.stop->terminal->make_work();
    problem.stop->terminal->evaluate(end, work);
    const auto [by_parameters, by_time] = slopes_in_time(*problem.stop->terminal, work, 0, count);
    for (std::size_t k = 0; k < later.size(); ++k) later[k] = -by_parameters[k] / by_time;
  }
  const Measure& functions = *problem.system->switches();
  std::vector<double> work = functions.make_work();
  functions.evaluate(end, work);
  for (const int number : run.solution.jumps_at_end) {
    const auto [by_parameters, by_time] = slopes_in_time(functions, work, number, count);
    for (const int parameter : over) {
      const auto k = static_cast<std::size_t>(parameter);
      const double by_end = by_time * later[k];
      const double largest = std::max(std::abs(by_parameters[k]), std::abs(by_end));
      if (std::abs(by_parameters[k] + by_end) > 1e-9 * largest) return Moved{parameter, number};
    }
  }
  return std::nullopt;
}

}  // namespace

void warn_of_edges(const Problem& problem, const Evaluation& run, const std::vector<int>& over,
                   std::vector<std::string>& warnings) {
  if (!run.phases.empty()) return;
  const auto condition = [&](const Moved& moved) {
    return "right where \"" + problem.system->switch_name(moved.number) + "\" changes its side, and ";
  };
  const auto parameter = [&](const Moved& moved) {
    return "parameter \"" + problem.system->parameter_name(moved.parameter) + "\"";
  };
  const auto jump = [&](const Moved& moved) {
    return condition(moved) + "something jumps there: with another value of " + parameter(moved) + " it ";
  };
  constexpr const char* so = ", so that derivatives differ to both sides; these are those of one of them";
  if (const auto moved = find_moved_at_end(problem, run, over)) {
    warnings.push_back(at_time(run.solution.mesh.t.back()) + "the motion ends " + jump(*moved) +
                       "does so before the end, or not at all" + so);
  }
  if (const auto moved = find_moved_at_start(problem, run, over)) {
    warnings.push_back(at_time(problem.start) + "the motion begins " + jump(*moved) + "begins on either side" + so);
  }
}

}  // namespace perilune::sensitivity
