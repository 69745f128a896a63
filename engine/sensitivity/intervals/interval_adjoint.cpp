// SPDX-License-Identifier: MIT
// The discrete adjoint over intervals of the motion, each solved apart from the others: of forms whose mesh points keep
// to the constraints, so that 2 d numbers tell an adjoint of the state there, while the motion goes on. All others are
// solved behind it.
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/discrete/backward.hpp"
#include "sensitivity/independent_coordinates/partition.hpp"
#include "sensitivity/intervals/recorded_intervals.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Problem problem_of_columns(const Problem& problem, Index homogeneous) {
  const auto without = [](const simulation::Objective& objective, bool keeps_integral) {
    auto copy = std::make_shared<simulation::Objective>(objective);
    copy->terminal.reset();
    if (!keeps_integral) copy->integral.reset();
    return copy;
  };
  Problem out = problem;
  out.stop = nullptr;
  for (auto& objective : out.objectives) objective = without(*objective, true);
  const std::shared_ptr<const simulation::Objective> none = without(*problem.objectives.front(), false);
  out.objectives.insert(out.objectives.end(), static_cast<std::size_t>(homogeneous), none);
  return out;
}

namespace {

bool goes_by_the_point_before(const Problem& problem) {
  const integrator::Tableau* tableau = integrator::tableau_of(problem.integrator);
  if (!tableau) return std::holds_alternative<integrator::Rosenbrock>(problem.integrator);
  return !is_stabilized(problem.formulation) || !tableau->starts_at_start();
}

/// Whether 2 d numbers of the mesh points, and not too many, are all that steps tell each other, and intervals can be
/// told by time before the motion has come to its end.
bool goes_with_the_motion(const Problem& problem, const Evaluation& start) {
  const System& system = *problem.system;
  return keeps_to_constraints(problem.formulation) && !start.has_redundant && !system.constrains_velocities() &&
         !system.next_values() && !problem.stop && !simulation::find_extremum(problem) &&
         2 * (system.coordinate_count() - system.constraint_count()) <= most_numbers_of_intervals &&
         goes_by_the_point_before(problem);
}

IntervalResult solve_interval(const Problem& problem, IntervalPart& part, std::size_t number) {
  Evaluation& run = part.run;
  LinearizedMotion boundary(problem, run);
  boundary.enter(run.solution.mesh.t.back(), true);
  boundary.at_mesh(run.solution.mesh.size() - 1);
  Partition partition(boundary);
  partition.choose();
  const Index d = partition.freedoms();
  const Problem of_columns = problem_of_columns(problem, 2 * d);
  const std::size_t objectives = problem.objectives.size();
  AdjointBundle bundle(of_columns);
  for (Index i = 0; i < 2 * d; ++i) {
    const VectorXd unit = partition.spread(VectorXd::Unit(d, i % d));
    (i < d ? bundle.q : bundle.v)[objectives + static_cast<std::size_t>(i)].assign(unit.begin(), unit.end());
  }
  const auto motion = formulation::make_motion(problem.system, run.data, problem.formulation);
  Backward backward(of_columns, run, *motion, bundle);
  backward.sweep(0, run.solution.steps.steps.size(), *part.nodes);

  IntervalResult out;
  out.linearizations = backward.linearizations();
  if (number == 1) {
    backward.finish(*part.nodes);
    out.first = side_by_side(bundle.q);
    out.second = side_by_side(bundle.v);
  } else {
    std::vector<Seeds> seeds = backward.hand_over(*part.nodes);
    boundary.hold(part.sides);
    boundary.at_mesh(0);
    partition.choose();
    MatrixXd reduced(2 * d, static_cast<Index>(seeds.size()));
    for (std::size_t k = 0; k < seeds.size(); ++k) {
      Seeds& y = seeds[k];
      boundary.dynamics().adjoint(y.a.data(), y.lambda.data(), y.z.data());
      bundle.add_integrals(k, y);
      reduced.col(static_cast<Index>(k)) = partition.reduce(&y.q(0), &y.v(0), bundle.data[k].data());
    }
    out.particular = reduced.leftCols(static_cast<Index>(objectives));
    out.transition = reduced.rightCols(2 * d);
  }
  const MatrixXd gathered = by_parameters(*problem.system, *run.data, bundle.data) + side_by_side(bundle.parameters);
  out.of_particular = gathered.leftCols(static_cast<Index>(objectives));
  out.of_homogeneous = gathered.rightCols(2 * d);
  return out;
}

}  // namespace

Gradient interval_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                          const DiscreteAdjoint& method) {
  Evaluation start = prepare(problem, parameters);
  const IntervalOptions options{.intervals = method.intervals,
                                .records = true,
                                .threads = method.threads,
                                .method = "the adjoint over intervals"};
  if (!goes_with_the_motion(problem, start)) return recorded_interval_adjoint(problem, start, over, options);
  const SolvedIntervals solved = solve_intervals(
      problem, std::move(start), options,
      [&](IntervalPart& part, std::size_t number) { return solve_interval(problem, part, number); },
      [](const Evaluation&) {});
  const Evaluation& run = solved.run;
  LinearizedMotion boundary(problem, run);
  boundary.enter(run.solution.mesh.t.back(), true);
  AdjointBundle bundle(problem, run, boundary.dynamics());
  boundary.at_mesh(run.solution.mesh.size() - 1);
  Partition partition(boundary);
  partition.choose();
  const std::size_t objectives = problem.objectives.size();
  MatrixXd s(2 * partition.freedoms(), static_cast<Index>(objectives));
  for (std::size_t o = 0; o < objectives; ++o) {
    s.col(static_cast<Index>(o)) = partition.reduce(bundle.q[o].data(), bundle.v[o].data(), bundle.data[o].data());
  }
  back_substitute(solved.results, s, bundle.parameters);
  const IntervalResult& first = solved.results.front();
  for (std::size_t o = 0; o < objectives; ++o) {
    const auto k = static_cast<Index>(o);
    const VectorXd q = first.first.col(k) + first.first.rightCols(s.rows()) * s.col(k),
                   v = first.second.col(k) + first.second.rightCols(s.rows()) * s.col(k);
    bundle.q[o].assign(q.begin(), q.end());
    bundle.v[o].assign(v.begin(), v.end());
  }
  Gradient out = bundle.finish(problem, run, over);
  out.linearizations = linearizations(solved.results);
  return out;
}

}  // namespace perilune::sensitivity
