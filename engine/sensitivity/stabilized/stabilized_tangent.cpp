// SPDX-License-Identifier: MIT
// The direct equations of the stabilized index-1 form (Schaffer 2005, eq. 4.113) on the mesh of the motion.
#include "error.hpp"
#include "sensitivity/continuous/continuous_tangent.hpp"
#include "sensitivity/stabilized/radau_step.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Forward, all directions at once.
class StabilizedTangent {
 public:
  using Interleaved = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  StabilizedTangent(const Problem& problem, LinearizedMotion& motion, TangentBundle& bundle,
                    std::vector<std::vector<double>>& derivatives)
      : problem_(problem),
        motion_(motion),
        bundle_(bundle),
        derivatives_(derivatives),
        work_(problem),
        n_(bundle.n),
        m_(bundle.m),
        count_(bundle.count),
        data_(problem.system->data_count()),
        x_(static_cast<std::size_t>((n_ + m_) * count_)) {}

  void run(const integrator::Mesh& mesh) {
    MatrixXd q = rows(0, n_), v = rows(n_, n_);
    RadauStep::Equations at;
    for (std::size_t node = 0; node + 1 < mesh.size(); ++node) {
      check_interrupt();
      const double h = mesh.t[node + 1] - mesh.t[node];
      if (h == 0) {  // an event
        motion_.enter(mesh.t[node], false);
        continue;
      }
      for (std::size_t i = 0; i < radau_stage_count; ++i) at[i] = equations(mesh.t[node] + step_.node(i) * h);
      const auto& solutions = step_.solve(h, at, q, v);
      for (std::size_t i = 0; i < radau_stage_count; ++i) {
        add_integrals(mesh.t[node] + step_.node(i) * h, solutions[i], h * step_.weight(i));
      }
      q = solutions.back().position;
      v = solutions.back().rate;
    }
    rows(0, n_) = q;
    rows(n_, n_) = v;
  }

 private:
  /// Of the bundle's tangents of q, v and the data, stacked.
  Interleaved rows(Index first, Index size) { return {bundle_.z.data() + first * count_, size, count_}; }

  StabilizedEquations equations(double t) {
    motion_.at(t);
    if (needs_points(motion_.system())) return equations_of_points();
    return {motion_.dense(Block::Mass),     motion_.dense(Block::Damping),      motion_.dense(Block::Stiffness),
            motion_.dense(Block::Jacobian), motion_.dense(Block::JacobianRate), times_data(Block::ResidualData, n_),
            times_data(Block::PhiData, m_), times_data(Block::PhiRateData, m_)};
  }
  /// With what stands there where forces feel accelerations and loads, and the rows of the constraints parted.
  StabilizedEquations equations_of_points() {
    std::vector<Index> of_positions, of_velocities;
    for (int k = 0; k < m_; ++k) (motion_.system().is_velocity_row(k) ? of_velocities : of_positions).push_back(k);
    const MatrixXd jacobian = motion_.dense(Block::Jacobian), by_position = motion_.dense(Block::JacobianRate),
                   rate = times_data(Block::PhiRateData, m_);
    return {motion_.dense(Block::Inertia),
            motion_.dense(Block::Damping),
            motion_.dense(Block::Stiffness),
            jacobian(of_positions, Eigen::all),
            by_position(of_positions, Eigen::all),
            times_data(Block::ResidualData, n_),
            times_data(Block::PhiData, m_)(of_positions, Eigen::all),
            rate(of_positions, Eigen::all),
            jacobian.transpose() + motion_.dense(Block::Loads),
            jacobian(of_velocities, Eigen::all),
            by_position(of_velocities, Eigen::all),
            rate(of_velocities, Eigen::all)};
  }
  /// -block times the data directions.
  MatrixXd times_data(Block block, Index height) {
    const MatrixXd directions = rows(2 * n_, data_);
    MatrixXd out = MatrixXd::Zero(height, count_);
    for (Index k = 0; k < count_; ++k) motion_.add(block, directions.col(k).data(), out.col(k).data(), -1);
    return out;
  }

  void add_integrals(double t, const StageSolution& stage, double weight) {
    const system::MotionPoint& at = motion_.at(t);
    rows(0, n_) = stage.position;
    rows(n_, n_) = stage.rate;
    Interleaved(x_.data(), n_, count_) = stage.acceleration;
    Interleaved(x_.data() + n_ * count_, m_, count_) = stage.multipliers;
    for (std::size_t o = 0; o < problem_.objectives.size(); ++o) {
      if (!problem_.objectives[o]->integral) continue;
      const Measure& integral = *problem_.objectives[o]->integral;
      integral.evaluate(at, work_.integral[o]);
      add_directional(integral, work_.integral[o], weight, bundle_, bundle_.z.data(), x_.data(),
                      derivatives_[o].data());
    }
  }

  const Problem& problem_;
  LinearizedMotion& motion_;
  TangentBundle& bundle_;
  std::vector<std::vector<double>>& derivatives_;
  ObjectiveWork work_;
  Index n_, m_, count_, data_;
  RadauStep step_;
  std::vector<double> x_;
};

}  // namespace

void stabilized_tangent(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        TangentBundle& bundle, std::vector<std::vector<double>>& derivatives) {
  StabilizedTangent(problem, motion, bundle, derivatives).run(mesh);
}

}  // namespace perilune::sensitivity
