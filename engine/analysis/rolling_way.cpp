// SPDX-License-Identifier: MIT
#include "analysis/rolling_way.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "at_time.hpp"
#include "error.hpp"

namespace perilune::analysis {

namespace {

using Four = std::array<double, 4>;
using Block = std::array<double, 16>;

Four product(const Four& a, const Four& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
Four conjugate(const Four& a) { return {a[0], -a[1], -a[2], -a[3]}; }

/// The matrix of a linear map, by what it makes of the unit vectors.
template <class Map>
Block matrix_of(const Map& map) {
  Block out{};
  for (std::size_t j = 0; j < 4; ++j) {
    Four unit{};
    unit[j] = 1;
    const Four column = map(unit);
    for (std::size_t i = 0; i < 4; ++i) out[4 * i + j] = column[i];
  }
  return out;
}

/// f = angle / sine of a rotation by `angle`, whose half has this sine and cosine (of any common size), and its
/// derivatives: by the cosine, and by the sine over the sine. `whole`: turns by 4 pi that count beside.
struct Stretch {
  double f, by_cosine, by_sine;
};
Stretch stretch_of(double cosine, double sine, double whole) {
  const double size = sine * sine + cosine * cosine;
  if (whole == 0 && cosine > 0 && sine < 1e-3 * cosine) {
    const double x2 = (sine / cosine) * (sine / cosine), g = 2 / cosine;
    return {g * (1 - x2 * (1.0 / 3 - x2 * (1.0 / 5 - x2 / 7))), -2 / size,
            g / (cosine * cosine) * (-2.0 / 3 + x2 * (4.0 / 5 - x2 * 6 / 7))};
  }
  const double angle = 2 * std::atan2(sine, cosine) + 4 * std::numbers::pi * whole;
  return {angle / sine, -2 / size, (2 * cosine / size * sine - angle) / (sine * sine * sine)};
}

}  // namespace

RollingWay::RollingWay(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      n_(system_->coordinate_count()),
      m_(system_->constraint_count()),
      w_(*system_),
      turns_(static_cast<std::size_t>(n_), 0),
      axes_(turns_),
      zero_(static_cast<std::size_t>(n_), 0.0),
      multipliers_(static_cast<std::size_t>(m_), 0.0),
      gap_(multipliers_),
      beside_(system_->mn().size(), 0.0),
      jacobian_(beside_),
      by_data_(system_->md().size(), 0.0) {
  // Numbers without unit that one condition of their own ties, four of them, are a body's Euler parameters; others are
  // of axes that stay orthonormal.
  const std::vector<int>&start = system_->mn().row_start(), &column = system_->mn().column();
  for (int row = 0; row < m_; ++row) {
    const auto first = column.begin() + start[static_cast<std::size_t>(row)],
               last = column.begin() + start[static_cast<std::size_t>(row) + 1];
    if (!system_->is_internal_constraint(row)) continue;
    if (std::any_of(first, last, [&](int i) { return !system_->unit(i).empty(); })) continue;
    if (last - first != 4) {
      std::for_each(first, last, [&](int i) { axes_[static_cast<std::size_t>(i)] = 1; });
      continue;
    }
    Turning body;
    std::copy(first, last, body.at.begin());
    bodies_.push_back(body);
    for (const int i : body.at) turns_[static_cast<std::size_t>(i)] = 1;
  }
}

void RollingWay::begin(const std::vector<double>& from) {
  from_ = from;
  for (Turning& body : bodies_) body.turned = {};
}

void RollingWay::begin(const std::vector<double>& from, const std::vector<double>& q,
                       const std::vector<double>& velocity) {
  begin(from);
  for (Turning& body : bodies_) {
    if (velocity.empty()) break;
    Four e, rate;
    for (std::size_t i = 0; i < 4; ++i) e[i] = q[static_cast<std::size_t>(body.at[i])];
    for (std::size_t i = 0; i < 4; ++i) rate[i] = velocity[static_cast<std::size_t>(body.at[i])];
    const Four phi = product(conjugate(e), rate);
    for (std::size_t i = 0; i < 3; ++i) body.turned[i] = 2 * phi[i + 1];
  }
  follow(q.data());
}

std::array<double, 3> RollingWay::turn(const Turning& body, const double* q, Four& rate, Turning* derivatives) const {
  Four start, e;
  for (std::size_t i = 0; i < 4; ++i) start[i] = from_[static_cast<std::size_t>(body.at[i])];
  for (std::size_t i = 0; i < 4; ++i) e[i] = q[body.at[i]];
  const Four p = product(conjugate(start), e);
  const double sine = std::hypot(p[1], p[2], p[3]);
  // Euler parameters come back after two turns: of the rotation vectors that they may stand for, the one next to where
  // the way has come to.
  const double along = sine > 0 ? (p[1] * body.turned[0] + p[2] * body.turned[1] + p[3] * body.turned[2]) / sine : 0;
  const double whole = sine > 0 ? std::round((along - 2 * std::atan2(sine, p[0])) / (4 * std::numbers::pi)) : 0;
  const Stretch s = stretch_of(p[0], sine, whole);
  const Four phi{0, s.f * p[1], s.f * p[2], s.f * p[3]};
  rate = product(e, phi);
  for (double& x : rate) x /= 2;
  if (derivatives) {
    const auto moved = [&](const Four& dp, const Four& de) {
      const double by_all = s.by_cosine * dp[0] + s.by_sine * (p[1] * dp[1] + p[2] * dp[2] + p[3] * dp[3]);
      const Four dphi{0, s.f * dp[1] + by_all * p[1], s.f * dp[2] + by_all * p[2], s.f * dp[3] + by_all * p[3]};
      Four out = product(de, phi);
      const Four turned = product(e, dphi);
      for (std::size_t i = 0; i < 4; ++i) out[i] = 0.5 * (out[i] + turned[i]);
      return out;
    };
    derivatives->by_place = matrix_of([&](const Four& de) { return moved(product(conjugate(start), de), de); });
    derivatives->by_start = matrix_of([&](const Four& ds) { return moved(product(conjugate(ds), e), Four{}); });
  }
  return {phi[1], phi[2], phi[3]};
}

void RollingWay::follow(const double* q) {
  Four rate;
  for (Turning& body : bodies_) body.turned = turn(body, q, rate, nullptr);
}

std::vector<double> RollingWay::velocity(const double* q) const {
  std::vector<double> v(static_cast<std::size_t>(n_), 0.0);
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (system_->role(i) != model::Role::State && !turns_[k]) v[k] = q[k] - from_[k];
  }
  Four rate;
  for (const Turning& body : bodies_) {
    turn(body, q, rate, nullptr);
    for (std::size_t i = 0; i < 4; ++i) v[static_cast<std::size_t>(body.at[i])] = rate[i];
  }
  return v;
}

void RollingWay::evaluate_rows(double t, const double* q, const std::vector<double>& v, const Data& data,
                               bool with_derivatives, bool with_data) {
  const system::Kinematics at{t, q, v.data(), zero_.data(), multipliers_.data()};
  system_->evaluate(at, data, w_, system::Part::Constraints);
  if (with_derivatives) system_->linearize(at, data, w_, with_data, system::Part::Constraints);
}

// Psi at V less Psi at rest, and so its derivatives: b has no part in it, which is zero.
void RollingWay::linearize(double t, const double* q, const Data& data, bool with_data) {
  Four rate;
  for (Turning& body : bodies_) turn(body, q, rate, &body);
  const std::vector<double> v = velocity(q);
  std::fill(gap_.begin(), gap_.end(), 0.0);
  std::fill(beside_.begin(), beside_.end(), 0.0);
  std::fill(by_data_.begin(), by_data_.end(), 0.0);
  const auto add = [&](double sign) {
    for (const int row : system_->velocity_rows()) {
      const auto k = static_cast<std::size_t>(row);
      gap_[k] += sign * w_.phi_rate[k];
    }
    system_->for_velocity_entries(system_->mn(), [&](std::size_t k) { beside_[k] += sign * w_.jacobian_rate[k]; });
    if (!with_data) return;
    system_->for_velocity_entries(system_->md(), [&](std::size_t k) { by_data_[k] += sign * w_.phi_rate_data[k]; });
  };
  evaluate_rows(t, q, zero_, data, true, with_data);
  add(-1);
  evaluate_rows(t, q, v, data, true, with_data);
  add(1);
  jacobian_.assign(w_.jacobian.begin(), w_.jacobian.end());
  // A V_q - A, which is more than zero for Euler parameters alone. Who reads the rates of some of them reads all.
  for (const int row : system_->velocity_rows()) {
    const int first = system_->mn().row_start()[static_cast<std::size_t>(row)];
    const int last = system_->mn().row_start()[static_cast<std::size_t>(row) + 1];
    for (const Turning& body : bodies_) {
      const auto begin = system_->mn().column().begin() + first, end = system_->mn().column().begin() + last;
      if (!std::binary_search(begin, end, body.at[0])) continue;
      std::array<std::size_t, 4> slot{};
      for (std::size_t i = 0; i < 4; ++i) slot[i] = static_cast<std::size_t>(system_->mn().slot(row, body.at[i]));
      for (std::size_t j = 0; j < 4; ++j) {
        double sum = -jacobian_[slot[j]];
        for (std::size_t i = 0; i < 4; ++i) sum += jacobian_[slot[i]] * body.by_place[4 * i + j];
        beside_[slot[j]] += sum;
      }
    }
  }
}

void RollingWay::subtract_load(const double* dd, const double* dq0, double* low) const {
  system_->md().multiply(by_data_.data(), dd, low, -1);
  std::vector<double> dv(static_cast<std::size_t>(n_), 0.0), all(static_cast<std::size_t>(m_), 0.0);
  for (std::size_t i = 0; i < dv.size(); ++i) dv[i] = turns_[i] ? 0 : -dq0[i];
  for (const Turning& body : bodies_) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        dv[static_cast<std::size_t>(body.at[i])] += body.by_start[4 * i + j] * dq0[body.at[j]];
      }
    }
  }
  system_->mn().multiply(jacobian_.data(), dv.data(), all.data(), -1);
  for (const int row : system_->velocity_rows()) low[row] += all[static_cast<std::size_t>(row)];
}

void RollingWay::subtract_adjoint(const double* low, double* dbar, double* from_bar) const {
  system_->md().multiply_transposed(by_data_.data(), low, dbar, -1);
  if (!from_bar) return;
  std::vector<double> vbar(static_cast<std::size_t>(n_), 0.0), own(static_cast<std::size_t>(m_), 0.0);
  for (const int row : system_->velocity_rows()) own[static_cast<std::size_t>(row)] = low[row];
  system_->mn().multiply_transposed(jacobian_.data(), own.data(), vbar.data(), -1);
  for (std::size_t i = 0; i < vbar.size(); ++i) from_bar[i] -= turns_[i] ? 0 : vbar[i];
  for (const Turning& body : bodies_) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        from_bar[body.at[j]] += body.by_start[4 * i + j] * vbar[static_cast<std::size_t>(body.at[i])];
      }
    }
  }
}

std::string RollingWay::describe_slip(double t, const double* q, const Data& data) {
  constexpr double none = 1e-6;  // of the ways that a constraint compares
  double most = none;
  int worst = -1;
  for (const double part : {0.0, 0.5}) {
    std::vector<double> place = from_, v = velocity(q);
    for (std::size_t i = 0; i < place.size(); ++i) place[i] += part * (q[i] - from_[i]);
    for (const Turning& body : bodies_) {
      Four start, rate;
      for (std::size_t i = 0; i < 4; ++i) start[i] = from_[static_cast<std::size_t>(body.at[i])];
      const std::array<double, 3> phi = turn(body, q, rate, nullptr);
      const double angle = std::hypot(phi[0], phi[1], phi[2]), half = 0.5 * part * angle;
      const double sine = angle > 0 ? std::sin(half) / angle : 0;
      const Four e = product(start, {std::cos(half), sine * phi[0], sine * phi[1], sine * phi[2]});
      rate = product(e, {0, 0.5 * phi[0], 0.5 * phi[1], 0.5 * phi[2]});
      for (std::size_t i = 0; i < 4; ++i) {
        place[static_cast<std::size_t>(body.at[i])] = e[i];
        v[static_cast<std::size_t>(body.at[i])] = rate[i];
      }
    }
    evaluate_rows(t, place.data(), v, data, false, false);
    for (const int row : system_->velocity_rows()) {
      const auto k = static_cast<std::size_t>(row);
      double sum = 0;
      for (int entry = system_->mn().row_start()[k]; entry < system_->mn().row_start()[k + 1]; ++entry) {
        const auto at = static_cast<std::size_t>(entry);
        sum += std::abs(w_.jacobian[at] * v[static_cast<std::size_t>(system_->mn().column()[at])]);
      }
      // What hardly moves at all does not slip either.
      if (const double slip = std::abs(w_.phi_rate[k]); slip > 1e-12 && slip > most * sum) {
        most = slip / sum;
        worst = row;
      }
    }
  }
  if (worst < 0) return {};
  char share[32];
  std::snprintf(share, sizeof share, "%.2g", 100 * std::min(most, 1.0));
  return at_time(t) + "the place of rest is the one to which one straight step of rolling leads; on that way " +
         system_->constraint_name(worst) + " would slip by up to " + share +
         " %, and a motion may come to rest elsewhere: let it come to rest by m:simulate, with damping, to see where";
}

void RollingWay::check_rest(double t, const double* q, const Data& data) {
  constexpr double none = 1e-12;
  system_->mn().for_each([&](int row, int i) {
    if (!system_->is_velocity_row(row) || !axes_[static_cast<std::size_t>(i)]) return;
    throw Error(
        "a rest with constraints on velocities is not offered where they read natural coordinates, as that of " +
        system_->describe_constraint(row) + ", does with " + system_->coordinate_name(i) +
        ": declare that body by m:body");
  });
  evaluate_rows(t, q, zero_, data, false, false);
  for (const int row : system_->velocity_rows()) {
    const double asked = std::abs(w_.phi_rate[static_cast<std::size_t>(row)]);
    if (asked <= none) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", asked);
    throw NumericalError(at_time(t) + "there is no rest where something is driven: the constraint of " +
                         system_->describe_constraint(row) + ", asks for a velocity of " + text +
                         "; let that be zero, or find what settles by m:simulate");
  }
}

}  // namespace perilune::analysis
