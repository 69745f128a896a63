// SPDX-License-Identifier: MIT
#include "sensitivity/independent_coordinates/partition.hpp"

#include <algorithm>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::sensitivity {

using Eigen::Index;
using Eigen::MatrixXd;
using Vector = Partition::Vector;

void Partition::choose() {
  const auto n = static_cast<Index>(motion_.n()), m = static_cast<Index>(motion_.m());
  independent_.clear();
  if (m == 0) {
    for (Index k = 0; k < n; ++k) independent_.push_back(k);
  } else {
    const Eigen::FullPivLU<MatrixXd> lu(motion_.dense(Block::Jacobian));
    if (lu.rank() < m) {
      throw NumericalError(at_time(motion_.point().t) +
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
  bordered.topRows(m) = motion_.dense(Block::Jacobian);
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

MatrixXd Partition::solve(const MatrixXd& top, const MatrixXd& bottom) const {
  MatrixXd b(top.rows() + bottom.rows(), top.cols());
  b << top, bottom;
  return bordered_.solve(b);
}

Vector Partition::r_rate(const Vector& s) const {
  return solve(-times(Block::JacobianRate, r(s)), Vector::Zero(freedoms()));
}

Partition::Curve Partition::curve(const Vector& s, const Vector& rate) const {
  Curve x{r(s), {}, {}};
  x.rate = solve(-times(Block::JacobianRate, x.value), rate);
  const Vector bend = times(Block::JacobianAcceleration, x.value) + 2 * times(Block::JacobianRate, x.rate);
  x.second = solve(-bend, Vector::Zero(freedoms()));
  return x;
}

Vector Partition::momentum_second_rate(const Curve& x) const {
  const auto n = static_cast<Index>(motion_.n());
  Vector both(2 * n), mass_rates = Vector::Zero(2 * n), seconds = Vector::Zero(2 * n);
  both << x.value, x.rate;
  motion_.add_mass_rates(2, both.data(), mass_rates.data(), seconds.data());
  return seconds.head(n) + 2 * mass_rates.tail(n) + times(Block::Mass, x.second);
}

MatrixXd Partition::s_transposed(const MatrixXd& y) const {
  const MatrixXd both = bordered_.transpose().solve(y);
  return both.topRows(static_cast<Index>(motion_.m()));
}

Vector Partition::r_rate_transposed(const Vector& y) const {
  return -r_transposed(transposed(Block::JacobianRate, s_transposed(y)));
}

Vector Partition::mass(const Vector& s) const { return r_transposed(times(Block::Mass, r(s))); }

Vector Partition::mass_rate(const Vector& s) const {
  const Vector x = r(s);
  Vector moving = times(Block::Mass, r_rate(s));
  motion_.add_mass_rates(1, x.data(), moving.data(), nullptr);
  return r_rate_transposed(times(Block::Mass, x)) + r_transposed(moving);
}

Vector Partition::damping_transposed(const Vector& s) const {
  const Vector x = r(s);
  return r_transposed(transposed(Block::Damping, x)) + 2 * r_rate_transposed(times(Block::Mass, x));
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

Vector Partition::reduce(const double* q, const double* v, double* data) const {
  const auto n = static_cast<Index>(coordinates());
  const Pulled pulled =
      pull_back(Eigen::Map<const Vector>(q, n), Eigen::Map<const Vector>(v, n), Vector::Zero(n), data);
  Vector out(2 * freedoms());
  out << pulled.z, pulled.rate;
  return out;
}

}  // namespace perilune::sensitivity
