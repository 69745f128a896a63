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

namespace {

VectorXd as_vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Index>(x.size()));
}

/// At the end, where the motion stands: particular solutions with mu^v = mu^v' = 0, then those of unit vectors
/// (Schaffer 2005, eqs. 5.43 and 5.44).
AdjointColumns columns_at_end(const Problem& problem, LinearizedMotion& motion, const Partition& partition) {
  const auto n = static_cast<Index>(motion.n()), objectives = static_cast<Index>(problem.objectives.size());
  const Index d = partition.freedoms();
  AdjointColumns out{MatrixXd(n, objectives + 2 * d), MatrixXd(n, objectives + 2 * d), {}};
  CostIntegrands costs(problem, CostTerms::Plain);
  const VectorXd none = VectorXd::Zero(d);
  for (Index o = 0; o < objectives; ++o) {
    const CostGradient& g = costs.at(static_cast<std::size_t>(o), motion, true);
    const VectorXd mu = partition.solve(as_vector(g.of.lambda), none);
    VectorXd rate = as_vector(g.lambda_rate);
    motion.add(Block::JacobianRate, mu.data(), rate.data(), -1);
    out.mu.col(o) = mu;
    out.rate.col(o) = partition.solve(rate, none);
  }
  for (Index i = 0; i < d; ++i) {
    const Partition::Curve of_value = partition.curve(VectorXd::Unit(d, i), none);
    out.mu.col(objectives + i) = of_value.value;
    out.rate.col(objectives + i) = of_value.rate;
    out.mu.col(objectives + d + i).setZero();
    out.rate.col(objectives + d + i) = of_value.value;
  }
  out.homogeneous_data.assign(static_cast<std::size_t>(2 * d),
                              std::vector<double>(static_cast<std::size_t>(problem.system->data_count()), 0.0));
  return out;
}

/// mu^v and mu^v' of every column.
MatrixXd pick(const Partition& partition, const MatrixXd& mu, const MatrixXd& rate) {
  MatrixXd out(2 * partition.freedoms(), mu.cols());
  for (Index k = 0; k < mu.cols(); ++k) out.col(k) << partition.pick(mu.col(k)), partition.pick(rate.col(k));
  return out;
}

IntervalResult solve_shooting_interval(const Problem& problem, const Evaluation& part, std::size_t number,
                                       const ChooseCoordinates& choose) {
  const std::vector<double>& times = part.solution.mesh.t;
  LinearizedMotion motion(problem, part);
  motion.enter(times.back(), true);
  motion.at(times.back());
  Partition partition(motion);
  choose(partition, number, false);
  AdjointColumns columns = columns_at_end(problem, motion, partition);
  AdjointBundle bundle(problem);
  StabilizedSweep(problem, motion, bundle).run(times, 0, times.size() - 1, columns);

  IntervalResult out;
  const Index d = partition.freedoms();
  if (number == 1) {
    out.first = columns.mu;
    out.second = columns.rate;
  } else {
    motion.at(times.front());
    choose(partition, number - 1, true);
    const MatrixXd picked = pick(partition, columns.mu, columns.rate);
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

void choose_best(Partition& partition, std::size_t /*number*/, bool /*from_after*/) { partition.choose(); }

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method, const ChooseCoordinates& choose) {
  // The equations are those of the stabilized form, whatever the form that the motion was found by.
  Problem of_equations = problem;
  of_equations.formulation = formulation::StabilizedIndex1{};
  const SolvedIntervals solved = solve_intervals(
      problem, parameters,
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
  Partition partition(motion);
  choose(partition, solved.results.size(), true);
  MatrixXd s = pick(partition, ends.mu, ends.rate);
  back_substitute(solved.results, s, bundle.parameters);
  const IntervalResult& first = solved.results.front();
  ends.mu = first.first.leftCols(objectives) + first.first.rightCols(s.rows()) * s;
  ends.rate = first.second.leftCols(objectives) + first.second.rightCols(s.rows()) * s;
  motion.enter(times.front(), false);
  motion.at(times.front());
  equations.end(ends);
  return bundle.finish(problem, run, over);
}

Gradient piecewise_adjoint(const Problem& problem, const std::vector<double>& parameters, const std::vector<int>& over,
                           const PiecewiseAdjoint& method) {
  return piecewise_adjoint(problem, parameters, over, method, choose_best);
}

}  // namespace perilune::sensitivity
