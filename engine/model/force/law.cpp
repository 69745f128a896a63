// SPDX-License-Identifier: MIT
#include "model/force/law.hpp"

#include <algorithm>
#include <complex>

#include "model/timed_tape.hpp"

namespace perilune::model {

namespace {

std::vector<NodeId> law_inputs(const Model& model, const Element& element) {
  std::vector<NodeId> inputs{model.time()};
  for (int c : element.coordinates) inputs.push_back(model.coordinates()[static_cast<std::size_t>(c)].position);
  for (int c : element.coordinates) inputs.push_back(model.coordinates()[static_cast<std::size_t>(c)].velocity);
  inputs.insert(inputs.end(), element.data.begin(), element.data.end());
  return inputs;
}

}  // namespace

LawKernel::LawKernel(const Model& model, const Element& element)
    : tape_(timed_tape(model.graph(), law_inputs(model, element), element.law)),
      nq_(static_cast<int>(element.coordinates.size())),
      nd_(tape_.input_count() - 1 - 2 * nq_),
      has_time_datum_(nd_ > static_cast<int>(element.data.size())) {}

double* LawKernel::run(const Batch& batch, const Kinematics& at, const double* data, double* work) const {
  tape_.load_constants(work);
  work[0] = at.t;
  for (int i = 0; i < nq_; ++i) {
    work[1 + i] = at.q[batch.coordinates[static_cast<std::size_t>(i)]];
    work[1 + nq_ + i] = at.v[batch.coordinates[static_cast<std::size_t>(i)]];
  }
  std::copy_n(data + batch.data_offset, nd_, work + 1 + 2 * nq_);
  tape_.evaluate(work);
  return work;
}

void LawKernel::evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const {
  const double* work = run(batch, at, data, blocks.scratch);
  for (int i = 0; i < nq_; ++i) {
    blocks.force[batch.coordinates[static_cast<std::size_t>(i)]] += work[tape_.output_slot(i)];
  }
}

void LawKernel::linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                          bool with_data) const {
  const double* work = run(batch, at, data, blocks.scratch);
  double* adjoint = blocks.scratch + tape_.size();
  for (int i = 0; i < nq_; ++i) {
    if (tape_.is_constant_output(i)) continue;
    std::fill_n(adjoint, tape_.size(), 0.0);
    adjoint[tape_.output_slot(i)] = 1;
    tape_.reverse(work, adjoint);
    const int* slot = batch.nn.data() + i * nq_;
    for (int j = 0; j < nq_; ++j) {
      blocks.stiffness[slot[j]] -= adjoint[1 + j];
      blocks.damping[slot[j]] -= adjoint[1 + nq_ + j];
    }
    for (int j = 0; with_data && j < nd_; ++j) {
      const int at_data = batch.nd[static_cast<std::size_t>(i * nd_ + j)];
      if (at_data >= 0) blocks.residual_data[at_data] -= adjoint[1 + 2 * nq_ + j];
    }
  }
}

Kernel::Symbols LawKernel::symbolic_residual(const Symbols& q, const Symbols& v, const Symbols&, const expr::Symbol& t,
                                             const Symbols& d) const {
  Symbols inputs{t};
  for (const Symbols* part : {&q, &v, &d}) inputs.insert(inputs.end(), part->begin(), part->end());
  Symbols r = expr::Symbol::replay(tape_, inputs);
  for (expr::Symbol& x : r) x = -x;
  return r;
}

ElementBlocks LawKernel::by_automatic_differentiation(const Kinematics& at, const double* data) const {
  ElementBlocks out;
  const auto nq = static_cast<std::size_t>(nq_), nd = static_cast<std::size_t>(nd_);
  out.force.assign(nq, 0);
  out.mass.assign(nq * nq, 0);
  out.stiffness.assign(nq * nq, 0);
  out.damping.assign(nq * nq, 0);
  out.residual_data.assign(nq * nd, 0);
  auto work = tape_.make_work<expr::Dual>();
  for (int j = 0; j < tape_.input_count(); ++j) {
    for (int i = 0; i < tape_.input_count(); ++i) {
      const double value = i == 0         ? at.t
                           : i <= nq_     ? at.q[i - 1]
                           : i <= 2 * nq_ ? at.v[i - 1 - nq_]
                                          : data[i - 1 - 2 * nq_];
      work[static_cast<std::size_t>(i)] = expr::Dual(value, {i == j ? 1.0 : 0.0});
    }
    tape_.evaluate(work.data());
    for (std::size_t i = 0; i < nq; ++i) {
      const expr::Dual& y = work[static_cast<std::size_t>(tape_.output_slot(static_cast<int>(i)))];
      out.force[i] = y.v;
      const auto column = static_cast<std::size_t>(j);
      if (column >= 1 && column <= nq) out.stiffness[i * nq + column - 1] = -y.g[0];
      if (column > nq && column <= 2 * nq) out.damping[i * nq + column - 1 - nq] = -y.g[0];
      if (column > 2 * nq) out.residual_data[i * nd + column - 1 - 2 * nq] = -y.g[0];
    }
  }
  return out;
}

ElementBlocks LawKernel::by_complex_step(const Kinematics& at, const double* data) const {
  using C = std::complex<double>;
  constexpr double h = 1e-150;
  ElementBlocks out = by_automatic_differentiation(at, data);
  const auto nq = static_cast<std::size_t>(nq_), nd = static_cast<std::size_t>(nd_);
  auto work = tape_.make_work<C>();
  for (std::size_t j = 1; j < static_cast<std::size_t>(tape_.input_count()); ++j) {
    work[0] = at.t;
    for (std::size_t i = 0; i < nq; ++i) {
      work[1 + i] = at.q[i];
      work[1 + nq + i] = at.v[i];
    }
    for (std::size_t i = 0; i < nd; ++i) work[1 + 2 * nq + i] = data[i];
    work[j] += C(0, h);
    tape_.evaluate(work.data());
    for (std::size_t i = 0; i < nq; ++i) {
      const double slope = -work[static_cast<std::size_t>(tape_.output_slot(static_cast<int>(i)))].imag() / h;
      if (j <= nq) out.stiffness[i * nq + j - 1] = slope;
      if (j > nq && j <= 2 * nq) out.damping[i * nq + j - 1 - nq] = slope;
      if (j > 2 * nq) out.residual_data[i * nd + j - 1 - 2 * nq] = slope;
    }
  }
  return out;
}

}  // namespace perilune::model
