// SPDX-License-Identifier: MIT
// The direct and adjoint equations of the stabilized index-1 form (Schaffer 2005, eqs. 4.113 and 4.194), which have the
// same shape,
//   x' = y - Phi_q^T chi',  M y' + Phi_q^T psi' + D1 y + D2 x = s,  Phi_q y + Phi_q' x = r',  Phi_q x = r,
// by Radau IIA of order 5 on the mesh. Being stiffly accurate it satisfies both constraints at every mesh point. Dense:
// the work of a step grows with the cube of the number of coordinates.
#include <Eigen/Dense>
#include <array>
#include <optional>

#include "integrator/method/runge_kutta.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/continuous/continuous_matrices.hpp"
#include "sensitivity/continuous/continuous_tangent.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t stage_count = 3;
constexpr Index stages = 3;

std::size_t number(Index i) { return static_cast<std::size_t>(i); }

/// The equations at one time; one column of s, r, r' for every solution that is wanted.
struct Coefficients {
  MatrixXd mass, of_rate, of_position, jacobian, jacobian_rate;  // M, D1, D2, Phi_q, Phi_q'
  MatrixXd force, position, rate;                                // s, r, r'
  MatrixXd border = {};  // what stands at psi' where forces feel loads; empty: Phi_q^T
  MatrixXd across = {}, across_by_position = {}, across_rate = {};  // A, (A v)_q and r' of constraints on velocities
};

/// The solutions at one stage: x, y, y', psi'.
struct StageSolution {
  MatrixXd position, rate, acceleration, multipliers;
};

/// What satisfies the constraints at one stage, by J^T = (Q N) (U; 0): x = x0 + N xi with J x0 = r, and the rate
/// y = y0 + T xi, but for what N spans, with J y = r' - J' x.
struct Feasible {
  explicit Feasible(const Coefficients& e) {
    const Index m = e.jacobian.rows(), n = e.jacobian.cols();
    const Eigen::HouseholderQR<MatrixXd> qr(e.jacobian.transpose());
    const MatrixXd q = qr.householderQ();
    range = q.leftCols(m);
    null = q.rightCols(n - m);
    upper = qr.matrixQR().topRows(m);
    position = lift(e.position);
    rate = lift(e.rate - e.jacobian_rate * position);
    slope = -lift(e.jacobian_rate * null);
    if (e.border.size() == 0) return;
    border.emplace(e.border);
    const MatrixXd all = border->householderQ();
    balanced = all.rightCols(n - e.border.cols());
  }
  MatrixXd range, null, upper;                           // Q, N, U
  MatrixXd position, rate, slope;                        // x0, y0, T
  std::optional<Eigen::HouseholderQR<MatrixXd>> border;  // of what stands at psi'
  MatrixXd balanced;                                     // and what is normal to it, in the place of N

  /// N N^T x.
  MatrixXd project(const MatrixXd& x) const { return null * (null.transpose() * x); }
  /// psi of J^T psi = f.
  MatrixXd multipliers(const MatrixXd& f) const {
    if (border && f.cols() > 0) return border->solve(f);
    if (upper.size() == 0 || f.cols() == 0) return MatrixXd::Zero(upper.cols(), f.cols());
    return upper.triangularView<Eigen::Upper>().solve(range.transpose() * f);
  }
  /// The smallest x of J x = b.
  MatrixXd lift(const MatrixXd& b) const {
    if (b.size() == 0) return MatrixXd::Zero(range.rows(), b.cols());  // a mechanism without freedom, or free
    return range * upper.transpose().triangularView<Eigen::Lower>().solve(b);
  }
};

/// x and y through a step of length h (negative: backward).
class RadauStep {
 public:
  RadauStep() {
    const integrator::Tableau& tableau = integrator::radau5_tableau();
    Eigen::Matrix3d a;
    for (Index i = 0; i < stages; ++i) {
      for (Index j = 0; j < stages; ++j) a(i, j) = tableau.a[number(i)][number(j)];
      c_[i] = tableau.c[number(i)];
      b_[i] = tableau.b[number(i)];
    }
    w_ = a.inverse();
  }

  double node(std::size_t stage) const { return c_[static_cast<Index>(stage)]; }
  double weight(std::size_t stage) const { return b_[static_cast<Index>(stage)]; }

  const std::array<StageSolution, stage_count>& solve(double h, const std::array<Coefficients, stage_count>& at,
                                                      const MatrixXd& x, const MatrixXd& y) {
    // Unknowns: xi of every stage. With x' = sum_j w_ij (x_j - x) / h at the stages, N^T (x' - y) = 0 gives the part of
    // y that the constraints leave open, and y' follows in the same way.
    const std::array<Feasible, stage_count> feasible{Feasible(at[0]), Feasible(at[1]), Feasible(at[2])};
    const Index d = feasible[0].null.cols();
    MatrixXd xi = MatrixXd::Zero(stages * d, x.cols());
    place(h, feasible, xi, x, y);
    if (d > 0) {
      MatrixXd matrix(stages * d, stages * d), right(stages * d, x.cols());
      for (Index i = 0; i < stages; ++i) {
        const Coefficients& e = at[number(i)];
        const MatrixXd& null = feasible[number(i)].border ? feasible[number(i)].balanced : feasible[number(i)].null;
        const StageSolution& s = solutions_[number(i)];
        right.middleRows(i * d, null.cols()) = null.transpose() * left_over(e, s);
        for (Index k = 0; k < stages; ++k) {
          matrix.block(i * d, k * d, null.cols(), d) = null.transpose() * response(h, i, k, e, feasible);
        }
        if (e.across.rows() == 0) continue;
        // As many freedoms as velocities lack of positions, their constraints determine.
        const Index first = i * d + null.cols();
        right.middleRows(first, e.across.rows()) =
            e.across_rate - e.across * s.rate - e.across_by_position * s.position;
        for (Index k = 0; k < stages; ++k) {
          MatrixXd rows = e.across * rate_response(h, i, k, feasible);
          if (i == k) rows += e.across_by_position * feasible[number(i)].null;
          matrix.block(first, k * d, e.across.rows(), d) = rows;
        }
      }
      xi = matrix.partialPivLu().solve(right);
      place(h, feasible, xi, x, y);
    }
    for (Index i = 0; i < stages; ++i) {
      StageSolution& s = solutions_[number(i)];
      s.multipliers = feasible[number(i)].multipliers(left_over(at[number(i)], s));
    }
    return solutions_;
  }

 private:
  /// x, y and y' of all stages.
  void place(double h, const std::array<Feasible, stage_count>& feasible, const MatrixXd& xi, const MatrixXd& x,
             const MatrixXd& y) {
    const Index d = xi.rows() / stages;
    for (Index i = 0; i < stages; ++i) {
      const Feasible& own = feasible[number(i)];
      solutions_[number(i)].position = own.position + own.null * xi.middleRows(i * d, d);
    }
    for (Index i = 0; i < stages; ++i) {
      const Feasible& own = feasible[number(i)];
      MatrixXd slope = MatrixXd::Zero(x.rows(), x.cols());
      for (Index j = 0; j < stages; ++j) slope += w_(i, j) / h * (solutions_[number(j)].position - x);
      solutions_[number(i)].rate = own.rate + own.slope * xi.middleRows(i * d, d) + own.project(slope);
    }
    for (Index i = 0; i < stages; ++i) {
      MatrixXd& acceleration = solutions_[number(i)].acceleration;
      acceleration = MatrixXd::Zero(y.rows(), y.cols());
      for (Index j = 0; j < stages; ++j) acceleration += w_(i, j) / h * (solutions_[number(j)].rate - y);
    }
  }

  /// s - M y' - D1 y - D2 x.
  static MatrixXd left_over(const Coefficients& e, const StageSolution& s) {
    return e.force - e.mass * s.acceleration - e.of_rate * s.rate - e.of_position * s.position;
  }

  /// The derivative of M y' + D1 y + D2 x at stage i by xi of stage k.
  MatrixXd response(double h, Index i, Index k, const Coefficients& e,
                    const std::array<Feasible, stage_count>& feasible) const {
    const Feasible& other = feasible[number(k)];
    MatrixXd acceleration = w_(i, k) / h * other.slope;
    for (Index j = 0; j < stages; ++j) {
      acceleration += w_(i, j) * w_(j, k) / (h * h) * feasible[number(j)].project(other.null);
    }
    MatrixXd out = e.mass * acceleration + e.of_rate * rate_response(h, i, k, feasible);
    if (i == k) out += e.of_position * other.null;
    return out;
  }
  /// That of y.
  MatrixXd rate_response(double h, Index i, Index k, const std::array<Feasible, stage_count>& feasible) const {
    const Feasible& other = feasible[number(k)];
    MatrixXd rate = w_(i, k) / h * feasible[number(i)].project(other.null);
    if (i == k) rate += other.slope;
    return rate;
  }

  Eigen::Matrix3d w_;  // inverse of the tableau
  Eigen::Vector3d b_, c_;
  std::array<StageSolution, stage_count> solutions_;
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
        objectives_(problem.objectives.size()) {}

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
    std::array<Coefficients, stage_count> at;
    for (std::size_t node = mesh.size() - 1; node-- > 0;) {
      check_interrupt();
      const double h = mesh.t[node] - mesh.t[node + 1];
      if (h == 0) continue;  // two points at an event
      for (std::size_t i = 0; i < stage_count; ++i) at[i] = coefficients(mesh.t[node + 1] + step_.node(i) * h);
      const auto& solutions = step_.solve(h, at, mu, rate);
      for (std::size_t i = 0; i < stage_count; ++i) {
        add_integrals(mesh.t[node + 1] + step_.node(i) * h, solutions[i], -h * step_.weight(i));
      }
      mu = solutions.back().position;
      rate = solutions.back().rate;
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
        x_(static_cast<std::size_t>((n_ + m_) * count_)) {}

  void run(const integrator::Mesh& mesh) {
    MatrixXd q = rows(0, n_), v = rows(n_, n_);
    std::array<Coefficients, stage_count> at;
    for (std::size_t node = 0; node + 1 < mesh.size(); ++node) {
      check_interrupt();
      const double h = mesh.t[node + 1] - mesh.t[node];
      if (h == 0) continue;
      for (std::size_t i = 0; i < stage_count; ++i) at[i] = coefficients(mesh.t[node] + step_.node(i) * h);
      const auto& solutions = step_.solve(h, at, q, v);
      for (std::size_t i = 0; i < stage_count; ++i) {
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

  Coefficients coefficients(double t) {
    motion_.at(t);
    if (needs_points(motion_.system())) return coefficients_of_points();
    return {motion_.dense(Block::Mass),     motion_.dense(Block::Damping),      motion_.dense(Block::Stiffness),
            motion_.dense(Block::Jacobian), motion_.dense(Block::JacobianRate), times_data(Block::ResidualData, n_),
            times_data(Block::PhiData, m_), times_data(Block::PhiRateData, m_)};
  }
  /// With what stands there where forces feel accelerations and loads, and the rows of the constraints parted.
  Coefficients coefficients_of_points() {
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

void stabilized_adjoint(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle) {
  StabilizedAdjoint(problem, motion, bundle).run(mesh);
}

void stabilized_tangent(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        TangentBundle& bundle, std::vector<std::vector<double>>& derivatives) {
  StabilizedTangent(problem, motion, bundle, derivatives).run(mesh);
}

}  // namespace perilune::sensitivity
