// SPDX-License-Identifier: MIT
// Exact derivatives of eigenvalues of small motions by parameters: with the right vector z and the left vector y of the
// pencil P (pencil.hpp), s' = -y^T P' z / y^T P_s z. P' is that along the state, its accelerations, multipliers and
// flow, and the data, as all of these move with the parameter: products of second derivatives of the residual.
#pragma once
#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/assembly.hpp"
#include "analysis/small_motion/linearized_state.hpp"

namespace perilune::analysis {

/// How a state moves with each of some parameters, as columns.
struct StateRates {
  std::vector<int> over;  // the parameters
  MatrixXd q, v, data;    // of n, n and data_count() rows
  MatrixXd neutral;       // n rows: changes of positions that leave everything in balance, but may move eigenvalues
  /// The state was found at rest, and follows its equilibrium.
  bool is_equilibrium = false;
};

/// As declared and made consistent: `at` is what the assembly found.
StateRates declared_rates(Assembly& assembly, const System& system, const system::Data& data, double t,
                          const ConsistentState& at, const std::vector<int>& over);
/// Of a state at rest that stays in equilibrium. Throws NumericalError where it does not or cannot.
StateRates equilibrium_rates(const System& system, const std::shared_ptr<const system::Data>& data, double t,
                             const std::vector<double>& q, const std::vector<double>& v, const std::vector<int>& over);

/// An eigenvalue with its eigenvectors, A x = s x and eta^T A = s eta^T.
struct EigenPair {
  std::complex<double> value;
  Eigen::VectorXcd right, left;  // empty where it is not simple
  /// Where the eigenvalue 0 was split off: `moving` is x without what it feeds of that, s moving = A moving - fed,
  /// and the columns are fed, A fed, and so on.
  Eigen::VectorXcd moving = {};
  Eigen::MatrixXcd fed = {};
  bool is_near_zero = false;  // too near for `right`, which has inverse powers of s
};

/// The derivative of the flow for given ones of the state, in a column of StateRates (then of `neutral`). `size`: of
/// forces per mass.
using FlowRate = std::function<std::unique_ptr<LinearFlow>(const VectorXd& q, const VectorXd& v, const VectorXd& a,
                                                           double size, Index column)>;

struct EigenvalueDerivatives {
  std::vector<std::vector<std::complex<double>>> by_parameter;  // of each eigenvalue; empty where it is not simple
  /// Parameters of `over` by which the state is in equilibrium only now.
  std::vector<int> unbalancing;
};

/// Of `state`, that of `system` at t, q, v. `flow` and `flow_rate` may be empty.
EigenvalueDerivatives differentiate(const System& system, const system::Data& data, double t,
                                    const std::vector<double>& q, const std::vector<double>& v,
                                    const LinearizedState& state, const LinearFlow* flow, const FlowRate& flow_rate,
                                    const std::vector<EigenPair>& pairs, const StateRates& rates);

}  // namespace perilune::analysis
