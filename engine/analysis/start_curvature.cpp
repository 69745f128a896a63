// SPDX-License-Identifier: MIT
// Second derivatives of the start. A state y solves F(y, d) = 0, and its adjoint is dbar = -F_d^T w with F_y^T w =
// ybar. Along a direction of the data, with dy from F_y dy = -F_d dd,
//   F_y^T dw = -r_y,   rate of dbar = -r_d - F_d^T dw,   (r_y, r_d) = gradient of w^T DF[dy, dd] with respect to y and
//   d,
// so that what made dbar from ybar makes its rate from -r_y, and -r_d is added.
#include <algorithm>
#include <functional>

#include "analysis/equilibrium.hpp"
#include "analysis/start_state.hpp"

namespace perilune::analysis {

namespace {

using system::ConstraintLaw;

constexpr ConstraintLaw of_positions{0, 0, 1, 0, 0}, of_velocities{0, 1, 0, 0, 1};

/// r_y and r_d, where y = (q, v, multipliers).
struct Curvature {
  std::vector<double> q, v, lambda, d;

  Curvature(const System& s, system::SecondOrder& second, const system::Kinematics& at, const Data& data,
            const ConstraintLaw& law, const std::vector<double>& w, const system::Direction& direction)
      : q(static_cast<std::size_t>(s.coordinate_count()), 0.0),
        v(q),
        lambda(static_cast<std::size_t>(s.constraint_count()), 0.0),
        d(static_cast<std::size_t>(s.data_count()), 0.0) {
    system::PointGradient out{.q = q.data(), .v = v.data(), .lambda = lambda.data(), .d = d.data()};
    second.add_gradient(at, data, law, w.data(), direction, out);
  }
  /// x = -(r_x, r_lambda, 0), for the rows of one projection.
  void load(const std::vector<double>& r, std::vector<double>& x) const {
    std::fill(x.begin(), x.end(), 0.0);
    std::transform(r.begin(), r.end(), x.begin(), std::negate<>());
    std::transform(lambda.begin(), lambda.end(), x.begin() + static_cast<std::ptrdiff_t>(r.size()), std::negate<>());
  }
};

void subtract(const std::vector<double>& from, double* to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] -= from[i];
}

/// Positions know nothing of constraints on velocities.
void clear_velocity_rows(const System& s, double* low) {
  for (const int k : s.velocity_rows()) low[k] = 0;
}

system::SecondOrder of_constraints(const System& s) {
  std::vector<system::Elements> constraints = s.elements();
  std::erase_if(constraints, [](const system::Elements& type) { return type.kernel->constraint_count() == 0; });
  return {constraints, s.coordinate_count(), s.constraint_count(), s.data_count(), s.element_products()};
}

}  // namespace

void Assembly::velocity_curvature(double t, const Data& data, const ConsistentState& at, const double* dd,
                                  const double* dq, const double* vbar, double* qbar, double* qbar_rate,
                                  double* dbar_rate) {
  if (m_ == 0) return;  // the velocities are the declared ones
  if (!second_) second_.emplace(of_constraints(*system_));
  linearize_velocities(t, data, at);
  const std::vector<double> direction = velocity_direction(dd, dq);
  std::vector<double> w = seed(vbar), unused(static_cast<std::size_t>(system_->data_count()), 0.0);
  unload_velocity(w, qbar, unused.data());
  const Curvature r(*system_, *second_, {t, at.q.data(), at.v.data(), zero_.data(), at.velocity_multipliers.data()},
                    data, of_velocities, w, {.q = dq, .v = direction.data(), .lambda = direction.data() + n_, .d = dd});
  r.load(r.v, w);
  subtract(r.q, qbar_rate);
  subtract(r.d, dbar_rate);
  unload_velocity(w, qbar_rate, dbar_rate);
}

void Assembly::curvature(double t, const Data& data, const ConsistentState& at, const double* dd, const double* qbar,
                         const double* vbar, double* dbar_rate) {
  if (m_ == 0) return;
  linearize_positions(t, data, at);
  std::vector<double> direction = position_direction(dd);
  clear_velocity_rows(*system_, direction.data() + n_);
  std::vector<double> w = seed(qbar), rate(static_cast<std::size_t>(n_), 0.0),
                      unused(static_cast<std::size_t>(system_->data_count()), 0.0);
  velocity_curvature(t, data, at, dd, direction.data(), vbar, w.data(), rate.data(), dbar_rate);
  linearize_positions(t, data, at);
  unload_position(w, unused.data());
  clear_velocity_rows(*system_, w.data() + n_);
  Curvature r(*system_, *second_, {t, at.q.data(), zero_.data(), zero_.data(), at.position_multipliers.data()}, data,
              of_positions, w, {.q = direction.data(), .lambda = direction.data() + n_, .d = dd});
  clear_velocity_rows(*system_, r.lambda.data());
  r.load(r.q, w);
  for (std::size_t i = 0; i < rate.size(); ++i) w[i] += rate[i];
  subtract(r.d, dbar_rate);
  unload_position(w, dbar_rate);
}

void StartState::curvature(double t, const Data& data, const ConsistentState& at, const double* dd, const double* qbar,
                           const double* vbar, double* dbar_rate) {
  if (from_ == StartFrom::Declared) return assembly_.curvature(t, data, at, dd, qbar, vbar, dbar_rate);
  refuse_velocity_constraints(*system_, "a second derivative of a start at rest",
                              "; those of first order are: m:gradient, m:optimize without a Hessian");
  const std::optional<Data> changed = changed_at_rest(*system_, data);
  const Data& resting = changed ? *changed : data;
  const ConsistentState held = held_near(t, resting, at);
  const OfRest direction = rest_directions(t, resting, held, at, 1, dd).front();
  std::vector<double> x(static_cast<std::size_t>(n_ + m_), 0.0), rate(static_cast<std::size_t>(n_), 0.0),
      unused(static_cast<std::size_t>(system_->data_count()), 0.0), of_velocities(vbar, vbar + n_);
  std::copy_n(qbar, n_, x.begin());
  // The unknowns as positions, and as values of first-order states, which are velocities.
  const auto part = [&](const std::vector<double>& y, bool of_states) {
    std::vector<double> out(y.begin(), y.begin() + n_);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if ((is_state_[i] != 0) != of_states) out[i] = 0;
    }
    return out;
  };
  assembly_.velocity_curvature(t, data, at, dd, part(direction.at_rest, false).data(),
                               part(of_velocities, false).data(), x.data(), rate.data(), dbar_rate);
  for (std::size_t i = 0; i < of_velocities.size(); ++i) {
    if (is_state_[i]) x[i] = of_velocities[i];
  }
  const OfRest w = unload_rest(t, resting, held, at, x, nullptr, unused.data(), nullptr);
  system::SecondOrder second(*system_);
  const auto curvature_of = [&](const ConsistentState& state, const std::vector<double>& multipliers,
                                const std::vector<double>& along) {
    const std::vector<double> q = part(along, false), v = part(along, true), states = part(state.v, true);
    Curvature r(*system_, second, {t, state.q.data(), states.data(), zero_.data(), state.position_multipliers.data()},
                resting, of_positions, multipliers,
                {.q = q.data(), .v = v.data(), .lambda = along.data() + n_, .d = dd});
    for (std::size_t i = 0; i < r.q.size(); ++i) {
      if (is_state_[i]) r.q[i] = r.v[i];
    }
    return r;
  };
  const Curvature r = curvature_of(at, w.at_rest, direction.at_rest),
                  r_held = curvature_of(held, w.held, direction.held);
  std::vector<double> x_held = x;
  r.load(r.q, x);
  r_held.load(r_held.q, x_held);
  for (std::size_t i = 0; i < rate.size(); ++i) x[i] += rate[i];
  subtract(r.d, dbar_rate);
  subtract(r_held.d, dbar_rate);
  unload_rest(t, resting, held, at, std::move(x), &x_held, dbar_rate, nullptr);
}

}  // namespace perilune::analysis
