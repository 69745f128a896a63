// The direct and adjoint equations of the stabilized index-1 form (Schaffer 2005, eqs. 4.113 and 4.194), which have the
// same shape,
//   x' = y - Phi_q^T chi',  M y' + Phi_q^T psi' + D1 y + D2 x = s,  Phi_q y + Phi_q' x = r',  Phi_q x = r,
// by Radau IIA on the mesh, of order 5, or of order 3 for adjoints of motions of no higher one. Being stiffly
// accurate it satisfies both constraints at every mesh point. Dense: the matrices of a step grow with the cube of the
// number of coordinates.
#include <Eigen/Dense>
#include <vector>

#include "integrator/runge_kutta.hpp"
#include "sensitivity/continuous.hpp"
#include "sensitivity/continuous_matrices.hpp"
#include "sensitivity/continuous_tangent.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// For adjoints. Direct equations want more: the errors of their multipliers enter objectives.
const integrator::Tableau& tableau_after(const integrator::Integrator& motion) {
  const auto* radau = std::get_if<integrator::Radau>(&motion);
  const bool is_low = std::holds_alternative<integrator::Trapezoidal>(motion) || (radau && radau->order == 3);
  return is_low ? integrator::radau3_tableau() : integrator::radau5_tableau();
}

/// The equations at one time; one column of s, r, r' for every solution that is wanted.
struct Coefficients {
  MatrixXd mass, of_rate, of_position, jacobian, jacobian_rate;  // M, D1, D2, Phi_q, Phi_q'
  MatrixXd force, position, rate;                                // s, r, r'
};

/// The solutions at one stage: x, y, y', psi'.
struct StageSolution {
  MatrixXd position, rate, acceleration, multipliers;
};

/// x and y through a step of length h (negative: backward).
class RadauStep {
 public:
  RadauStep(Index n, Index m, const integrator::Tableau& tableau)
      : n_(n), m_(m), size_(n + 2 * m), stages_(tableau.stages), a_(stages_, stages_), b_(stages_), c_(stages_) {
    for (Index i = 0; i < stages_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (Index j = 0; j < stages_; ++j) a_(i, j) = tableau.a[at][static_cast<std::size_t>(j)];
      c_[i] = tableau.c[at];
      b_[i] = tableau.b[at];
    }
    a_square_ = a_ * a_;
    solutions_.resize(stage_count());
  }

  std::size_t stage_count() const { return static_cast<std::size_t>(stages_); }
  double node(std::size_t stage) const { return c_[static_cast<Index>(stage)]; }
  double weight(std::size_t stage) const { return b_[static_cast<Index>(stage)]; }

  const std::vector<StageSolution>& solve(double h, const std::vector<Coefficients>& at, const MatrixXd& x,
                                          const MatrixXd& y) {
    // Unknowns per stage: y', psi', chi' / h; the rows of the constraints are divided by h and h^2.
    MatrixXd matrix = MatrixXd::Zero(stages_ * size_, stages_ * size_), right(stages_ * size_, x.cols());
    for (Index i = 0; i < stages_; ++i) {
      const Coefficients& e = at[static_cast<std::size_t>(i)];
      const Index row = i * size_;
      for (Index j = 0; j < stages_; ++j) add_block(h, i, j, at, matrix);
      matrix.block(row, i * size_ + n_, n_, m_) = e.jacobian.transpose();
      matrix.block(row, i * size_, n_, n_) += e.mass;
      const MatrixXd drift = x + h * c_[i] * y;  // the stage's x but for accelerations
      right.middleRows(row, n_) = e.force - e.of_rate * y - e.of_position * drift;
      right.middleRows(row + n_, m_) = (e.rate - e.jacobian * y - e.jacobian_rate * drift) / h;
      right.middleRows(row + n_ + m_, m_) = (e.position - e.jacobian * drift) / (h * h);
    }
    unpack(h, at, x, y, matrix.partialPivLu().solve(right));
    return solutions_;
  }

 private:
  void add_block(double h, Index i, Index j, const std::vector<Coefficients>& at, MatrixXd& matrix) const {
    const Coefficients& e = at[static_cast<std::size_t>(i)];
    const MatrixXd back = at[static_cast<std::size_t>(j)].jacobian.transpose();
    const double a = a_(i, j), square = a_square_(i, j);
    const Index row = i * size_, column = j * size_;
    matrix.block(row, column, n_, n_) += h * a * e.of_rate + h * h * square * e.of_position;
    matrix.block(row, column + n_ + m_, n_, m_) -= h * h * a * (e.of_position * back);
    matrix.block(row + n_, column, m_, n_) += a * e.jacobian + h * square * e.jacobian_rate;
    matrix.block(row + n_, column + n_ + m_, m_, m_) -= h * a * (e.jacobian_rate * back);
    matrix.block(row + n_ + m_, column, m_, n_) += square * e.jacobian;
    matrix.block(row + n_ + m_, column + n_ + m_, m_, m_) -= a * (e.jacobian * back);
  }

  void unpack(double h, const std::vector<Coefficients>& at, const MatrixXd& x, const MatrixXd& y,
              const MatrixXd& unknowns) {
    for (std::size_t i = 0; i < stage_count(); ++i) {
      StageSolution& s = solutions_[i];
      const auto row = static_cast<Index>(i);
      s.acceleration = unknowns.middleRows(row * size_, n_);
      s.multipliers = unknowns.middleRows(row * size_ + n_, m_);
      s.rate = y;
      s.position = x + h * c_[row] * y;
      for (std::size_t j = 0; j < stage_count(); ++j) {
        const auto other = static_cast<Index>(j);
        const auto acceleration = unknowns.middleRows(other * size_, n_);
        s.rate += h * a_(row, other) * acceleration;
        s.position += h * h * a_square_(row, other) * acceleration;
        s.position -=
            h * h * a_(row, other) * (at[j].jacobian.transpose() * unknowns.middleRows(other * size_ + n_ + m_, m_));
      }
    }
  }

  Index n_, m_, size_, stages_;
  MatrixXd a_, a_square_;
  VectorXd b_, c_;
  std::vector<StageSolution> solutions_;
};

/// Backward, all objectives at once.
class StabilizedAdjoint {
 public:
  StabilizedAdjoint(const Problem& problem, LinearizedMotion& motion, AdjointBundle& bundle)
      : motion_(motion),
        bundle_(bundle),
        terminal_(index3_second_order(problem, motion)),
        costs_(problem, CostTerms::Plain),
        n_(static_cast<Index>(motion.n())),
        m_(static_cast<Index>(motion.m())),
        objectives_(problem.objectives.size()),
        step_(n_, m_, tableau_after(problem.integrator)) {}

  void run(const integrator::Mesh& mesh) {
    const auto columns = static_cast<Index>(objectives_);
    MatrixXd mu(n_, columns), rate(n_, columns);
    VectorXd y(2 * n_);
    // The terminal values, and the brackets at the start, are those of the index-3 adjoint.
    motion_.at(mesh.t.back());
    for (std::size_t o = 0; o < objectives_; ++o) {
      terminal_->begin(o, bundle_, y.data());
      mu.col(static_cast<Index>(o)) = y.head(n_);
      rate.col(static_cast<Index>(o)) = y.tail(n_);
    }
    std::vector<Coefficients> at(step_.stage_count());
    for (std::size_t node = mesh.size() - 1; node-- > 0;) {
      check_interrupt();
      const double h = mesh.t[node] - mesh.t[node + 1];
      for (std::size_t i = 0; i < step_.stage_count(); ++i) at[i] = coefficients(mesh.t[node + 1] + step_.node(i) * h);
      const auto& stages = step_.solve(h, at, mu, rate);
      for (std::size_t i = 0; i < step_.stage_count(); ++i) {
        add_integrals(mesh.t[node + 1] + step_.node(i) * h, stages[i], -h * step_.weight(i));
      }
      mu = stages.back().position;
      rate = stages.back().rate;
    }
    motion_.at(mesh.t.front());
    for (std::size_t o = 0; o < objectives_; ++o) {
      y << mu.col(static_cast<Index>(o)), rate.col(static_cast<Index>(o));
      terminal_->end(o, y.data(), bundle_);
    }
  }

 private:
  Coefficients coefficients(double t) {
    motion_.at(t);
    AdjointMatrices matrices(motion_);
    const auto columns = static_cast<Index>(objectives_);
    Coefficients out{std::move(matrices.mass),
                     std::move(matrices.a_transposed),
                     std::move(matrices.b_transposed),
                     std::move(matrices.jacobian),
                     std::move(matrices.jacobian_rate),
                     MatrixXd(n_, columns),
                     MatrixXd(m_, columns),
                     MatrixXd(m_, columns)};
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

  void add_integrals(double t, const StageSolution& stage, double weight) {
    motion_.at(t);
    for (std::size_t o = 0; o < objectives_; ++o) {
      const CostGradient& g = costs_.at(o, motion_, false);
      const auto k = static_cast<Index>(o);
      std::vector<double>& data = bundle_.data[o];
      bundle_.add_integrals(o, g.of, weight);
      motion_.add_transposed(Block::ResidualData, stage.position.col(k).data(), data.data(), -weight);
      motion_.add_transposed(Block::PhiData, stage.multipliers.col(k).data(), data.data(), -weight);
    }
  }

  LinearizedMotion& motion_;
  AdjointBundle& bundle_;
  std::unique_ptr<AdjointEquations> terminal_;
  CostIntegrands costs_;
  Index n_, m_;
  std::size_t objectives_;
  RadauStep step_;
};

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
        step_(n_, m_, integrator::radau5_tableau()),
        x_(static_cast<std::size_t>((n_ + m_) * count_)) {}

  void run(const integrator::Mesh& mesh) {
    MatrixXd q = rows(0, n_), v = rows(n_, n_);
    std::vector<Coefficients> at(step_.stage_count());
    for (std::size_t node = 0; node + 1 < mesh.size(); ++node) {
      check_interrupt();
      const double h = mesh.t[node + 1] - mesh.t[node];
      for (std::size_t i = 0; i < step_.stage_count(); ++i) at[i] = coefficients(mesh.t[node] + step_.node(i) * h);
      const auto& stages = step_.solve(h, at, q, v);
      for (std::size_t i = 0; i < step_.stage_count(); ++i) {
        add_integrals(mesh.t[node] + step_.node(i) * h, stages[i], h * step_.weight(i));
      }
      q = stages.back().position;
      v = stages.back().rate;
    }
    rows(0, n_) = q;
    rows(n_, n_) = v;
  }

 private:
  /// Of the bundle's tangents of q, v and the data, stacked.
  Interleaved rows(Index first, Index size) { return {bundle_.z.data() + first * count_, size, count_}; }

  Coefficients coefficients(double t) {
    motion_.at(t);
    return {motion_.dense(Block::Mass),     motion_.dense(Block::Damping),      motion_.dense(Block::Stiffness),
            motion_.dense(Block::Jacobian), motion_.dense(Block::JacobianRate), times_data(Block::ResidualData, n_),
            times_data(Block::PhiData, m_), times_data(Block::PhiRateData, m_)};
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

void stabilized_adjoint(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle) {
  StabilizedAdjoint(problem, motion, bundle).run(mesh);
}

void stabilized_tangent(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        TangentBundle& bundle, std::vector<std::vector<double>>& derivatives) {
  StabilizedTangent(problem, motion, bundle, derivatives).run(mesh);
}

}  // namespace perilune::sensitivity
