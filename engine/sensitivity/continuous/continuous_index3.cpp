// SPDX-License-Identifier: MIT
// The adjoint of the index-3 form: as an ordinary differential equation, and by the trapezoidal rule with Phi_q mu =
// g_lambda imposed at every point.

#include "linalg/decompositions.hpp"
#include "sensitivity/continuous/continuous.hpp"
#include "sensitivity/continuous/continuous_equations.hpp"
#include "sensitivity/continuous/continuous_matrices.hpp"

namespace perilune::sensitivity {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// mu, mu' and mu'' of one objective at a point of the mesh.
struct AdjointPoint {
  VectorXd mu, rate, acceleration;
};

class IndexThreeTrapezoidal {
 public:
  IndexThreeTrapezoidal(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle)
      : motion_(motion),
        mesh_(mesh),
        bundle_(bundle),
        equations_(index3_second_order(problem, motion)),
        costs_(problem, CostTerms::Plain),
        n_(static_cast<Index>(motion.n())),
        m_(static_cast<Index>(motion.m())),
        points_(problem.objectives.size()),
        y_(2 * n_),
        slope_(2 * n_) {}

  void run() {
    for (std::size_t node = mesh_.size(); node-- > 0;) {
      check_interrupt();
      motion_.at_mesh(node);
      const bool is_last = node + 1 == mesh_.size();
      const double after = is_last ? 0 : mesh_.t[node + 1] - mesh_.t[node];
      const double before = node > 0 ? mesh_.t[node] - mesh_.t[node - 1] : 0;
      if (is_last) {
        begin();
      } else {
        step(after);
      }
      for (std::size_t o = 0; o < points_.size(); ++o) complete(o, (after + before) / 2);
    }
    for (std::size_t o = 0; o < points_.size(); ++o) {
      y_ << points_[o].mu, points_[o].rate;
      equations_->end(o, y_.data(), bundle_);
    }
  }

 private:
  void begin() {
    for (std::size_t o = 0; o < points_.size(); ++o) {
      equations_->begin(o, bundle_, y_.data());
      points_[o] = {y_.head(n_), y_.tail(n_), VectorXd::Zero(n_)};
    }
  }

  /// Backward over a step of length h to where the motion stands.
  void step(double h) {
    const AdjointMatrices at(motion_);
    MatrixXd matrix = MatrixXd::Zero(n_ + m_, n_ + m_);
    matrix.topLeftCorner(n_, n_) = at.mass - h / 2 * at.a_transposed + h * h / 4 * at.b_transposed;
    matrix.topRightCorner(n_, m_) = at.jacobian.transpose();
    matrix.bottomLeftCorner(m_, n_) = at.jacobian;
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> factored(matrix);  // constraints may be redundant
    VectorXd x(n_ + m_);
    for (std::size_t o = 0; o < points_.size(); ++o) {
      AdjointPoint& p = points_[o];
      const CostGradient& g = costs_.at(o, motion_, true);
      const VectorXd rate = 2 / h * p.mu - p.rate, acceleration = -4 / (h * h) * p.mu + 4 / h * p.rate - p.acceleration;
      const auto cost = [&](const std::vector<double>& part) { return Eigen::Map<const VectorXd>(part.data(), n_); };
      x.head(n_) = h * h / 4 *
                   (cost(g.of.z) - cost(g.v_rate) + cost(g.a_second) - at.mass * acceleration - at.a_transposed * rate);
      x.tail(m_) = Eigen::Map<const VectorXd>(g.of.lambda.data(), m_);
      x = factored.solve(x);
      p.mu = x.head(n_);
      p.rate = rate - 2 / h * p.mu;
      project(p, g);
    }
  }

  /// The step gives mu' errors that alternate from point to point, and those of the motion's own velocities, which do
  /// so too, would feed them: onto Phi_q mu' + Phi_q' mu = g_lambda', in the metric of the mass matrix.
  void project(AdjointPoint& p, const CostGradient& g) {
    VectorXd x = VectorXd::Zero(n_ + m_);
    x.tail(m_) = Eigen::Map<const VectorXd>(g.lambda_rate.data(), m_);
    motion_.add(Block::JacobianRate, p.mu.data(), x.data() + n_, -1);
    motion_.add(Block::Jacobian, p.rate.data(), x.data() + n_, -1);
    motion_.dynamics().solve(x.data());
    p.rate += x.head(n_);
  }

  /// The step's own mu'' and nu do not converge, as in the forward scheme: both from mu and mu'. Adds the integrand of
  /// the gradient.
  void complete(std::size_t o, double weight) {
    std::vector<double> data(bundle_.data[o].size()), parameters(bundle_.parameters[o].size());
    y_ << points_[o].mu, points_[o].rate;
    equations_->slope(o, y_.data(), slope_.data(), data.data(), parameters.data());
    points_[o].acceleration = slope_.tail(n_);
    for (std::size_t k = 0; k < data.size(); ++k) bundle_.data[o][k] += weight * data[k];
    for (std::size_t k = 0; k < parameters.size(); ++k) bundle_.parameters[o][k] += weight * parameters[k];
  }

  LinearizedMotion& motion_;
  const integrator::Mesh& mesh_;
  AdjointBundle& bundle_;
  std::unique_ptr<AdjointEquations> equations_;
  CostIntegrands costs_;
  Index n_, m_;
  std::vector<AdjointPoint> points_;
  VectorXd y_, slope_;
};

}  // namespace

void index3_trapezoidal(const Problem& problem, LinearizedMotion& motion, const integrator::Mesh& mesh,
                        AdjointBundle& bundle) {
  IndexThreeTrapezoidal(problem, motion, mesh, bundle).run();
}

}  // namespace perilune::sensitivity
