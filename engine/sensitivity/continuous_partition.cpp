#include "sensitivity/continuous_partition.hpp"

#include <algorithm>
#include <cstdio>

#include "error.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Vector = Partition::Vector;

MatrixXd Partition::jacobian() const {
  const auto n = static_cast<Index>(motion_.n());
  MatrixXd out(static_cast<Index>(motion_.m()), n);
  for (Index k = 0; k < n; ++k) out.col(k) = times(Block::Jacobian, Vector::Unit(n, k));
  return out;
}

void Partition::choose() {
  const auto n = static_cast<Index>(motion_.n()), m = static_cast<Index>(motion_.m());
  independent_.clear();
  if (m == 0) {
    for (Index k = 0; k < n; ++k) independent_.push_back(k);
  } else {
    const Eigen::FullPivLU<MatrixXd> lu(jacobian());
    if (lu.rank() < m) {
      char time[64];
      std::snprintf(time, sizeof time, "at t = %.6g s: ", motion_.point().t);
      throw NumericalError(std::string(time) +
                           "there are no independent coordinates: redundant constraints, or a singular position");
    }
    for (Index k = m; k < n; ++k) independent_.push_back(lu.permutationQ().indices()[k]);
    std::sort(independent_.begin(), independent_.end());
  }
  update();
}

void Partition::update() {
  const auto n = static_cast<Index>(motion_.n()), m = static_cast<Index>(motion_.m()), d = freedoms();
  MatrixXd bordered = MatrixXd::Zero(n, n), mass = MatrixXd::Zero(n, d);
  bordered.topRows(m) = jacobian();
  for (Index k = 0; k < d; ++k) bordered(m + k, independent_[static_cast<std::size_t>(k)]) = 1;
  bordered_.compute(bordered);
  r_.resize(n, d);
  if (d == 0) return;  // a driven mechanism without freedom: nothing to solve for
  r_ = bordered_.solve(MatrixXd::Identity(n, n).rightCols(d));
  for (Index k = 0; k < d; ++k) motion_.add(Block::Mass, r_.col(k).data(), mass.col(k).data());
  mass_.compute(r_.transpose() * mass);
}

bool Partition::is_outgrown() const {
  constexpr double limit = 5;  // a good choice keeps the entries of R at about 1
  if (freedoms() == 0 || r_.size() == 0 || r_.cwiseAbs().maxCoeff() < limit) return false;
  Partition other(motion_);
  other.choose();
  return 2 * other.r_.cwiseAbs().maxCoeff() < r_.cwiseAbs().maxCoeff();
}

Vector Partition::pick(const Vector& q) const {
  Vector z(freedoms());
  for (Index k = 0; k < z.size(); ++k) z[k] = q[independent_[static_cast<std::size_t>(k)]];
  return z;
}

Vector Partition::spread(const Vector& z) const {
  Vector q = Vector::Zero(static_cast<Index>(motion_.n()));
  for (Index k = 0; k < z.size(); ++k) q[independent_[static_cast<std::size_t>(k)]] = z[k];
  return q;
}

Vector Partition::times(Block block, const Vector& x) const {
  const bool is_square = block == Block::Mass || block == Block::Stiffness || block == Block::Damping;
  Vector y = Vector::Zero(static_cast<Index>(is_square ? motion_.n() : motion_.m()));
  motion_.add(block, x.data(), y.data());
  return y;
}

Vector Partition::transposed(Block block, const Vector& x) const {
  Vector y = Vector::Zero(static_cast<Index>(motion_.n()));
  motion_.add_transposed(block, x.data(), y.data());
  return y;
}

Vector Partition::solve(const Vector& top, const Vector& bottom) const {
  Vector b(top.size() + bottom.size());
  b << top, bottom;
  return bordered_.solve(b);
}

Vector Partition::r_rate(const Vector& s) const {
  return solve(-times(Block::JacobianRate, r(s)), Vector::Zero(freedoms()));
}

Vector Partition::r_second(const Vector& s) const {
  const Vector bend = times(Block::JacobianAcceleration, r(s)) + 2 * times(Block::JacobianRate, r_rate(s));
  return solve(-bend, Vector::Zero(freedoms()));
}

Vector Partition::s_transposed(const Vector& y) const {
  const Vector both = bordered_.transpose().solve(y);
  return both.head(static_cast<Index>(motion_.m()));
}

Vector Partition::r_rate_transposed(const Vector& y) const {
  return -r_transposed(transposed(Block::JacobianRate, s_transposed(y)));
}

Vector Partition::r_second_transposed(const Vector& y) const {
  const Vector forces = s_transposed(y);
  return -r_transposed(transposed(Block::JacobianAcceleration, forces)) -
         2 * r_rate_transposed(transposed(Block::JacobianRate, forces));
}

Partition::Rates Partition::rates(const Vector& x) const {
  Vector w = Vector::Zero(static_cast<Index>(motion_.n() + motion_.m()));
  w.head(x.size()) = x;
  Rates out{Vector::Zero(x.size()), Vector::Zero(x.size())};
  system::PointGradient into{.v = out.damping.data(), .a = out.mass.data()};
  motion_.add_rates_transposed(w.data(), into);
  return out;
}

Vector Partition::mass(const Vector& s) const { return r_transposed(times(Block::Mass, r(s))); }

Vector Partition::mass_rate(const Vector& s) const {
  const Vector x = r(s);
  return r_rate_transposed(times(Block::Mass, x)) + r_transposed(rates(x).mass + times(Block::Mass, r_rate(s)));
}

Vector Partition::mass_second(const Vector& s) const {
  const Vector x = r(s), x_rate = r_rate(s);
  Vector inner = 2 * rates(x_rate).mass + times(Block::Mass, r_second(s));
  motion_.add_mass_second_rate(x.data(), inner.data());
  return r_second_transposed(times(Block::Mass, x)) +
         2 * r_rate_transposed(rates(x).mass + times(Block::Mass, x_rate)) + r_transposed(inner);
}

Vector Partition::damping_transposed(const Vector& s) const {
  const Vector x = r(s);
  return r_transposed(transposed(Block::Damping, x)) + 2 * r_rate_transposed(times(Block::Mass, x));
}

Vector Partition::damping_rate_transposed(const Vector& s) const {
  const Vector x = r(s), x_rate = r_rate(s);
  const Rates moving = rates(x);
  return r_rate_transposed(transposed(Block::Damping, x)) +
         r_transposed(moving.damping + transposed(Block::Damping, x_rate)) +
         2 * r_second_transposed(times(Block::Mass, x)) +
         2 * r_rate_transposed(moving.mass + times(Block::Mass, x_rate));
}

Partition::Pulled Partition::pull_back(Vector q, Vector v, const Vector& a, double* data) const {
  auto forces = [this](const Vector& y) { return s_transposed(y); };
  const Vector of_a = forces(a);
  q -= transposed(Block::JacobianAcceleration, of_a);
  v -= 2 * transposed(Block::JacobianRate, of_a);
  motion_.add_transposed(Block::PhiAccelerationData, of_a.data(), data, -1);
  const Vector of_v = forces(v);
  q -= transposed(Block::JacobianRate, of_v);
  motion_.add_transposed(Block::PhiRateData, of_v.data(), data, -1);
  const Vector of_q = forces(q);
  motion_.add_transposed(Block::PhiData, of_q.data(), data, -1);
  return {r_transposed(q), r_transposed(v)};
}

}  // namespace perilune::sensitivity
