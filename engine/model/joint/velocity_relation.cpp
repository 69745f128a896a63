// SPDX-License-Identifier: MIT
#include "model/joint/velocity_relation.hpp"

#include <algorithm>
#include <complex>

#include "expr/dual.hpp"
#include "model/element/scratch.hpp"
#include "model/law/timed_tape.hpp"

namespace perilune::model {

namespace {

using expr::Dual;

std::vector<NodeId> velocity_inputs(const Model& model, const Element& element) {
  std::vector<NodeId> inputs{model.time()};
  for (const auto part : {&Coordinate::position, &Coordinate::velocity}) {
    for (int c : element.coordinates) inputs.push_back(model.coordinates()[static_cast<std::size_t>(c)].*part);
  }
  inputs.insert(inputs.end(), element.data.begin(), element.data.end());
  return inputs;
}

}  // namespace

VelocityRelationKernel::VelocityRelationKernel(const Model& model, const Element& element)
    : tape_(timed_tape(model.graph(), velocity_inputs(model, element), element.law)),
      nq_(static_cast<int>(element.coordinates.size())),
      nd_(tape_.input_count() - 1 - 2 * nq_),
      has_time_datum_(nd_ > static_cast<int>(element.data.size())) {}

std::size_t VelocityRelationKernel::scratch_size() const {
  return static_cast<std::size_t>(tape_.size()) * 4 * sizeof(Dual) / sizeof(double);
}

void VelocityRelationKernel::sweep(const Batch& batch, const Kinematics& at, const double* data, Dual* work,
                                   Dual* adjoint) const {
  tape_.load_constants(work);
  work[0] = Dual(at.t, {1.0});
  for (int i = 0; i < nq_; ++i) {
    const int c = batch.coordinates[static_cast<std::size_t>(i)];
    work[1 + i] = Dual(at.q[c], {at.v[c]});
    work[in_v(i)] = Dual(at.v[c], {at.a ? at.a[c] : 0.0});
  }
  for (int j = 0; j < nd_; ++j) work[in_d(j)] = Dual(data[batch.data_offset + static_cast<std::size_t>(j)]);
  tape_.evaluate(work);
  std::fill_n(adjoint, tape_.size(), Dual(0.0));
  adjoint[tape_.output_slot(0)] = Dual(1.0);
  tape_.reverse(work, adjoint);
}

void VelocityRelationKernel::evaluate(const Batch& batch, const Kinematics& at, const double* data,
                                      const Blocks& blocks) const {
  double* storage = blocks.scratch;
  Dual* work = placed<Dual>(storage, tape_.size());
  Dual* adjoint = placed<Dual>(storage, tape_.size());
  sweep(batch, {at.t, at.q, at.v, nullptr, nullptr}, data, work, adjoint);
  const Dual& psi = work[tape_.output_slot(0)];
  const int k = batch.multipliers[0];
  blocks.phi[k] = 0;
  blocks.phi_rate[k] = psi.v;
  blocks.phi_bias[k] = psi.g[0];
  for (int i = 0; i < nq_; ++i) blocks.jacobian[batch.mn[static_cast<std::size_t>(i)]] += adjoint[in_v(i)].v;
}

void VelocityRelationKernel::linearize(const Batch& batch, const Kinematics& at, const double* data,
                                       const Blocks& blocks, bool with_data) const {
  double* storage = blocks.scratch;
  Dual* work = placed<Dual>(storage, tape_.size());
  Dual* adjoint = placed<Dual>(storage, tape_.size());
  sweep(batch, at, data, work, adjoint);
  for (int i = 0; i < nq_; ++i) {
    const int slot = batch.mn[static_cast<std::size_t>(i)];
    const Dual &of_q = adjoint[1 + i], &of_v = adjoint[in_v(i)];
    blocks.jacobian_rate[slot] += of_q.v;
    blocks.jacobian_acceleration[slot] += of_q.g[0];
    blocks.acceleration_by_velocity[slot] += of_q.v + of_v.g[0];
  }
  for (int j = 0; with_data && j < nd_; ++j) {
    const int slot = batch.md[static_cast<std::size_t>(j)];
    if (slot < 0) continue;
    blocks.phi_rate_data[slot] += adjoint[in_d(j)].v;
    blocks.phi_acceleration_data[slot] += adjoint[in_d(j)].g[0];
  }
  // (A^T kappa)_q and its mixed part: one forward-over-reverse sweep per velocity.
  const double kappa = at.lambda[batch.multipliers[0]];
  Dual* moved = placed<Dual>(storage, tape_.size());
  Dual* slope = placed<Dual>(storage, tape_.size());
  for (int i = 0; i < tape_.size(); ++i) moved[i] = Dual(work[i].v);
  for (int i = 0; i < nq_; ++i) {
    moved[in_v(i)].g[0] = 1;
    tape_.evaluate(moved);
    std::fill_n(slope, tape_.size(), Dual(0.0));
    slope[tape_.output_slot(0)] = Dual(kappa);
    tape_.reverse(moved, slope);
    moved[in_v(i)].g[0] = 0;
    for (int j = 0; j < nq_; ++j)
      blocks.stiffness[batch.nn[static_cast<std::size_t>(i * nq_ + j)]] += slope[1 + j].g[0];
    for (int j = 0; with_data && j < nd_; ++j) {
      const int slot = batch.nd[static_cast<std::size_t>(i * nd_ + j)];
      if (slot >= 0) blocks.residual_data[slot] += slope[in_d(j)].g[0];
    }
  }
}

Kernel::Symbols VelocityRelationKernel::symbolic_constraint_rates(const Symbols& q, const Symbols& v,
                                                                  const expr::Symbol& t, const Symbols& d) const {
  Symbols all{t};
  for (const Symbols* part : {&q, &v, &d}) all.insert(all.end(), part->begin(), part->end());
  return expr::Symbol::replay(tape_, all);
}

namespace {

/// The blocks from directional derivatives of Psi along the motion (`values` runs the tape with Grad<1, S>) and of its
/// gradient by velocities (with S), where `part` takes the derivative out of a scalar whose input j was moved.
template <class S, class Seed, class Part>
ElementBlocks rate_blocks(const expr::Tape& tape, int nq, int nd, const Kinematics& at, const double* data, Seed&& seed,
                          Part&& part) {
  using C = expr::Grad<1, S>;
  ElementBlocks out;
  const auto n = static_cast<std::size_t>(nq), d = static_cast<std::size_t>(nd), inputs = 2 * n + d;
  const auto result = static_cast<std::size_t>(tape.output_slot(0));
  out.stiffness.assign(n * n, 0);
  out.damping.assign(n * n, 0);
  out.residual_data.assign(n * d, 0);
  out.phi = {0};
  out.phi_data.assign(d, 0);
  const auto value = [&](std::size_t i) { return i < n ? at.q[i] : i < 2 * n ? at.v[i - n] : data[i - 2 * n]; };
  const auto rate = [&](std::size_t i) { return i < n ? at.v[i] : i < 2 * n ? at.a[i - n] : 0.0; };
  for (std::size_t j = 0; j < inputs; ++j) {
    std::vector<C> work = tape.make_work<C>();
    std::vector<S> plain = tape.make_work<S>(), adjoint(static_cast<std::size_t>(tape.size()), S(0.0));
    work[0] = C(S(at.t), {S(1.0)});
    plain[0] = S(at.t);
    for (std::size_t i = 0; i < inputs; ++i) {
      plain[1 + i] = i == j ? seed(value(i)) : S(value(i));
      // The rates of positions are the velocities, which are moved with them.
      work[1 + i] = C(plain[1 + i], {i < n && j == n + i ? seed(rate(i)) : S(rate(i))});
    }
    tape.evaluate(work.data());
    tape.evaluate(plain.data());
    adjoint[result] = S(at.lambda[0]);
    tape.reverse(plain.data(), adjoint.data());
    const C& psi = work[result];
    const bool in_q = j < n, in_v = !in_q && j < 2 * n;
    (in_q ? out.jacobian_rate : in_v ? out.jacobian : out.phi_rate_data).push_back(part(psi.v));
    (in_q   ? out.jacobian_acceleration
     : in_v ? out.acceleration_by_velocity
            : out.phi_acceleration_data)
        .push_back(part(psi.g[0]));
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = part(adjoint[1 + n + i]);
      (in_q   ? out.stiffness[i * n + j]
       : in_v ? out.damping[i * n + j - n]
              : out.residual_data[i * d + j - 2 * n]) = slope;
    }
  }
  auto resting = tape.make_work<Dual>();
  resting[0] = Dual(at.t, {1.0});
  for (std::size_t i = 0; i < inputs; ++i) resting[1 + i] = Dual(value(i), {i < n ? rate(i) : 0.0});
  tape.evaluate(resting.data());
  out.phi_rate = {resting[result].v};
  out.phi_bias = {resting[result].g[0]};
  return out;
}

}  // namespace

ElementBlocks VelocityRelationKernel::by_automatic_differentiation(const Kinematics& at, const double* data) const {
  return rate_blocks<Dual>(
      tape_, nq_, nd_, at, data, [](double x) { return Dual(x, {1.0}); }, [](const Dual& x) { return x.g[0]; });
}

ElementBlocks VelocityRelationKernel::by_complex_step(const Kinematics& at, const double* data) const {
  using Complex = std::complex<double>;
  constexpr double h = 1e-150;
  return rate_blocks<Complex>(
      tape_, nq_, nd_, at, data, [](double x) { return Complex(x, h); }, [](const Complex& x) { return x.imag() / h; });
}

}  // namespace perilune::model
