// SPDX-License-Identifier: MIT
#include "model/force/law.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <utility>

#include "model/law/timed_tape.hpp"

namespace perilune::model {

namespace {

std::vector<NodeId> law_inputs(const Model& model, const Element& element) {
  const auto coordinate = [&](int c) -> const Coordinate& { return model.coordinates()[static_cast<std::size_t>(c)]; };
  std::vector<NodeId> inputs{model.time()};
  for (int c : element.coordinates) inputs.push_back(coordinate(c).position);
  for (int c : element.coordinates) inputs.push_back(coordinate(c).velocity);
  for (int c : element.reads_accelerations ? element.coordinates : std::vector<int>{}) {
    inputs.push_back(coordinate(c).acceleration);
  }
  for (int k : element.reads) inputs.push_back(model.multipliers()[static_cast<std::size_t>(k)].node);
  inputs.insert(inputs.end(), element.data.begin(), element.data.end());
  return inputs;
}

}  // namespace

LawKernel::LawKernel(const Model& model, const Element& element)
    : LawKernel(model.graph(), law_inputs(model, element), element.law, element) {}

LawKernel::LawKernel(const Graph& graph, const std::vector<NodeId>& inputs, const std::vector<NodeId>& law,
                     const Element& first)
    : tape_(timed_tape(graph, inputs, law)),
      nq_(static_cast<int>(first.coordinates.size())),
      na_(first.reads_accelerations ? nq_ : 0),
      nr_(static_cast<int>(first.reads.size())),
      nd_(tape_.input_count() - 1 - 2 * nq_ - na_ - nr_),
      has_time_datum_(tape_.input_count() > static_cast<int>(inputs.size())) {
  std::vector<int> felt(static_cast<std::size_t>(na_ + nr_));
  std::iota(felt.begin(), felt.end(), 1 + 2 * nq_);
  felt_ = expr::InputSlopes(tape_, felt);
}

double* LawKernel::run(const Batch& batch, std::size_t e, const Kinematics& at, const double* data,
                       double* work) const {
  const int* c = batch.coordinates.data() + e * static_cast<std::size_t>(nq_);
  work[0] = at.t;
  double* next = work + 1;
  for (int i = 0; i < nq_; ++i) {
    next[i] = at.q[c[i]];
    next[nq_ + i] = at.v[c[i]];
  }
  next += 2 * nq_;
  const double *a = at.felt_a ? at.felt_a : at.a, *lambda = at.felt_lambda ? at.felt_lambda : at.lambda;
  for (int i = 0; i < na_; ++i) *next++ = a[c[i]];
  const int* reads = batch.reads.data() + e * static_cast<std::size_t>(nr_);
  for (int i = 0; i < nr_; ++i) *next++ = reads[i] < 0 ? 0.0 : lambda[reads[i]];
  std::copy_n(data + batch.data_offset + e * static_cast<std::size_t>(nd_), nd_, next);
  tape_.evaluate(work);
  return work;
}

void LawKernel::evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const {
  tape_.load_constants(blocks.scratch);
  double* room = blocks.scratch + tape_.size();
  for (std::size_t e = 0; e < static_cast<std::size_t>(batch.count); ++e) {
    const double* work = run(batch, e, at, data, blocks.scratch);
    const int* c = batch.coordinates.data() + e * static_cast<std::size_t>(nq_);
    for (int i = 0; i < nq_; ++i) blocks.force[c[i]] += work[tape_.output_slot(i)];
    const std::vector<int>& felt = felt_.inputs();
    if (felt.empty()) continue;
    felt_.find(tape_, work, room);
    const int *nn = batch.nn.data() + e * static_cast<std::size_t>(nq_ * nq_),
              *nr = batch.nr.data() + e * static_cast<std::size_t>(nq_ * nr_);
    for (int i = 0; i < nq_; ++i) {
      const double* slopes = felt_.slopes(i, room);
      if (!slopes) continue;
      for (std::size_t k = 0; k < felt.size(); ++k) {
        const int j = felt[k] - 1 - 2 * nq_;  // of a, then lambda
        if (j < na_) {
          blocks.force_acceleration[nn[i * nq_ + j]] -= slopes[k];
        } else if (const int slot = nr[i * nr_ + j - na_]; slot >= 0) {
          blocks.force_multiplier[slot] -= slopes[k];
        }
      }
    }
  }
}

void LawKernel::linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                          bool with_data) const {
  tape_.load_constants(blocks.scratch);
  double* adjoint = blocks.scratch + tape_.size();
  for (std::size_t e = 0; e < static_cast<std::size_t>(batch.count); ++e) {
    const double* work = run(batch, e, at, data, blocks.scratch);
    const int *nn = batch.nn.data() + e * static_cast<std::size_t>(nq_ * nq_),
              *nd = batch.nd.data() + e * static_cast<std::size_t>(nq_ * nd_);
    for (int i = 0; i < nq_; ++i) {
      if (tape_.is_constant_output(i)) continue;
      std::fill_n(adjoint, tape_.size(), 0.0);
      adjoint[tape_.output_slot(i)] = 1;
      tape_.reverse(work, adjoint);
      const int* slot = nn + i * nq_;
      for (int j = 0; j < nq_; ++j) {
        blocks.stiffness[slot[j]] -= adjoint[1 + j];
        blocks.damping[slot[j]] -= adjoint[1 + nq_ + j];
      }
      const double* of_data = adjoint + 1 + 2 * nq_ + na_ + nr_;
      for (int j = 0; with_data && j < nd_; ++j) {
        const int at_data = nd[i * nd_ + j];
        if (at_data >= 0) blocks.residual_data[at_data] -= of_data[j];
      }
    }
  }
}

Kernel::Symbols LawKernel::symbolic_residual(const Symbols& q, const Symbols& v, const Symbols& a, const Symbols& reads,
                                             const expr::Symbol& t, const Symbols& d) const {
  Symbols inputs{t};
  for (const Symbols* part : {&q, &v, na_ > 0 ? &a : nullptr, &reads, &d}) {
    if (part) inputs.insert(inputs.end(), part->begin(), part->end());
  }
  Symbols r = expr::Symbol::replay(tape_, inputs);
  for (expr::Symbol& x : r) x = -x;
  return r;
}

double LawKernel::input(int i, const Kinematics& at, const double* data) const {
  const std::pair<const double*, int> parts[] = {{&at.t, 1},  {at.q, nq_},      {at.v, nq_},
                                                 {at.a, na_}, {at.lambda, nr_}, {data, nd_}};
  for (const auto& [numbers, count] : parts) {
    if (i < count) return numbers[i];
    i -= count;
  }
  return 0;
}

double* LawKernel::place(ElementBlocks& blocks, int i, int j) const {
  if (j-- == 0) return nullptr;  // time
  const std::pair<std::vector<double>*, int> parts[] = {{&blocks.stiffness, nq_},
                                                        {&blocks.damping, nq_},
                                                        {&blocks.force_acceleration, na_},
                                                        {&blocks.force_multiplier, nr_},
                                                        {&blocks.residual_data, nd_}};
  for (const auto& [block, count] : parts) {
    if (j < count) return block->data() + i * count + j;
    j -= count;
  }
  return nullptr;
}

ElementBlocks LawKernel::by_automatic_differentiation(const Kinematics& at, const double* data) const {
  ElementBlocks out;
  const auto nq = static_cast<std::size_t>(nq_);
  out.force.assign(nq, 0);
  out.mass.assign(nq * nq, 0);
  out.stiffness.assign(nq * nq, 0);
  out.damping.assign(nq * nq, 0);
  out.force_acceleration.assign(nq * static_cast<std::size_t>(na_), 0);
  out.force_multiplier.assign(nq * static_cast<std::size_t>(nr_), 0);
  out.residual_data.assign(nq * static_cast<std::size_t>(nd_), 0);
  auto work = tape_.make_work<expr::Dual>();
  for (int j = 0; j < tape_.input_count(); ++j) {
    for (int i = 0; i < tape_.input_count(); ++i) {
      work[static_cast<std::size_t>(i)] = expr::Dual(input(i, at, data), {i == j ? 1.0 : 0.0});
    }
    tape_.evaluate(work.data());
    for (int i = 0; i < nq_; ++i) {
      const expr::Dual& y = work[static_cast<std::size_t>(tape_.output_slot(i))];
      out.force[static_cast<std::size_t>(i)] = y.v;
      if (double* slope = place(out, i, j)) *slope = -y.g[0];
    }
  }
  return out;
}

ElementBlocks LawKernel::by_complex_step(const Kinematics& at, const double* data) const {
  using C = std::complex<double>;
  constexpr double h = 1e-150;
  ElementBlocks out = by_automatic_differentiation(at, data);
  auto work = tape_.make_work<C>();
  for (int j = 1; j < tape_.input_count(); ++j) {
    for (int i = 0; i < tape_.input_count(); ++i) work[static_cast<std::size_t>(i)] = input(i, at, data);
    work[static_cast<std::size_t>(j)] += C(0, h);
    tape_.evaluate(work.data());
    for (int i = 0; i < nq_; ++i) {
      *place(out, i, j) = -work[static_cast<std::size_t>(tape_.output_slot(i))].imag() / h;
    }
  }
  return out;
}

}  // namespace perilune::model
