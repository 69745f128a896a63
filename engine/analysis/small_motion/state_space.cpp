// SPDX-License-Identifier: MIT
#include "analysis/small_motion/state_space.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/small_motion/linearized_state.hpp"
#include "error.hpp"

namespace perilune::analysis {

using system::System;

namespace {

std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

void require_balance(const System& system, const system::Workspace& w, const std::vector<double>& v,
                     const std::vector<double>& a) {
  // Beside what the forces would do to parts without joints.
  double size = 0;
  for (int i = 0; i < system.coordinate_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double mass = w.mass[static_cast<std::size_t>(system.nn().slot(i, i))];
    if (mass > 0) size = std::max(size, std::abs(w.force[k]) / mass);
  }
  for (int i = 0; i < system.coordinate_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool is_state = system.role(i) == model::Role::State;
    if (!is_state && std::abs(v[k]) > 1e-9) {
      throw Error("the state moves (" + system.velocity_name(i) + " = " + number_text(v[k]) +
                  "): x' = A x + B u with constant matrices is for a state at rest");
    }
    if (std::abs(a[k]) > 1e-6 * std::max(size, 1e-6)) {
      throw Error("the state is not in balance: " + (is_state ? system.velocity_name(i) : system.coordinate_name(i)) +
                  " begins to move, with " + number_text(a[k]) + "; give from = m:equilibrium {}");
    }
  }
}

/// S: what each measure changes by dq and dv, times these.
MatrixXd measured(const System& system, const system::Measure& states, const std::vector<std::string>& names,
                  const system::MotionPoint& at, const MatrixXd& dq, const MatrixXd& dv) {
  for (const expr::Quantity quantity : {expr::Quantity::Acceleration, expr::Quantity::Multiplier}) {
    if (states.reads(quantity))
      throw Error("states are made of positions and velocities, not accelerations or reactions");
  }
  std::vector<double> work = states.make_work();
  states.evaluate(at, work);
  MatrixXd out = MatrixXd::Zero(states.output_count(), dq.cols());
  for (int k = 0; k < states.output_count(); ++k) {
    states.visit_gradient(work, k, [&](expr::Quantity quantity, int i, double slope) {
      if (quantity == expr::Quantity::Position) out.row(k) += slope * dq.row(i);
      if (quantity == expr::Quantity::Velocity) out.row(k) += slope * dv.row(i);
    });
    if (!out.row(k).allFinite()) {
      throw Error("state '" + names[static_cast<std::size_t>(k)] + "' has no derivative here: " +
                  "choose one that is smooth, such as a difference in place of a distance");
    }
  }
  (void)system;
  return out;
}

std::string count_text(const LinearizedState& state) {
  std::string text = std::to_string(state.size()) + " (" + std::to_string(state.position_freedoms()) +
                     " of positions, " + std::to_string(state.velocity_freedoms()) + " of velocities";
  if (state.states() > 0) text += ", " + std::to_string(state.states()) + " first-order";
  return text + ")";
}

}  // namespace

StateSpace state_space(const System& system, const system::Data& data, double t, const std::vector<double>& q,
                       const std::vector<double>& v, const system::Measure& states,
                       const std::vector<std::string>& state_names, const std::vector<int>& inputs,
                       const std::vector<std::string>& input_names) {
  const LinearizedState state(system, data, t, q, v);
  system::Workspace w(system);
  const system::Kinematics at{t, q.data(), v.data(), state.acceleration().data(), state.multipliers().data()};
  system.evaluate(at, data, w);
  require_balance(system, w, v, state.acceleration());
  if (states.output_count() != state.size()) {
    throw Error("the small motions here have " + count_text(state) + " numbers, but " +
                std::to_string(states.output_count()) + " states are given");
  }
  const auto [dq, dv] = state.columns();
  const MatrixXd S =
      measured(system, states, state_names,
               {t, q.data(), v.data(), nullptr, nullptr, data.parameters.data(), data.sides.data()}, dq, dv);
  const Eigen::FullPivLU<MatrixXd> chart(S);
  if (!chart.isInvertible()) {
    const VectorXd left = MatrixXd(S.transpose()).fullPivLu().kernel().col(0);
    std::string names;
    for (Index k = 0; k < left.size(); ++k) {
      if (std::abs(left[k]) < 1e-9 * left.cwiseAbs().maxCoeff()) continue;
      names += (names.empty() ? "'" : ", '") + state_names[static_cast<std::size_t>(k)] + "'";
    }
    throw Error("the states do not tell all small motions: " + names +
                " say the same, or do not change with small motions");
  }
  system.linearize(at, data, w, true);
  const Index n = system.coordinate_count(), m = system.constraint_count();
  MatrixXd rates = MatrixXd::Zero(n + m, static_cast<Index>(inputs.size()));
  StateSpace out;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::vector<double> direction(static_cast<std::size_t>(system.parameter_count()), 0.0);
    std::vector<double> change(static_cast<std::size_t>(system.data_count()), 0.0),
        low(static_cast<std::size_t>(m), 0.0);
    direction[static_cast<std::size_t>(inputs[k])] = 1;
    system.data_tangent(data, direction.data(), change.data());
    for (const auto values : {w.phi_data, w.phi_rate_data, w.phi_acceleration_data}) {
      system.md().multiply(values.data(), change.data(), low.data());
      const auto moved = std::find_if(low.begin(), low.end(), [](double x) { return x != 0; });
      if (moved != low.end()) {
        throw Error("input '" + input_names[k] + "' moves the constraint of " +
                    system.describe_constraint(static_cast<int>(moved - low.begin())) +
                    "; inputs are parameters that forces or rates read");
      }
    }
    system.nd().multiply(w.residual_data.data(), change.data(), rates.col(static_cast<Index>(k)).data());
    if (rates.col(static_cast<Index>(k)).isZero(0)) out.idle_inputs.push_back(inputs[k]);
  }
  const MatrixXd inverse = chart.inverse();
  out.A = S * state.matrix(nullptr) * inverse;
  out.B = S * state.input_matrix(rates);
  return out;
}

}  // namespace perilune::analysis
