// SPDX-License-Identifier: MIT
#include "sensitivity/stabilized/shooting_interval.hpp"

#include "sensitivity/stabilized/stabilized_sweep.hpp"

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
  const MatrixXd none = MatrixXd::Zero(d, 1);
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

}  // namespace

IntervalResult solve_interval(const Problem& problem, const Evaluation& part, std::size_t number,
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

  const auto objectives = static_cast<Index>(problem.objectives.size());
  const Index d = partition.freedoms(), parameters = problem.system->parameter_count();
  IntervalResult out;
  if (number == 1) {
    out.mu = columns.mu;
    out.rate = columns.rate;
  } else {
    motion.at(times.front());
    choose(partition, number - 1, true);
    MatrixXd picked(2 * d, columns.count());
    for (Index k = 0; k < columns.count(); ++k) {
      picked.col(k) << partition.pick(columns.mu.col(k)), partition.pick(columns.rate.col(k));
    }
    out.particular = picked.leftCols(objectives);
    out.transition = picked.rightCols(2 * d);
  }
  out.of_particular = MatrixXd::Zero(parameters, objectives);
  out.of_homogeneous = MatrixXd::Zero(parameters, 2 * d);
  for (Index o = 0; o < objectives; ++o) {
    out.of_particular.col(o) = as_vector(bundle.parameters[static_cast<std::size_t>(o)]);
    problem.system->data_adjoint(*part.data, bundle.data[static_cast<std::size_t>(o)].data(),
                                 out.of_particular.col(o).data());
  }
  for (Index i = 0; i < 2 * d; ++i) {
    problem.system->data_adjoint(*part.data, columns.homogeneous_data[static_cast<std::size_t>(i)].data(),
                                 out.of_homogeneous.col(i).data());
  }
  return out;
}

}  // namespace perilune::sensitivity
