// SPDX-License-Identifier: MIT
#include "sensitivity/stabilized/radau_step.hpp"

#include "integrator/method/runge_kutta.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr Index stages = static_cast<Index>(radau_stage_count);

std::size_t number(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

/// What satisfies the constraints at one stage, by J^T = (Q N) (U; 0): its way from the start of the step is x0 + N xi
/// with J (x + x0) = r, and the rate is y = y0 + T xi, but for what N spans, with J y = r' - J' x. Ways keep the digits
/// that differences of x would lose on short steps, where they are divided by h.
struct RadauStep::Feasible {
  Feasible(const StabilizedEquations& e, const MatrixXd& start) {
    const Index m = e.jacobian.rows(), n = e.jacobian.cols();
    const Eigen::HouseholderQR<MatrixXd> qr(e.jacobian.transpose());
    const MatrixXd q = qr.householderQ();
    range = q.leftCols(m);
    null = q.rightCols(n - m);
    upper = qr.matrixQR().topRows(m);
    way = lift(e.position - e.jacobian * start);
    rate = lift(e.rate - e.jacobian_rate * (start + way));
    slope = -lift(e.jacobian_rate * null);
    if (e.border.size() == 0) return;
    border.emplace(e.border);
    const MatrixXd all = border->householderQ();
    balanced = all.rightCols(n - e.border.cols());
  }
  MatrixXd range, null, upper;                           // Q, N, U
  MatrixXd way, rate, slope;                             // x0, y0, T
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

RadauStep::RadauStep() {
  const integrator::Tableau& tableau = integrator::radau5_tableau();
  Eigen::Matrix3d a;
  for (Index i = 0; i < stages; ++i) {
    for (Index j = 0; j < stages; ++j) a(i, j) = tableau.a[number(i)][number(j)];
    c_[i] = tableau.c[number(i)];
    b_[i] = tableau.b[number(i)];
  }
  w_ = a.inverse();
}

const RadauStep::Solutions& RadauStep::solve(double h, const Equations& at, const MatrixXd& x, const MatrixXd& y) {
  // Unknowns: xi of every stage. With x' = sum_j w_ij (x_j - x) / h at the stages, N^T (x' - y) = 0 gives the part of
  // y that the constraints leave open, and y' follows in the same way.
  const AllFeasible feasible{Feasible(at[0], x), Feasible(at[1], x), Feasible(at[2], x)};
  const Index d = feasible[0].null.cols();
  MatrixXd xi = MatrixXd::Zero(stages * d, x.cols());
  place(h, feasible, xi, x, y);
  if (d > 0) {
    MatrixXd matrix(stages * d, stages * d), right(stages * d, x.cols());
    for (Index i = 0; i < stages; ++i) {
      const StabilizedEquations& e = at[number(i)];
      const MatrixXd& null = feasible[number(i)].border ? feasible[number(i)].balanced : feasible[number(i)].null;
      const StageSolution& s = solutions_[number(i)];
      right.middleRows(i * d, null.cols()) = null.transpose() * left_over(e, s);
      const Rows rows{null.transpose() * e.mass, null.transpose() * e.of_rate, null.transpose() * e.of_position};
      for (Index k = 0; k < stages; ++k) {
        matrix.block(i * d, k * d, null.cols(), d) = response(h, i, k, rows, feasible);
      }
      if (e.across.rows() == 0) continue;
      // As many freedoms as velocities lack of positions, their constraints determine.
      const Index first = i * d + null.cols();
      right.middleRows(first, e.across.rows()) = e.across_rate - e.across * s.rate - e.across_by_position * s.position;
      for (Index k = 0; k < stages; ++k) {
        MatrixXd across = e.across * rate_response(h, i, k, feasible);
        if (i == k) across += e.across_by_position * feasible[number(i)].null;
        matrix.block(first, k * d, e.across.rows(), d) = across;
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

void RadauStep::place(double h, const AllFeasible& feasible, const MatrixXd& xi, const MatrixXd& x, const MatrixXd& y) {
  const Index d = xi.rows() / stages;
  std::array<MatrixXd, radau_stage_count> ways;
  for (Index i = 0; i < stages; ++i) {
    const Feasible& own = feasible[number(i)];
    ways[number(i)] = own.way + own.null * xi.middleRows(i * d, d);
    solutions_[number(i)].position = x + ways[number(i)];
  }
  for (Index i = 0; i < stages; ++i) {
    const Feasible& own = feasible[number(i)];
    MatrixXd slope = MatrixXd::Zero(x.rows(), x.cols());
    for (Index j = 0; j < stages; ++j) slope += w_(i, j) / h * ways[number(j)];
    solutions_[number(i)].rate = own.rate + own.slope * xi.middleRows(i * d, d) + own.project(slope);
  }
  for (Index i = 0; i < stages; ++i) {
    MatrixXd& acceleration = solutions_[number(i)].acceleration;
    acceleration = MatrixXd::Zero(y.rows(), y.cols());
    for (Index j = 0; j < stages; ++j) acceleration += w_(i, j) / h * (solutions_[number(j)].rate - y);
  }
}

MatrixXd RadauStep::left_over(const StabilizedEquations& e, const StageSolution& s) {
  return e.force - e.mass * s.acceleration - e.of_rate * s.rate - e.of_position * s.position;
}

MatrixXd RadauStep::response(double h, Index i, Index k, const Rows& rows, const AllFeasible& feasible) const {
  const Feasible& other = feasible[number(k)];
  MatrixXd acceleration = w_(i, k) / h * other.slope;
  for (Index j = 0; j < stages; ++j) {
    acceleration += w_(i, j) * w_(j, k) / (h * h) * feasible[number(j)].project(other.null);
  }
  MatrixXd out = rows.mass * acceleration + rows.of_rate * rate_response(h, i, k, feasible);
  if (i == k) out += rows.of_position * other.null;
  return out;
}

MatrixXd RadauStep::rate_response(double h, Index i, Index k, const AllFeasible& feasible) const {
  const Feasible& other = feasible[number(k)];
  MatrixXd rate = w_(i, k) / h * feasible[number(i)].project(other.null);
  if (i == k) rate += other.slope;
  return rate;
}

}  // namespace perilune::sensitivity
