// SPDX-License-Identifier: MIT
#include "formulation/absolute/load_span.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perilune::formulation {

using Eigen::Index;

namespace {

/// The largest change of some numbers, relative to the largest of them.
double relative(const Eigen::Ref<const Eigen::VectorXd>& change, const Eigen::Ref<const Eigen::VectorXd>& x) {
  if (change.size() == 0) return 0;
  const double most = change.cwiseAbs().maxCoeff();
  return most > 0 ? most / std::max(most, x.cwiseAbs().maxCoeff()) : 0;
}

}  // namespace

std::unique_ptr<LoadSpan> LoadSpan::of(const system::System& system) {
  const bool is_useful =
      system.is_implicit() && !system.reads_accelerations() && system.reading_force_count() <= most_forces;
  return is_useful ? std::unique_ptr<LoadSpan>(new LoadSpan(system)) : nullptr;
}

LoadSpan::LoadSpan(const system::System& system)
    : system_(system),
      n_(system.coordinate_count()),
      m_(system.constraint_count()),
      along_(n_, most_directions),
      response_(n_ + m_, most_directions),
      start_(n_ + m_),
      felt_(n_ + m_),
      base_(n_),
      force_(n_),
      change_(n_ + m_),
      product_(n_) {}

bool LoadSpan::take(const Solve& solve, double noise) {
  for (int k = 0; k < count_; ++k) force_ -= along_.col(k).dot(force_) * along_.col(k);
  const double rest = force_.norm();
  if (!(rest > noise)) return true;
  if (count_ == most_directions || !std::isfinite(rest)) return false;
  // Once more, as what rounding left of the others would count where little remains.
  auto direction = along_.col(count_);
  direction = force_ / rest;
  for (int k = 0; k < count_; ++k) direction -= along_.col(k).dot(direction) * along_.col(k);
  direction.normalize();
  auto response = response_.col(count_);
  response.setZero();
  response.head(n_) = direction;
  solve(response.data());
  ++count_;
  c_.conservativeResize(count_);
  c_[count_ - 1] = 0;
  return response.allFinite();
}

bool LoadSpan::complete(double t, const double* q, const double* v, const system::Data& data, const Solve& solve,
                        const double* guess, double* x, system::Workspace& at) {
  constexpr int most_iterations = 20;
  constexpr double rounding = 1e-13;
  // Close to where friction jams, all equations together decide, and say so.
  constexpr double jammed = 1e-6;
  // A step of Newton's method squares what is wrong: after one of this size that is rounding.
  constexpr double small = 1e-9;
  Eigen::Map<Eigen::VectorXd> unknowns(x, n_ + m_);
  bool is_solved = false;
  count_ = 0;
  c_.resize(0);
  start_ = felt_ = unknowns;
  if (guess) felt_.tail(m_) = Eigen::Map<const Eigen::VectorXd>(guess, m_);
  std::copy(at.reading_force.begin(), at.reading_force.end(), base_.data());
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    system_.evaluate_again({t, q, v, felt_.data(), felt_.data() + n_}, data, at);
    if (is_solved) return true;
    for (Index i = 0; i < n_; ++i) force_[i] = at.reading_force[static_cast<std::size_t>(i)] - base_[i];
    const double size = force_.norm(), noise = rounding * (size + base_.norm());
    const int known = count_;
    product_ = force_;
    if (!take(solve, noise)) return false;
    if (!std::all_of(at.force_multiplier.begin(), at.force_multiplier.end(),
                     [](double each) { return std::isfinite(each); })) {
      return false;
    }
    if (count_ == 0) {
      if (felt_ == unknowns) return true;  // nothing rubs here
      felt_ = unknowns;                    // loads were guessed for which nothing does
      continue;
    }
    Column step(count_);
    Square slope(count_, count_);
    // The guess is not of the form x_0 + Y c: what it lacks, by the slopes.
    change_ = unknowns - felt_;
    if (guess && iteration == 0) {
      system_.nr().multiply(at.force_multiplier.data(), change_.data() + n_, product_.data(), -1);
    }
    for (int k = 0; k < count_; ++k) step[k] = along_.col(k).dot(product_) - c_[k];
    for (int k = 0; k < count_; ++k) {
      product_.setZero();
      system_.nr().multiply(at.force_multiplier.data(), response_.col(k).data() + n_, product_.data(), -1);
      for (int i = 0; i < count_; ++i) slope(i, k) = (i == k ? 1 : 0) - along_.col(i).dot(product_);
    }
    const Eigen::PartialPivLU<Square> lu(slope);
    if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > jammed)) return false;
    step = lu.solve(step);
    c_ += step;
    unknowns = start_;
    unknowns.noalias() += response_.leftCols(count_) * c_;
    change_ = unknowns - felt_;
    felt_ = unknowns;
    const double change =
        std::max(relative(change_.head(n_), unknowns.head(n_)), relative(change_.tail(m_), unknowns.tail(m_)));
    if (!std::isfinite(change)) return false;
    is_solved = change <= small && known == count_;
  }
  return false;
}

}  // namespace perilune::formulation
