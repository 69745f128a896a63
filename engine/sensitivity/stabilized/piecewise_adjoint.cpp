// SPDX-License-Identifier: MIT
#include "sensitivity/stabilized/piecewise_adjoint.hpp"

#include "error.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/intervals/interval_result.hpp"
#include "sensitivity/stabilized/stabilized_ends.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd BoundaryCoordinates::pick(const MatrixXd& mu, const MatrixXd& rate) const {
  MatrixXd out(2 * freedoms(), mu.cols());
  out << selection_.pick(mu), selection_.pick(rate);
  return out;
}

BoundaryCoordinates::Both BoundaryCoordinates::spread(const MatrixXd& top, const MatrixXd& top_rate,
                                                      const MatrixXd& independent,
                                                      const MatrixXd& independent_rate) const {
  Both out{selection_.solve(top, independent), {}};
  out.rate = selection_.solve(top_rate - at_.jacobian_rate * out.mu, independent_rate);
  return out;
}

namespace {

VectorXd as_vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

/// At the end, where the motion stands: particular solutions with mu^v = mu^v' = 0, then those of unit vectors
/// (Schaffer 2005, eqs. 5.43 and 5.44).
AdjointColumns columns_at_end(const Problem& problem, LinearizedMotion& motion,
                              const BoundaryCoordinates& coordinates) {
  const auto m = static_cast<Index>(motion.m()), objectives = static_cast<Index>(problem.objectives.size());
  const Index d = coordinates.freedoms(), all = objectives + 2 * d;
  CostIntegrands costs(problem, CostTerms::Plain);
  MatrixXd top = MatrixXd::Zero(m, all), top_rate = top, value = MatrixXd::Zero(d, all), rate = value;
  for (Index o = 0; o < objectives; ++o) {
    const CostGradient& g = costs.at(static_cast<std::size_t>(o), motion, true);
    top.col(o) = as_vector(g.of.lambda);
    top_rate.col(o) = as_vector(g.lambda_rate);
  }
  value.middleCols(objectives, d).setIdentity();
  rate.rightCols(d).setIdentity();
  BoundaryCoordinates::Both both = coordinates.spread(top, top_rate, value, rate);
  AdjointColumns out{std::move(both.mu), std::move(both.rate), {}};
  out.homogeneous_data.assign(static_cast<std::size_t>(2 * d),
                              std::vector<double>(static_cast<std::size_t>(problem.system->data_count()), 0.0));
  return out;
}

IntervalResult solve_shooting_interval(const Problem& problem, const Evaluation& part, std::size_t number,
                                       const ChooseCoordinates& choose) {
  const std::vector<double>& times = part.solution.mesh.t;
  LinearizedMotion motion(problem, part);
  motion.enter(times.back(), true);
  motion.at(times.back());
  BoundaryCoordinates own(motion);
  choose(own, number, false);
  AdjointColumns columns = columns_at_end(problem, motion, own);
  AdjointBundle bundle(problem);
  StabilizedSweep sweep(problem, motion, bundle);
  sweep.run(times, 0, times.size() - 1, columns);

  IntervalResult out;
  out.linearizations = sweep.linearizations();
  const Index d = own.freedoms();
  if (number == 1) {
    out.first = columns.mu;
    out.second = columns.rate;
  } else {
    motion.at(times.front());
    BoundaryCoordinates before(motion);
    choose(before, number - 1, true);
    const MatrixXd picked = before.pick(columns.mu, columns.rate);
    out.particular = picked.leftCols(picked.cols() - 2 * d);
    out.transition = picked.rightCols(2 * d);
  }
  out.of_particular = by_parameters(*problem.system, *part.data, bundle.data);
  for (Index o = 0; o < out.of_particular.cols(); ++o) {
    out.of_particular.col(o) += as_vector(bundle.parameters[static_cast<std::size_t>(o)]);
  }
  out.of_homogeneous = by_parameters(*problem.system, *part.data, columns.homogeneous_data);
  return out;
}

}  // namespace

void choose_best(BoundaryCoordinates& coordinates, std::size_t /*number*/, bool /*from_after*/) {
  coordinates.choose();
}

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method, const ChooseCoordinates& choose) {
  // The equations are those of the stabilized form, whatever the form that the motion was found by.
  Problem of_equations = problem;
  of_equations.formulation = formulation::StabilizedIndex1{};
  Evaluation start = prepare(problem, parameters);
  if (start.has_redundant) {
    throw NumericalError(
        "the piecewise adjoint does not go with redundant constraints, which leave multipliers undetermined; "
        "mbs.adjoint {} does, or leave those constraints out");
  }
  const SolvedIntervals solved = solve_intervals(
      problem, std::move(start),
      {.intervals = method.intervals,
       .pipeline = method.pipeline,
       .threads = method.threads,
       .method = "the piecewise adjoint"},
      [&](const IntervalPart& part, std::size_t number) {
        return solve_shooting_interval(of_equations, part.run, number, choose);
      },
      [&](const Evaluation& run) {
        if (const std::string jump = jump_along(problem, run); !jump.empty()) throw NumericalError(jump);
      });
  const Evaluation& run = solved.run;
  const std::vector<double>& times = run.solution.mesh.t;
  const auto objectives = static_cast<Index>(problem.objectives.size());
  LinearizedMotion motion(of_equations, run);
  const auto n = static_cast<Index>(motion.n());
  AdjointBundle bundle(of_equations, run, motion.dynamics());
  motion.enter(times.back(), true);
  motion.at(times.back());
  AdjointColumns ends{MatrixXd(n, objectives), MatrixXd(n, objectives), {}};
  StabilizedEnds equations(of_equations, motion, bundle);
  equations.begin(ends);
  BoundaryCoordinates last(motion);
  choose(last, solved.results.size(), true);
  MatrixXd s = last.pick(ends.mu, ends.rate);
  back_substitute(solved.results, s, bundle.parameters);
  const IntervalResult& first = solved.results.front();
  ends.mu = first.first.leftCols(objectives) + first.first.rightCols(s.rows()) * s;
  ends.rate = first.second.leftCols(objectives) + first.second.rightCols(s.rows()) * s;
  motion.enter(times.front(), false);
  motion.at(times.front());
  equations.end(ends);
  Gradient out = bundle.finish(problem, run, over);
  out.linearizations = linearizations(solved.results);
  note_loads(problem, method, out);
  return out;
}

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method) {
  return piecewise_adjoint(problem, parameters, over, method, choose_best);
}

}  // namespace perilune::sensitivity
