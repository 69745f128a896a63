// SPDX-License-Identifier: MIT
#include "model/joint/relation.hpp"

#include <algorithm>
#include <complex>

#include "expr/rewrite.hpp"
#include "model/element/scratch.hpp"
#include "model/law/timed_tape.hpp"

namespace perilune::model {

namespace {

using Curve = expr::Taylor2<double>;
using expr::Dual;

std::vector<NodeId> relation_inputs(const Model& model, const Element& element) {
  std::vector<NodeId> inputs{model.time()};
  for (int c : element.coordinates) inputs.push_back(model.coordinates()[static_cast<std::size_t>(c)].position);
  inputs.insert(inputs.end(), element.data.begin(), element.data.end());
  return inputs;
}

}  // namespace

RelationKernel::RelationKernel(const Model& model, const Element& element)
    : tape_(timed_tape(model.graph(), relation_inputs(model, element), element.law)),
      nq_(static_cast<int>(element.coordinates.size())),
      nd_(tape_.input_count() - 1 - nq_),
      has_time_datum_(nd_ > static_cast<int>(element.data.size())) {}

std::size_t RelationKernel::scratch_size() const {
  return static_cast<std::size_t>(tape_.size()) * 2 * (sizeof(Curve) + sizeof(Dual)) / sizeof(double);
}

template <class C>
void RelationKernel::sweep(const Batch& batch, const Kinematics& at, const double* data, C* work, C* adjoint) const {
  tape_.load_constants(work);
  work[0] = C(at.t, 1.0, 0.0);
  for (int i = 0; i < nq_; ++i) {
    const int c = batch.coordinates[static_cast<std::size_t>(i)];
    work[1 + i] = C(at.q[c], at.v[c], at.a ? at.a[c] : 0.0);
  }
  for (int j = 0; j < nd_; ++j) work[1 + nq_ + j] = C(data[batch.data_offset + static_cast<std::size_t>(j)]);
  tape_.evaluate(work);
  std::fill_n(adjoint, tape_.size(), C(0.0));
  adjoint[tape_.output_slot(0)] = C(1.0);
  tape_.reverse(work, adjoint);
}

void RelationKernel::evaluate(const Batch& batch, const Kinematics& at, const double* data,
                              const Blocks& blocks) const {
  double* storage = blocks.scratch;
  Curve* work = placed<Curve>(storage, tape_.size());
  Curve* adjoint = placed<Curve>(storage, tape_.size());
  sweep(batch, {at.t, at.q, at.v, nullptr, nullptr}, data, work, adjoint);
  const Curve& phi = work[tape_.output_slot(0)];
  const int k = batch.multipliers[0];
  blocks.phi[k] = phi.f;
  blocks.phi_rate[k] = phi.d;
  blocks.phi_bias[k] = phi.dd;
  for (int i = 0; i < nq_; ++i) blocks.jacobian[batch.mn[static_cast<std::size_t>(i)]] += adjoint[1 + i].f;
}

void RelationKernel::linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                               bool with_data) const {
  double* storage = blocks.scratch;
  Curve* work = placed<Curve>(storage, tape_.size());
  Curve* adjoint = placed<Curve>(storage, tape_.size());
  sweep(batch, at, data, work, adjoint);
  for (int i = 0; i < nq_; ++i) {
    const int slot = batch.mn[static_cast<std::size_t>(i)];
    blocks.jacobian_rate[slot] += adjoint[1 + i].d;
    blocks.jacobian_acceleration[slot] += adjoint[1 + i].dd;
  }
  for (int j = 0; with_data && j < nd_; ++j) {
    const int slot = batch.md[static_cast<std::size_t>(j)];
    if (slot < 0) continue;
    blocks.phi_data[slot] += adjoint[1 + nq_ + j].f;
    blocks.phi_rate_data[slot] += adjoint[1 + nq_ + j].d;
    blocks.phi_acceleration_data[slot] += adjoint[1 + nq_ + j].dd;
  }
  // (Phi_q^T lambda)_q and its mixed part: one forward-over-reverse sweep per coordinate.
  const double lambda = at.lambda[batch.multipliers[0]];
  Dual* moved = placed<Dual>(storage, tape_.size());
  Dual* slope = placed<Dual>(storage, tape_.size());
  for (int i = 0; i < tape_.size(); ++i) moved[i] = Dual(work[i].f);
  for (int i = 0; i < nq_; ++i) {
    moved[1 + i].g[0] = 1;
    tape_.evaluate(moved);
    std::fill_n(slope, tape_.size(), Dual(0.0));
    slope[tape_.output_slot(0)] = Dual(lambda);
    tape_.reverse(moved, slope);
    moved[1 + i].g[0] = 0;
    for (int j = 0; j < nq_; ++j)
      blocks.stiffness[batch.nn[static_cast<std::size_t>(i * nq_ + j)]] += slope[1 + j].g[0];
    for (int j = 0; with_data && j < nd_; ++j) {
      const int slot = batch.nd[static_cast<std::size_t>(i * nd_ + j)];
      if (slot >= 0) blocks.residual_data[slot] += slope[1 + nq_ + j].g[0];
    }
  }
}

namespace {

Kernel::Symbols stacked(const expr::Symbol& t, const std::vector<const Kernel::Symbols*>& parts) {
  Kernel::Symbols all{t};
  for (const Kernel::Symbols* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

}  // namespace

Kernel::Symbols RelationKernel::symbolic_constraints(const Symbols& q, const expr::Symbol& t, const Symbols& d) const {
  return expr::Symbol::replay(tape_, stacked(t, {&q, &d}));
}

Kernel::Symbols RelationKernel::symbolic_constraint_rates(const Symbols& q, const Symbols& v, const expr::Symbol& t,
                                                          const Symbols& d) const {
  // Differentiated on variables of its own: the caller's symbols may be anything.
  Graph graph;
  std::vector<NodeId> inputs;
  auto add = [&](expr::Quantity quantity, int count) {
    std::vector<NodeId> own;
    for (int i = 0; i < count; ++i) own.push_back(graph.variable(quantity, i, "x"));
    inputs.insert(inputs.end(), own.begin(), own.end());
    return own;
  };
  const NodeId time = add(expr::Quantity::Time, 1).front();
  const std::vector<NodeId> position = add(expr::Quantity::Position, nq_);
  add(expr::Quantity::Parameter, nd_);
  const NodeId phi = tape_.replay(graph, inputs).front();
  const std::vector<NodeId> velocity = add(expr::Quantity::Velocity, nq_);
  expr::NodeMap rates{{time, graph.constant(1)}};
  for (std::size_t i = 0; i < position.size(); ++i) rates[position[i]] = velocity[i];
  const expr::Tape rate(graph, inputs, {derivative(graph, phi, rates)});
  return expr::Symbol::replay(rate, stacked(t, {&q, &d, &v}));
}

namespace {

/// The blocks from directional derivatives of the values along the motion (`values` runs the tape with Taylor2<S>) and
/// of the gradient (`gradient`, with S), where `part` takes the derivative out of a scalar whose input j was moved.
template <class S, class Seed, class Part>
ElementBlocks differentiated(const expr::Tape& tape, int nq, int nd, const Kinematics& at, const double* data,
                             Seed&& seed, Part&& part) {
  using C = expr::Taylor2<S>;
  ElementBlocks out;
  const auto n = static_cast<std::size_t>(nq), d = static_cast<std::size_t>(nd);
  out.stiffness.assign(n * n, 0);
  out.damping.assign(n * n, 0);
  out.residual_data.assign(n * d, 0);
  for (int j = 0; j < nq + nd; ++j) {
    std::vector<C> work = tape.make_work<C>();
    std::vector<S> plain = tape.make_work<S>(), adjoint(static_cast<std::size_t>(tape.size()), S(0.0));
    work[0] = C(S(at.t), S(1.0), S(0.0));
    plain[0] = S(at.t);
    for (int i = 0; i < nq; ++i) {
      const auto k = static_cast<std::size_t>(1 + i);
      plain[k] = i == j ? seed(at.q[i]) : S(at.q[i]);
      work[k] = C(plain[k], S(at.v[i]), S(at.a[i]));
    }
    for (int i = 0; i < nd; ++i) {
      const auto k = static_cast<std::size_t>(1 + nq + i);
      plain[k] = nq + i == j ? seed(data[i]) : S(data[i]);
      work[k] = C(plain[k], S(0.0), S(0.0));
    }
    tape.evaluate(work.data());
    tape.evaluate(plain.data());
    const auto result = static_cast<std::size_t>(tape.output_slot(0));
    adjoint[result] = S(at.lambda[0]);
    tape.reverse(plain.data(), adjoint.data());
    const C& phi = work[result];
    const bool in_q = j < nq;
    (in_q ? out.jacobian : out.phi_data).push_back(part(phi.f));
    (in_q ? out.jacobian_rate : out.phi_rate_data).push_back(part(phi.d));
    (in_q ? out.jacobian_acceleration : out.phi_acceleration_data).push_back(part(phi.dd));
    for (std::size_t i = 0; i < n; ++i) {
      const auto column = static_cast<std::size_t>(in_q ? j : j - nq);
      (in_q ? out.stiffness[i * n + column] : out.residual_data[i * d + column]) = part(adjoint[1 + i]);
    }
  }
  auto resting = tape.make_work<Curve>();
  resting[0] = Curve(at.t, 1.0, 0.0);
  for (std::size_t i = 0; i < n; ++i) resting[1 + i] = Curve(at.q[i], at.v[i], 0.0);
  for (std::size_t i = 0; i < d; ++i) resting[1 + n + i] = data[i];
  tape.evaluate(resting.data());
  const Curve& phi = resting[static_cast<std::size_t>(tape.output_slot(0))];
  out.phi = {phi.f};
  out.phi_rate = {phi.d};
  out.phi_bias = {phi.dd};
  return out;
}

}  // namespace

ElementBlocks RelationKernel::by_automatic_differentiation(const Kinematics& at, const double* data) const {
  return differentiated<Dual>(
      tape_, nq_, nd_, at, data, [](double x) { return Dual(x, {1.0}); }, [](const Dual& x) { return x.g[0]; });
}

ElementBlocks RelationKernel::by_complex_step(const Kinematics& at, const double* data) const {
  using Complex = std::complex<double>;
  constexpr double h = 1e-150;
  return differentiated<Complex>(
      tape_, nq_, nd_, at, data, [](double x) { return Complex(x, h); }, [](const Complex& x) { return x.imag() / h; });
}

}  // namespace perilune::model
