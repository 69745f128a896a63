// SPDX-License-Identifier: MIT
#include "system/system.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"
#include "expr/dual.hpp"
#include "profile.hpp"

namespace perilune::system {

namespace {

[[noreturn]] void fail_implicit(const std::string& element) {
  throw Error("this is not offered for models with forces such as " + element +
              ": it reads accelerations or reactions, which the state alone does not give");
}

}  // namespace

Workspace::Workspace(const System& s) {
  const auto n = static_cast<std::size_t>(s.coordinate_count()), m = static_cast<std::size_t>(s.constraint_count());
  const std::size_t nn = s.nn().size(), mn = s.mn().size(), nd = s.nd().size(), md = s.md().size();
  const std::pair<Array*, std::size_t> arrays[] = {{&mass, nn},
                                                   {&force, n},
                                                   {&jacobian, mn},
                                                   {&phi, m},
                                                   {&phi_rate, m},
                                                   {&phi_bias, m},
                                                   {&inertia, s.reads_accelerations() ? nn : 0},
                                                   {&force_multiplier, s.nr().size()},
                                                   {&reading_force, s.is_implicit() ? n : 0},
                                                   {&other_force, s.is_implicit() ? n : 0},
                                                   {&stiffness, nn},
                                                   {&damping, nn},
                                                   {&jacobian_rate, mn},
                                                   {&jacobian_acceleration, mn},
                                                   {&acceleration_by_velocity, s.constrains_velocities() ? mn : 0},
                                                   {&residual_data, nd},
                                                   {&phi_data, md},
                                                   {&phi_rate_data, md},
                                                   {&phi_acceleration_data, md},
                                                   {&scratch, s.scratch_size()}};
  std::size_t total = 0;
  for (const auto& [array, size] : arrays) total += size;
  values.resize(total);
  double* next = values.data();
  for (const auto& [array, size] : arrays) {
    *array = {next, size};
    next += size;
  }
  blocks.mass = mass.data();
  blocks.force_acceleration = inertia.data();
  blocks.force_multiplier = force_multiplier.data();
  if (!s.reads_accelerations()) inertia = mass;
  blocks.force = force.data();
  blocks.phi = phi.data();
  blocks.phi_rate = phi_rate.data();
  blocks.phi_bias = phi_bias.data();
  blocks.jacobian = jacobian.data();
  blocks.stiffness = stiffness.data();
  blocks.damping = damping.data();
  blocks.jacobian_rate = jacobian_rate.data();
  blocks.jacobian_acceleration = jacobian_acceleration.data();
  blocks.acceleration_by_velocity = acceleration_by_velocity.data();
  blocks.residual_data = residual_data.data();
  blocks.phi_data = phi_data.data();
  blocks.phi_rate_data = phi_rate_data.data();
  blocks.phi_acceleration_data = phi_acceleration_data.data();
  blocks.scratch = scratch.data();
}

std::shared_ptr<const Data> System::make_data(const std::vector<double>& parameters) const {
  if (parameters.size() != static_cast<std::size_t>(p_)) {
    throw Error("the model has " + std::to_string(p_) + " parameters, not " + std::to_string(parameters.size()));
  }
  auto data = std::make_shared<Data>();
  data->parameters = parameters;
  data->parameter_work = data_tape_.make_work<double>();
  std::vector<double>& work = data->parameter_work;
  std::copy(absences_.begin(), absences_.end(), std::copy(parameters.begin(), parameters.end(), work.begin()));
  data_tape_.evaluate(work.data());
  for (int k = 0; k < data_tape_.output_count(); ++k) {
    if (!std::isfinite(work[static_cast<std::size_t>(data_tape_.output_slot(k))])) {
      throw NumericalError(datum_origin_[static_cast<std::size_t>(k)] + " is not a finite number at these parameters");
    }
  }
  check_requirements(parameters);
  auto fill = [&](const std::vector<Source>& sources, std::vector<double>& out) {
    out.reserve(sources.size());
    for (const Source& s : sources) {
      const bool is_constant = s.datum < 0 || s.datum == time_datum_;
      out.push_back(is_constant ? s.value : work[static_cast<std::size_t>(data_tape_.output_slot(s.datum))]);
    }
  };
  fill(packed_, data->packed);
  fill(initial_q_, data->initial_q);
  fill(initial_v_, data->initial_v);
  data->sides.assign(switch_facts_.size(), 0.0);

  Workspace w(*this);
  const std::vector<double> zero(static_cast<std::size_t>(n_), 0.0);
  const Kinematics at{0, zero.data(), zero.data(), nullptr, nullptr};
  const model::Blocks& b = w.blocks;
  for (std::size_t g : constant_) groups_[g].kernel->evaluate(groups_[g].batch, at, data->packed.data(), b);
  data->constant.assign(w.mass.data(), w.jacobian.data());
  return data;
}

model::StoredEnergy System::stored_energy(const Kinematics& at, const Data& data, Measure::DualWork& work) const {
  model::StoredEnergy sum;
  for (const Group& group : groups_) {
    const model::StoredEnergy part = group.kernel->stored_energy(group.batch, at, data.packed.data());
    sum.energy += part.energy;
    sum.rate += part.rate;
  }
  if (!law_energies_) return sum;
  const double* parameters = data.parameters.data();
  law_energies_->evaluate_along({at.t, at.q, at.v, at.a, at.lambda, parameters, data.sides.data()},
                                {1, at.v, at.a, nullptr, nullptr, parameters, nullptr}, work);
  for (int k = 0; k < law_energies_->output_count(); ++k) {
    sum.energy += law_energies_->dual(work, k).v;
    sum.rate += law_energies_->dual(work, k).g[0];
  }
  return sum;
}

void System::set_sides(const std::vector<double>& sides, Data& data) const {
  data.sides = sides;
  for (const HeldSide& side : held_sides_) data.packed[side.packed] = sides[static_cast<std::size_t>(side.number)];
}

void System::check_requirements(const std::vector<double>& parameters) const {
  if (requirements_.empty()) return;
  auto work = requirement_tape_.make_work<double>();
  std::copy(absences_.begin(), absences_.end(), std::copy(parameters.begin(), parameters.end(), work.begin()));
  requirement_tape_.evaluate(work.data());
  std::vector<double> values;
  for (int k = 0; k < requirement_tape_.output_count(); ++k) {
    values.push_back(work[static_cast<std::size_t>(requirement_tape_.output_slot(k))]);
  }
  const double* own = values.data();
  for (const model::Requirement& r : requirements_) {
    const std::string fault = r.fault(own);
    if (!fault.empty()) {
      throw NumericalError(r.owner + (r.defined_at.empty() ? "" : ", defined at " + r.defined_at) + ": " + fault +
                           " (at these parameters)");
    }
    own += r.values.size();
  }
}

void System::evaluate(const Kinematics& at, const Data& data, Workspace& out, Part part) const {
  const TimedTask timed(Task::Elements);
  std::copy(data.constant.begin(), data.constant.end(), out.mass.data());
  std::fill(out.jacobian.begin(), out.jacobian.end(), 0.0);
  const model::Blocks& b = out.blocks;
  const bool has_reading_forces = is_implicit() && part == Part::All;
  if (has_reading_forces) {
    const bool lacks_a = reads_accelerations_ && !at.a && !at.felt_a;
    const bool lacks_lambda = nr_.size() > 0 && !at.lambda && !at.felt_lambda;
    if (lacks_a || lacks_lambda) fail_implicit(implicit_element_);
  }
  for (std::size_t g : moving_) {
    if (takes_part(groups_[g], part)) groups_[g].kernel->evaluate(groups_[g].batch, at, data.packed.data(), b);
  }
  if (!has_reading_forces) return;
  std::copy(out.force.begin(), out.force.end(), out.other_force.begin());
  add_reading_forces(at, data, out);
}

void System::add_reading_forces(const Kinematics& at, const Data& data, Workspace& out) const {
  model::Blocks b = out.blocks;
  b.force = out.reading_force.data();
  std::fill(out.reading_force.begin(), out.reading_force.end(), 0.0);
  std::fill(out.force_multiplier.begin(), out.force_multiplier.end(), 0.0);
  if (reads_accelerations_) std::fill(out.inertia.begin(), out.inertia.end(), 0.0);
  for (std::size_t g : reading_) groups_[g].kernel->evaluate(groups_[g].batch, at, data.packed.data(), b);
  for (std::size_t i = 0; i < out.force.size(); ++i) out.force[i] = out.other_force[i] + out.reading_force[i];
  if (!reads_accelerations_) return;
  for (std::size_t k = 0; k < nn_.size(); ++k) out.inertia[k] += out.mass[k];
}

void System::evaluate_metric(double t, const double* q, const double* v, const Data& data, Workspace& out) const {
  evaluate({t, q, v, nullptr, nullptr, zero_.data(), zero_.data()}, data, out);
}

void System::evaluate_again(const Kinematics& at, const Data& data, Workspace& out) const {
  const TimedTask timed(Task::Elements);
  Kinematics felt = at;
  if (!at.a) felt.felt_a = zero_.data();
  if (!at.lambda) felt.felt_lambda = zero_.data();
  add_reading_forces(felt, data, out);
}

void System::residual(const Workspace& at, const double* a, const double* lambda, double* r) const {
  for (int i = 0; i < n_; ++i) r[i] = -at.force[static_cast<std::size_t>(i)];
  if (a) mass_.multiply(at.mass.data(), a, r);
  if (lambda) mn_.multiply_transposed(at.jacobian.data(), lambda, r);
}

void System::linearize(const Kinematics& at, const Data& data, Workspace& out, bool with_data, Part part) const {
  const TimedTask timed(Task::Slopes);
  std::fill(out.stiffness.data(), with_data ? out.scratch.data() : out.residual_data.data(), 0.0);
  const model::Blocks& b = out.blocks;
  for (std::size_t i : linearized_) {
    const Group& g = groups_[i];
    if (takes_part(g, part)) g.kernel->linearize(g.batch, at, data.packed.data(), b, with_data);
  }
}

std::vector<Elements> System::elements() const {
  std::vector<Elements> all;
  for (const Group& group : groups_) {
    Elements& own = all.emplace_back(Elements{group.kernel, group.batch, {}});
    for (int e = 0; e < group.batch.count; ++e) {
      for (int j = 0; j < group.kernel->data_count(); ++j) own.datum.push_back(differentiated_datum(group, e, j));
    }
  }
  return all;
}

void System::data_tangent(const Data& data, const double* parameter_direction, double* data_direction) const {
  std::vector<double> tangent(static_cast<std::size_t>(data_tape_.size()), 0.0);
  std::copy_n(parameter_direction, p_, tangent.begin());
  data_tape_.tangent(data.parameter_work.data(), tangent.data());
  if (time_datum_ >= 0) data_direction[time_datum_] = 0;
  for (int k = 0; k < data_tape_.output_count(); ++k) {
    data_direction[k] = tangent[static_cast<std::size_t>(data_tape_.output_slot(k))];
  }
}

void System::data_adjoint(const Data& data, const double* data_gradient, double* parameter_gradient) const {
  std::vector<double> adjoint(static_cast<std::size_t>(data_tape_.size()), 0.0);
  for (int k = 0; k < data_tape_.output_count(); ++k) {
    adjoint[static_cast<std::size_t>(data_tape_.output_slot(k))] += data_gradient[k];
  }
  data_tape_.reverse(data.parameter_work.data(), adjoint.data());
  for (int i = 0; i < p_; ++i) parameter_gradient[i] += adjoint[static_cast<std::size_t>(i)];
}

void System::data_adjoint_rate(const Data& data, const double* parameter_direction, const double* data_gradient,
                               const double* data_gradient_rate, double* parameter_gradient) const {
  using Pair = expr::Grad<1, double>;
  auto work = data_tape_.make_work<Pair>();
  for (int i = 0; i < p_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    work[k] = Pair(data.parameters[k], {parameter_direction[i]});
  }
  std::copy(absences_.begin(), absences_.end(), work.begin() + p_);
  data_tape_.evaluate(work.data());
  std::vector<Pair> adjoint(static_cast<std::size_t>(data_tape_.size()));
  for (int k = 0; k < data_tape_.output_count(); ++k) {
    adjoint[static_cast<std::size_t>(data_tape_.output_slot(k))] += Pair(data_gradient[k], {data_gradient_rate[k]});
  }
  data_tape_.reverse(work.data(), adjoint.data());
  for (int i = 0; i < p_; ++i) parameter_gradient[i] += adjoint[static_cast<std::size_t>(i)].g[0];
}

std::string System::explain_failure(const Kinematics& at, const Data& data) const {
  for (int i = 0; i < n_; ++i) {
    if (!std::isfinite(at.q[i]) || !std::isfinite(at.v[i])) {
      return "coordinate " + coordinate_name(i) + " is not a finite number";
    }
  }
  const std::vector<double> zero(static_cast<std::size_t>(n_ + m_), 0.0);
  model::Kinematics felt = at;
  if (!at.a) felt.felt_a = zero.data();
  if (!at.lambda) felt.felt_lambda = zero.data();
  // Element by element, since neighbours add to the same coordinates.
  Workspace w(*this);
  const model::Blocks& b = w.blocks;
  for (const Group& g : groups_) {
    for (int e = 0; e < g.batch.count; ++e) {
      const model::Batch one = g.single(e);
      g.kernel->evaluate(one, felt, data.packed.data(), b);
      bool is_bad = false;
      auto take = [&](const std::vector<int>& places, Workspace::Array values) {
        for (int k : places) {
          if (k < 0) continue;
          double& x = values[static_cast<std::size_t>(k)];
          is_bad = is_bad || !std::isfinite(x);
          x = 0;
        }
      };
      take(one.coordinates, w.force);
      take(one.nn, w.mass);
      take(one.multipliers, w.phi);
      take(one.multipliers, w.phi_rate);
      take(one.multipliers, w.phi_bias);
      take(one.mn, w.jacobian);
      if (is_bad) {
        return "the contribution of " +
               element_labels_[static_cast<std::size_t>(g.element[static_cast<std::size_t>(e)])] +
               " is not a finite number";
      }
    }
  }
  return {};
}

model::Batch System::Group::single(int e) const {
  const int q = kernel->coordinate_count(), c = kernel->constraint_count();
  auto part = [e](const std::vector<int>& all, int stride) {
    return std::vector<int>(all.begin() + e * stride, all.begin() + (e + 1) * stride);
  };
  model::Batch one;
  one.count = 1;
  one.coordinates = part(batch.coordinates, q);
  one.multipliers = part(batch.multipliers, c);
  one.nn = part(batch.nn, q * q);
  one.mn = part(batch.mn, c * q);
  one.reads = part(batch.reads, kernel->read_count());
  one.nr = part(batch.nr, q * kernel->read_count());
  one.data_offset = batch.data_offset + static_cast<std::size_t>(e * kernel->data_count());
  return one;
}

std::string System::describe_constraint(int multiplier) const {
  return element_labels_[static_cast<std::size_t>(owner_of_multiplier_[static_cast<std::size_t>(multiplier)])];
}

}  // namespace perilune::system
