// SPDX-License-Identifier: MIT
// Derivatives of a plant: where it is, where it starts, and over events.
#include <algorithm>

#include "error.hpp"
#include "exchange/plant.hpp"
#include "simulation/run.hpp"

namespace perilune::exchange {

void Plant::linearize() {
  find_point();
  if (is_linear_) return;
  is_point_ = false;  // found anew, so that the form can go on from there
  find_point();
  motion_->linearize_point(node(), formulation::Motion::Here::Just, {});
  is_linear_ = true;
}

void Plant::spread(const double* dx, const double* dp) {
  linearize();
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  std::fill(seed_.begin(), seed_.end(), 0.0);
  std::fill(response_.begin(), response_.end(), 0.0);
  for (const int i : positions_) seed_[static_cast<std::size_t>(i)] = *dx++;
  for (const int i : rates_) seed_[n + static_cast<std::size_t>(i)] = *dx++;
  system.data_tangent(*data_, dp, seed_.data() + 2 * n);
  motion_->tangent_point(1, {seed_.data(), response_.data(), seed_.data() + n, mu_.data()});
}

double Plant::along(const system::Measure& measure, int k, std::vector<double>& work, const double* dp) const {
  const auto n = static_cast<std::size_t>(problem_.system->coordinate_count());
  double sum = 0;
  measure.visit_gradient(work, k, [&](expr::Quantity quantity, int index, double slope) {
    const auto i = static_cast<std::size_t>(index);
    if (slope == 0) return;
    if (quantity == expr::Quantity::Position) sum += slope * seed_[i];
    if (quantity == expr::Quantity::Velocity) sum += slope * seed_[n + i];
    if (quantity == expr::Quantity::Acceleration) sum += slope * response_[i];
    if (quantity == expr::Quantity::Multiplier) sum += slope * response_[n + i];
    if (quantity == expr::Quantity::Parameter) sum += slope * dp[i];
  });
  return sum;
}

void Plant::tangent(const double* dx, const double* dp, double* of_rates, double* of_outputs) {
  spread(dx, dp);
  const auto n = static_cast<std::size_t>(problem_.system->coordinate_count());
  for (const int i : positions_) *of_rates++ = seed_[n + static_cast<std::size_t>(i)];
  for (const int i : rates_) *of_rates++ = response_[static_cast<std::size_t>(i)];
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    outputs_[k]->evaluate(point(), output_work_[k]);
    of_outputs[k] = along(*outputs_[k], 0, output_work_[k], dp);
  }
}

void Plant::adjoint(const double* of_rates, const double* of_outputs, double* by_x, double* by_parameters) {
  linearize();
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  std::fill(seed_.begin(), seed_.end(), 0.0);
  std::fill(response_.begin(), response_.end(), 0.0);
  std::fill_n(by_parameters, system.parameter_count(), 0.0);
  for (const int i : positions_) seed_[n + static_cast<std::size_t>(i)] += *of_rates++;
  for (const int i : rates_) response_[static_cast<std::size_t>(i)] += *of_rates++;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (of_outputs[k] == 0) continue;
    outputs_[k]->evaluate(point(), output_work_[k]);
    outputs_[k]->add_gradient(output_work_[k], 0, of_outputs[k],
                              {seed_.data(), seed_.data() + n, response_.data(), response_.data() + n, by_parameters});
  }
  motion_->adjoint_point({seed_.data(), response_.data(), response_.data() + n, seed_.data() + n, mu_.data()});
  for (const int i : positions_) *by_x++ = seed_[static_cast<std::size_t>(i)];
  for (const int i : rates_) *by_x++ = seed_[n + static_cast<std::size_t>(i)];
  system.data_adjoint(*data_, seed_.data() + 2 * n, by_parameters);
}

void Plant::start_tangent(const double* dp, double* of_x, double* of_rates, double* of_outputs) {
  refresh();
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  std::vector<double> dd(static_cast<std::size_t>(system.data_count())), dq(n), dv(n);
  system.data_tangent(*data_, dp, dd.data());
  simulation::start_state(problem_).tangents(state_.t, *data_, initial_, 1, dd.data(), dq.data(), dv.data());
  double* x = of_x;
  for (const int i : positions_) *x++ = dq[static_cast<std::size_t>(i)];
  for (const int i : rates_) *x++ = dv[static_cast<std::size_t>(i)];
  tangent(of_x, dp, of_rates, of_outputs);
}

void Plant::start_adjoint(const double* of_x, const double* of_rates, const double* of_outputs, double* by_parameters) {
  const system::System& system = *problem_.system;
  const auto n = static_cast<std::size_t>(system.coordinate_count());
  std::vector<double> by_x(static_cast<std::size_t>(size()));
  adjoint(of_rates, of_outputs, by_x.data(), by_parameters);
  std::vector<double> dd(static_cast<std::size_t>(system.data_count())), by_q(n), by_v(n);
  const double* x = by_x.data();
  for (const int i : positions_) by_q[static_cast<std::size_t>(i)] = *x++ + *of_x++;
  for (const int i : rates_) by_v[static_cast<std::size_t>(i)] = *x++ + *of_x++;
  simulation::start_state(problem_).adjoint(state_.t, *data_, initial_, by_q.data(), by_v.data(), dd.data());
  system.data_adjoint(*data_, dd.data(), by_parameters);
}

/// Events are few, and whoever goes back over them wants all of it: each column is made once.
const std::vector<double>& Plant::event_matrix() {
  if (!before_event_) {
    throw Error(
        "there are no derivatives over an event: none has been passed since the start, or since a state was set");
  }
  if (!event_matrix_.empty()) return event_matrix_;
  const State after = state_;
  const std::vector<int> positions = positions_, rates = rates_;
  const std::size_t rows = positions.size() + rates.size();
  const auto n = static_cast<std::size_t>(problem_.system->coordinate_count());
  std::vector<double> direction(rows + after.parameters.size()), out(rows * direction.size());
  try {
    place(*before_event_);
    linearize();
    const system::Measure* next = problem_.system->next_values();
    if (!ticked_.empty()) next->evaluate(point(), tick_work_);
    for (std::size_t column = 0; column < direction.size(); ++column) {
      direction[column] = 1;
      spread(direction.data(), direction.data() + rows);
      std::vector<double> changed;
      for (const int k : ticked_) changed.push_back(along(*next, k, tick_work_, direction.data() + rows));
      for (std::size_t i = 0; i < ticked_.size(); ++i) {
        const auto k = static_cast<std::size_t>(ticked_[i]);
        seed_[n + static_cast<std::size_t>(problem_.system->sampled()[k].coordinate)] = changed[i];
      }
      double* to = out.data() + column;
      const auto put = [&](double slope) {
        *to = slope;
        to += direction.size();
      };
      for (const int i : positions) put(seed_[static_cast<std::size_t>(i)]);
      for (const int i : rates) put(seed_[n + static_cast<std::size_t>(i)]);
      direction[column] = 0;
    }
  } catch (...) {
    place(after);
    throw;
  }
  place(after);
  return event_matrix_ = std::move(out);
}

void Plant::event_tangent(const double* dx, const double* dp, double* of_x) {
  const std::vector<double>& matrix = event_matrix();
  const auto rows = static_cast<std::size_t>(size()), columns = matrix.size() / std::max<std::size_t>(rows, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    of_x[i] = 0;
    for (std::size_t k = 0; k < columns; ++k) of_x[i] += matrix[i * columns + k] * (k < rows ? dx[k] : dp[k - rows]);
  }
}

void Plant::event_adjoint(const double* of_x, double* by_x, double* by_parameters) {
  const std::vector<double>& matrix = event_matrix();
  const auto rows = static_cast<std::size_t>(size()), columns = matrix.size() / std::max<std::size_t>(rows, 1);
  std::fill_n(by_x, rows, 0.0);
  std::fill_n(by_parameters, problem_.system->parameter_count(), 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns; ++k) {
      (k < rows ? by_x[k] : by_parameters[k - rows]) += of_x[i] * matrix[i * columns + k];
    }
  }
}

}  // namespace perilune::exchange
