// SPDX-License-Identifier: MIT
#include "analysis/equilibrium_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "analysis/equilibrium.hpp"
#include "at_time.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

constexpr int most_steps = 200;       // of one search
constexpr double longest_turn = 0.5;  // of an angle or an Euler parameter in one step (rad)
constexpr double small_step = 1e-8;   // relative: from here on Newton's method alone
constexpr double nearly_none = 1e-9;  // of the first shift
constexpr double far_away = 1e6;      // relative: nothing holds the part back
constexpr double push = 1e-2;         // relative, off an unstable equilibrium

}  // namespace

EquilibriumSearch::EquilibriumSearch(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, double t)
    : system_(std::move(system)),
      moving_(std::move(data)),
      data_(data_at_rest(*system_, moving_)),
      t_(t),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      constraints_(system_, {}),
      closing_(system_, {}),
      zero_(static_cast<std::size_t>(n_), 0.0),
      step_(static_cast<std::size_t>(n_ + m_)),
      residual_(static_cast<std::size_t>(n_)),
      metric_(system_->nn().size()),
      matrix_(system_->nn().size()),
      way_(system_) {}

bool EquilibriumSearch::is_far() const { return largest(q_.data(), n_) > far_away * size_; }

void EquilibriumSearch::start(const ConsistentState& at) {
  q_ = at.q;
  v_.assign(q_.size(), 0.0);
  for (int i = 0; i < n_; ++i) {
    if (is_state(i)) v_[static_cast<std::size_t>(i)] = at.v[static_cast<std::size_t>(i)];
  }
  size_ = std::max(1.0, largest(q_.data(), n_));
  lambda_.assign(static_cast<std::size_t>(m_), 0.0);
  is_linearized_ = is_loose_ = false;
  way_.begin(q_);
  if (way_.counts()) way_.check_rest(t_, q_.data(), *data_);
  evaluate(q_, v_);
  make_metric();
  find_multipliers();
}

bool EquilibriumSearch::descend() {
  is_on_way_ = false;
  double shift = natural_shift();
  const double first_shift = shift;
  for (int k = 0; k < most_steps && !is_far(); ++k) {
    count_iteration();
    if (!solve_step(shift)) {
      shift = std::max(4 * shift, 1e-6 * first_shift);
      continue;
    }
    const double length = allowed_length(), change = length * largest(step_.data(), n_);
    if (change <= small_step * size_) {
      if (is_balanced()) return true;
      // A step may be short as the shift holds back what bends easily beside what hardly stretches. Where something
      // is held by nothing, only a shift says how long it is without one.
      if (shift <= 1e-3 * first_shift && solve_unshifted()) {
        if (largest(step_.data(), n_) <= small_step * size_) return true;
      } else if (shift <= nearly_none * first_shift) {
        return true;
      }
      shift /= 10;
      continue;
    }
    const double gain = work();  // of the forces along the step: energy that is lost
    const auto end = gain > 0 ? try_step(length) : std::nullopt;
    if (!end || *end < -0.5 * gain) {  // uphill, no closed position, or far beyond the lowest point of the step
      restore();
      shift = std::max(4 * shift, 1e-6 * first_shift);
      if (shift > 1e15 * first_shift) return false;
      continue;
    }
    accept(length);
    is_loose_ = false;
    if (length == 1 && std::abs(*end) < 0.25 * gain) {
      shift /= 10;
    } else if (*end > 0.5 * gain) {
      shift /= 3;
    }
  }
  return false;
}

void EquilibriumSearch::newton() {
  is_on_way_ = way_.counts();  // then with a shift that holds what no force holds, such as a ball that spins
  for (int k = 0; k < most_steps && !is_far(); ++k) {
    count_iteration();
    if (!(is_on_way_ ? solve_step(nearly_none * natural_shift())
                     : solve_unshifted() || solve_step(1e-8 * natural_shift()))) {
      fail();
    }
    const double length = allowed_length(), change = length * largest(step_.data(), n_);
    if (change <= small_step * size_) return;
    if (!try_step(length)) fail();
    accept(length);
    is_loose_ = false;
  }
  fail();
}

void EquilibriumSearch::polish() {
  is_on_way_ = way_.counts();
  double least = std::numeric_limits<double>::infinity(), last = least;
  std::vector<double> q = q_, v = v_, lambda = lambda_;
  for (int k = 0; k < 12 && least > 0; ++k) {
    ++iterations_;
    if ((is_on_way_ || !solve_unshifted()) && !solve_step(nearly_none * natural_shift())) break;
    const double length = largest(step_.data(), n_);
    if (length < least) {
      least = length;
      q = q_;
      v = v_;
      lambda = lambda_;
    }
    if (length > 0.5 * last || !try_step(1)) break;
    last = length;
    accept(1);
  }
  q_ = q;
  v_ = v;
  lambda_ = lambda;
  is_linearized_ = false;
  way_.follow(q_.data());
  evaluate(q_, v_);
}

bool EquilibriumSearch::push_along(const Mode& mode) {
  std::vector<double> trial = q_;
  for (std::size_t i = 0; i < trial.size(); ++i) {
    if (!is_state(static_cast<int>(i))) trial[i] += push * size_ * mode.shape[i].real();
  }
  if (!closing_.close(t_, *data_, trial, trial)) return false;
  q_ = trial;
  is_linearized_ = is_loose_ = false;
  way_.follow(q_.data());
  evaluate(q_, v_);
  find_multipliers();
  return true;
}

std::optional<Linearization> EquilibriumSearch::linearization() const {
  if (n_ > most_for_stability) return std::nullopt;
  try {
    return linearize(*system_, *moving_, t_, q_, v_);
  } catch (const NumericalError&) {
    return std::nullopt;  // a part without mass
  }
}

double EquilibriumSearch::residual() {
  update_residual();
  return largest(residual_.data(), n_);
}

void EquilibriumSearch::count_iteration() {
  check_interrupt();
  ++iterations_;
}

void EquilibriumSearch::evaluate(const std::vector<double>& q, const std::vector<double>& v) {
  const system::Kinematics at{t_, q.data(), v.data(), zero_.data(), lambda_.data()};
  system_->evaluate(at, *data_, w());
  for (double by_multiplier : w().force_multiplier) {
    if (!(std::abs(by_multiplier) > 1e-9)) continue;
    throw NumericalError(
        "an equilibrium is offered where forces that read reactions vanish at rest, as friction does "
        "that is smooth in the velocity; " +
        system_->implicit_element() + " does not");
  }
  double sum = 0;
  for (double x : w().force) sum += x - x;
  if (sum != 0) throw NumericalError("equilibrium: " + system_->explain_failure(at, *data_));
}

void EquilibriumSearch::make_metric() {
  double typical = 0;
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    if (i == j) typical = std::max(typical, std::abs(w().mass[k]));
    ++k;
  });
  k = 0;
  system_->nn().for_each([&](int i, int j) {
    metric_[k] = w().mass[k];
    if (i == j && !(metric_[k] > 0)) metric_[k] = typical > 0 ? 1e-3 * typical : 1;
    ++k;
  });
}

void EquilibriumSearch::find_multipliers() {
  std::vector<double> x(static_cast<std::size_t>(n_ + m_), 0.0);
  std::copy(w().force.begin(), w().force.end(), x.begin());
  if (m_ == 0 || !constraints_.factor_with(metric_)) return;
  constraints_.solve(x.data());
  std::copy(x.begin() + n_, x.end(), lambda_.begin());
  is_linearized_ = false;
}

void EquilibriumSearch::linearize_here() {
  if (std::exchange(is_linearized_, true)) return;
  system_->linearize({t_, q_.data(), v_.data(), zero_.data(), lambda_.data()}, *data_, w(), false);
  std::size_t k = 0;
  system_->nn().for_each([&](int, int j) {
    if (is_state(j)) w().stiffness[k] = w().damping[k];
    ++k;
  });
}

double EquilibriumSearch::natural_shift() {
  linearize_here();
  double shift = 0;
  std::size_t k = 0;
  system_->nn().for_each([&](int i, int j) {
    if (i == j && metric_[k] > 0) shift = std::max(shift, std::abs(w().stiffness[k]) / metric_[k]);
    ++k;
  });
  return shift > 0 ? shift : 1;
}

bool EquilibriumSearch::solve_unshifted() {
  is_loose_ = is_loose_ || !solve_step(0);
  return !is_loose_;
}

bool EquilibriumSearch::solve_step(double shift) {
  linearize_here();
  for (std::size_t k = 0; k < matrix_.size(); ++k) matrix_[k] = w().stiffness[k] + shift * metric_[k];
  if (is_on_way_) way_.linearize(t_, q_.data(), *data_, false);
  if (!constraints_.factor_with(matrix_, ConstraintSolver::regularization, is_on_way_ ? &way_.beside() : nullptr)) {
    return false;
  }
  update_residual();
  for (int i = 0; i < n_; ++i) step_[static_cast<std::size_t>(i)] = -residual_[static_cast<std::size_t>(i)];
  for (int k = 0; k < m_; ++k) step_[static_cast<std::size_t>(n_ + k)] = -w().phi[static_cast<std::size_t>(k)];
  if (is_on_way_) {
    for (int k = 0; k < m_; ++k) step_[static_cast<std::size_t>(n_ + k)] -= way_.gap()[static_cast<std::size_t>(k)];
  }
  constraints_.solve(step_.data());
  return std::isfinite(largest(step_.data(), n_ + m_)) &&
         std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); });
}

double EquilibriumSearch::allowed_length() const {
  double turn = 0;
  for (int i = 0; i < n_; ++i) {
    if (!is_state(i) && system_->unit(i) != "m") turn = std::max(turn, std::abs(step_[static_cast<std::size_t>(i)]));
  }
  return turn > longest_turn ? longest_turn / turn : 1;
}

double EquilibriumSearch::work() {
  update_residual();
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum -= residual_[static_cast<std::size_t>(i)] * step_[static_cast<std::size_t>(i)];
  return sum;
}

bool EquilibriumSearch::is_balanced() {
  update_residual();
  return largest(residual_.data(), n_) <= 1e-13 * largest(w().force.data(), n_);
}

std::optional<double> EquilibriumSearch::try_step(double length) {
  trial_q_ = q_;
  trial_v_ = v_;
  for (int i = 0; i < n_; ++i) {
    std::vector<double>& x = is_state(i) ? trial_v_ : trial_q_;
    x[static_cast<std::size_t>(i)] += length * step_[static_cast<std::size_t>(i)];
  }
  if (!closing_.close(t_, *data_, trial_q_, trial_q_)) return std::nullopt;
  try {
    evaluate(trial_q_, trial_v_);
  } catch (const NumericalError&) {
    return std::nullopt;
  }
  const std::vector<double> before = lambda_;
  add_multipliers(length);
  const double end = work();
  lambda_ = before;
  return end;
}

void EquilibriumSearch::add_multipliers(double length) {
  for (int k = 0; k < m_; ++k) {
    lambda_[static_cast<std::size_t>(k)] += length * step_[static_cast<std::size_t>(n_ + k)];
  }
}

void EquilibriumSearch::accept(double length) {
  q_ = trial_q_;
  v_ = trial_v_;
  is_linearized_ = false;
  way_.follow(q_.data());
  add_multipliers(length);
  if (length < 1) find_multipliers();
}

void EquilibriumSearch::fail() {
  restore();
  find_multipliers();
  update_residual();
  int worst = 0;
  for (int i = 1; i < n_; ++i) {
    if (std::abs(residual_[static_cast<std::size_t>(i)]) > std::abs(residual_[static_cast<std::size_t>(worst)])) {
      worst = i;
    }
  }
  char force[32];
  std::snprintf(force, sizeof force, "%.3g", std::abs(residual_[static_cast<std::size_t>(worst)]));
  const std::string unit = system_->unit(worst) == "m" ? " N" : system_->unit(worst) == "rad" ? " N m" : "";
  throw NumericalError(at_time(t_) + "no equilibrium was found in " + std::to_string(iterations_) + " iterations: " +
                       (is_state(worst) ? "the rate of " + system_->velocity_name(worst)
                                        : "the force on " + system_->coordinate_name(worst)) +
                       " is still " + force + unit +
                       "; is every part held by a joint, a spring or a balance of forces?");
}

void EquilibriumSearch::describe_way(ConsistentState& state) {
  if (!way_.counts()) return;
  way_.check_rest(t_, q_.data(), *data_);
  state.way = way_.velocity(q_.data());
  state.slip = way_.describe_slip(t_, q_.data(), *data_);
}

}  // namespace perilune::analysis
