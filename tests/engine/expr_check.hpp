// SPDX-License-Identifier: MIT
// Expressions evaluated by hand-written recursion over the graph: an independent reference for tapes.
#pragma once
#include <cmath>
#include <complex>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "expr/input_slopes.hpp"
#include "expr/tape.hpp"

namespace expr_check {

using perilune::expr::Graph;
using perilune::expr::NodeId;
using perilune::expr::Op;
using perilune::expr::Quantity;
using perilune::expr::Tape;

inline NodeId variable(Graph& g, int index) {
  return g.variable(Quantity::Parameter, index, std::string(1, static_cast<char>('x' + index)));
}

/// A tape of one output, its inputs x, y, z in order.
struct Compiled {
  Tape tape;
  Compiled(const Graph& g, std::vector<NodeId> inputs, NodeId output) : tape(g, std::move(inputs), {output}) {}

  std::vector<double> run(const std::vector<double>& x) const {
    auto work = tape.make_work<double>();
    std::copy(x.begin(), x.end(), work.begin());
    tape.evaluate(work.data());
    return work;
  }
  double value(const std::vector<double>& x) const { return run(x)[static_cast<std::size_t>(tape.output_slot(0))]; }
  double forward(const std::vector<double>& x, const std::vector<double>& direction) const {
    const auto work = run(x);
    std::vector<double> tangent(work.size(), 7.0);  // what stands beyond the inputs must not matter
    std::copy(direction.begin(), direction.end(), tangent.begin());
    tape.tangent(work.data(), tangent.data());
    return tangent[static_cast<std::size_t>(tape.output_slot(0))];
  }
  std::vector<double> gradient(const std::vector<double>& x) const {
    const auto work = run(x);
    std::vector<double> adjoint(work.size(), 0.0);
    adjoint[static_cast<std::size_t>(tape.output_slot(0))] = 1;
    tape.reverse(work.data(), adjoint.data());
    adjoint.resize(x.size());
    return adjoint;
  }
  /// The gradient by these inputs, zeros elsewhere, forward through what they reach alone.
  std::vector<double> slopes(const std::vector<double>& x, const std::vector<int>& inputs) const {
    const perilune::expr::InputSlopes of(tape, inputs);
    const auto work = run(x);
    std::vector<double> room(of.size(), 7.0), out(x.size(), 0.0);  // what stood there must not matter
    of.find(tape, work.data(), room.data());
    if (const double* found = of.slopes(0, room.data())) {
      for (const int i : of.inputs()) out[static_cast<std::size_t>(i)] = *found++;
    }
    return out;
  }
  /// Hessian times direction, by a reverse sweep over dual numbers.
  std::vector<double> curvature(const std::vector<double>& x, const std::vector<double>& direction) const {
    using perilune::expr::Dual;
    auto work = tape.make_work<Dual>();
    for (std::size_t i = 0; i < x.size(); ++i) work[i] = Dual(x[i], {direction[i]});
    tape.evaluate(work.data());
    std::vector<Dual> adjoint(work.size(), Dual(0.0));
    adjoint[static_cast<std::size_t>(tape.output_slot(0))] = 1.0;
    tape.reverse(work.data(), adjoint.data());
    std::vector<double> out;
    for (std::size_t i = 0; i < x.size(); ++i) out.push_back(adjoint[i].g[0]);
    return out;
  }
  std::vector<double> complex_step(const std::vector<double>& x) const {
    using C = std::complex<double>;
    std::vector<double> out;
    auto work = tape.make_work<C>();
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (std::size_t i = 0; i < x.size(); ++i) work[i] = C(x[i], i == j ? 1e-150 : 0.0);
      tape.evaluate(work.data());
      out.push_back(work[static_cast<std::size_t>(tape.output_slot(0))].imag() / 1e-150);
    }
    return out;
  }
};

}  // namespace expr_check
