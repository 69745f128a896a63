// SPDX-License-Identifier: MIT
#include "sensitivity/stabilized/stabilized_sweep.hpp"

#include "sensitivity/continuous/continuous_matrices.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;

StabilizedSweep::StabilizedSweep(const Problem& problem, LinearizedMotion& motion, AdjointBundle& bundle)
    : motion_(motion),
      bundle_(bundle),
      costs_(problem, CostTerms::Plain),
      n_(static_cast<Index>(motion.n())),
      m_(static_cast<Index>(motion.m())),
      objectives_(problem.objectives.size()) {}

void StabilizedSweep::run(const std::vector<double>& times, std::size_t first, std::size_t last,
                          AdjointColumns& columns) {
  RadauStep::Equations at;
  for (std::size_t node = last; node-- > first;) {
    check_interrupt();
    const double start = times[node + 1], h = times[node] - start;
    for (std::size_t i = 0; i < radau_stage_count; ++i) at[i] = equations(start + step_.node(i) * h, columns.count());
    const auto& solutions = step_.solve(h, at, columns.mu, columns.rate);
    for (std::size_t i = 0; i < radau_stage_count; ++i) {
      add_integrals(start + step_.node(i) * h, solutions[i], -h * step_.weight(i), columns);
    }
    columns.mu = solutions.back().position;
    columns.rate = solutions.back().rate;
  }
}

StabilizedEquations StabilizedSweep::equations(double t, Index columns) {
  motion_.at(t);
  ++linearizations_;
  AdjointMatrices matrices(motion_);
  StabilizedEquations out{
      std::move(matrices.mass),     std::move(matrices.a_transposed),  std::move(matrices.b_transposed),
      std::move(matrices.jacobian), std::move(matrices.jacobian_rate), MatrixXd::Zero(n_, columns),
      MatrixXd::Zero(m_, columns),  MatrixXd::Zero(m_, columns),       std::move(matrices.border)};
  for (std::size_t o = 0; o < objectives_; ++o) {
    const CostGradient& g = costs_.at(o, motion_, true);
    const auto k = static_cast<Index>(o);
    for (Index i = 0; i < n_; ++i) {
      const auto j = static_cast<std::size_t>(i);
      out.force(i, k) = g.of.z[j] - g.v_rate[j] + g.a_second[j];
    }
    for (Index i = 0; i < m_; ++i) {
      out.position(i, k) = g.of.lambda[static_cast<std::size_t>(i)];
      out.rate(i, k) = g.lambda_rate[static_cast<std::size_t>(i)];
    }
  }
  return out;
}

void StabilizedSweep::add_integrals(double t, const StageSolution& stage, double weight, AdjointColumns& columns) {
  motion_.at(t);
  for (std::size_t k = 0; k < static_cast<std::size_t>(columns.count()); ++k) {
    const bool has_costs = k < objectives_;
    if (has_costs) bundle_.add_integrals(k, costs_.at(k, motion_, false).of, weight);
    std::vector<double>& data = has_costs ? bundle_.data[k] : columns.homogeneous_data[k - objectives_];
    const auto c = static_cast<Index>(k);
    motion_.add_transposed(Block::ResidualData, stage.position.col(c).data(), data.data(), -weight);
    motion_.add_transposed(Block::PhiData, stage.multipliers.col(c).data(), data.data(), -weight);
  }
}

}  // namespace perilune::sensitivity
