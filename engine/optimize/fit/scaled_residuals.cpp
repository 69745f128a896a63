// SPDX-License-Identifier: MIT
#include "optimize/fit/scaled_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "error.hpp"
#include "linalg/decompositions.hpp"
#include "optimize/variables.hpp"

namespace perilune::optimize {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// In scaled variables. Residuals that fall without end must not take the search to where numbers overflow.
constexpr double out_of_reach = 1e30;

constexpr double told_singular_value = 1e-7;  // relative; simulated Jacobians are seldom better than that

}  // namespace

ScaledResiduals::ScaledResiduals(const LeastSquaresProblem& problem, int max_evaluations)
    : problem_(problem), max_evaluations_(max_evaluations) {
  if (!problem.evaluate)
    throw Error("The fit has no function that evaluates its residuals; set LeastSquaresProblem::evaluate.");
  if (!(problem.noise >= 0 && problem.noise < 1))
    throw Error("The noise of the fit must be a fraction of the cost, from 0 to below 1.");
  check_variables(problem.start, problem.lower, problem.upper);
  check_loss(problem.loss);
  scale_ = variable_scales(problem.start, problem.lower, problem.upper);
  lower_ = problem.lower.cwiseQuotient(scale_);
  upper_ = problem.upper.cwiseQuotient(scale_);
}

VectorXd ScaledResiduals::start() const {
  return problem_.start.cwiseQuotient(scale_).cwiseMax(lower_).cwiseMin(upper_);
}

VectorXd ScaledResiduals::unscaled(const VectorXd& u) const {
  return u.cwiseProduct(scale_).cwiseMax(problem_.lower).cwiseMin(problem_.upper);
}

Evaluation ScaledResiduals::evaluate(const VectorXd& u, bool with_jacobian, ResidualPoint& point) {
  if (evaluations_ >= max_evaluations_) {
    stop_reason_ = LeastSquaresReason::EvaluationLimit;
    return Evaluation::Stop;
  }
  point.u = u.cwiseMax(lower_).cwiseMin(upper_);
  const VectorXd x = unscaled(point.u);
  if (!x.allFinite() || point.u.lpNorm<Eigen::Infinity>() > out_of_reach) return Evaluation::Failed;
  point.residuals = VectorXd::Zero(std::max<Index>(count_, 0));
  if (with_jacobian) point.jacobian = MatrixXd::Zero(std::max<Index>(count_, 0), x.size());
  ++evaluations_;
  jacobian_evaluations_ += with_jacobian;
  try {
    problem_.evaluate(x, point.residuals, with_jacobian ? &point.jacobian : nullptr);
  } catch (const Interrupted&) {
    stop_reason_ = LeastSquaresReason::Interrupted;
    return Evaluation::Stop;
  } catch (const NumericalError& failure) {
    ++failures_;
    last_failure_ = failure.what();
    return Evaluation::Failed;
  }
  check_sizes(point, with_jacobian);
  point.cost = robust_cost(problem_.loss, point.residuals);
  bool is_finite = std::isfinite(point.cost);
  if (is_finite && with_jacobian) {
    linearize(point);
    is_finite = point.column_norms.allFinite();  // of squares, and so stricter than the entries themselves
  }
  failures_ += !is_finite;
  return is_finite ? Evaluation::Good : Evaluation::Failed;
}

void ScaledResiduals::check_sizes(const ResidualPoint& point, bool with_jacobian) {
  const Index m = point.residuals.size(), n = scale_.size();
  if (count_ < 0) {
    Index free = 0;
    for (Index i = 0; i < n; ++i) free += lower_[i] < upper_[i];
    if (m == 0) throw Error("The fit has no residuals; give it at least one measured value.");
    if (free > m)
      throw Error("The fit has " + std::to_string(free) + " free variables but only " + std::to_string(m) +
                  " residuals, which cannot determine them; give more measured values or fix variables.");
    count_ = m;
  }
  if (m != count_)
    throw Error("The fit had " + std::to_string(count_) + " residuals at its start but " + std::to_string(m) +
                " at another point; their number must not depend on the variables.");
  if (with_jacobian && (point.jacobian.rows() != m || point.jacobian.cols() != n))
    throw Error("The fit got a Jacobian with " + std::to_string(point.jacobian.rows()) + " rows and " +
                std::to_string(point.jacobian.cols()) + " columns for " + std::to_string(m) + " residuals and " +
                std::to_string(n) + " variables; write one row per residual, one column per variable.");
}

void ScaledResiduals::linearize(ResidualPoint& point) const {
  const Index m = point.residuals.size(), n = scale_.size();
  point.matrix = point.jacobian * scale_.asDiagonal();
  for (Index i = 0; i < n; ++i)
    if (lower_[i] == upper_[i]) point.matrix.col(i).setZero();
  point.right = point.residuals;
  correct_for_loss(problem_.loss, point.right, point.matrix);
  point.column_norms = point.matrix.colwise().norm();
  if (!point.column_norms.allFinite()) return;
  point.gradient = point.matrix.transpose() * point.right;
  const double length = point.right.norm();
  point.projected_gradient = 0;
  for (Index i = 0; i < n; ++i) {
    if (is_blocked(point, i) || point.gradient[i] == 0) continue;
    const double cosine = std::abs(point.gradient[i]) / point.column_norms[i] / length;
    point.projected_gradient = std::max(point.projected_gradient, cosine);
  }
  if (m <= n) return;
  const Eigen::HouseholderQR<MatrixXd> qr(point.matrix);
  point.right = (qr.householderQ().adjoint() * point.right).head(n).eval();
  point.matrix = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
}

bool ScaledResiduals::is_blocked(const ResidualPoint& point, Index variable) const {
  return point.gradient[variable] > 0 ? point.u[variable] <= lower_[variable] : point.u[variable] >= upper_[variable];
}

double ScaledResiduals::told_promise(const ResidualPoint& point, int& untold) const {
  std::vector<Index> free;
  untold = 0;
  for (Index i = 0; i < scale_.size(); ++i) {
    if (lower_[i] == upper_[i] || is_blocked(point, i)) continue;
    if (point.column_norms[i] > 0)
      free.push_back(i);
    else
      ++untold;
  }
  if (free.empty()) return 0;
  const MatrixXd matrix = point.matrix(Eigen::all, free) * point.column_norms(free).cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeThinU);
  double promise = 0;
  for (Index k = 0; k < svd.singularValues().size(); ++k) {
    const double along = svd.matrixU().col(k).dot(point.right);
    if (svd.singularValues()[k] > told_singular_value * svd.singularValues()[0])
      promise += 0.5 * along * along;
    else
      ++untold;
  }
  return promise;
}

double ScaledResiduals::relative_gradient(const ResidualPoint& point) const {
  double largest = 0;
  for (Index i = 0; i < scale_.size(); ++i)
    if (!is_blocked(point, i))
      largest = std::max(largest, std::abs(point.gradient[i]) * std::max(1.0, std::abs(point.u[i])) / point.cost);
  return largest;
}

LinearModel ScaledResiduals::model(const ResidualPoint& point, const VectorXd& size) const {
  return {point.matrix * size.cwiseInverse().asDiagonal(), point.right, (lower_ - point.u).cwiseProduct(size),
          (upper_ - point.u).cwiseProduct(size)};
}

VectorXd ScaledResiduals::moved(const ResidualPoint& point, const LinearModel& model, const VectorXd& size,
                                const VectorXd& t) const {
  VectorXd u = (point.u + t.cwiseQuotient(size)).cwiseMax(lower_).cwiseMin(upper_);
  for (Index i = 0; i < u.size(); ++i) {
    if (t[i] < 0 && t[i] == model.lower[i]) u[i] = lower_[i];
    if (t[i] > 0 && t[i] == model.upper[i]) u[i] = upper_[i];
  }
  return u;
}

std::vector<bool> ScaledResiduals::without_influence(const ResidualPoint& point) const {
  std::vector<bool> without;
  const double rounding = std::numeric_limits<double>::epsilon() * point.right.norm();
  for (Index i = 0; i < scale_.size(); ++i) {
    const double influence = point.column_norms[i] * std::max(1.0, std::abs(point.u[i]));
    without.push_back(lower_[i] < upper_[i] && (point.column_norms[i] == 0 || influence <= rounding));
  }
  return without;
}

}  // namespace perilune::optimize
