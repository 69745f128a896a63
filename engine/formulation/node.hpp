// SPDX-License-Identifier: MIT
// Nodes: the points of a motion that an integrator asks for, and how those found together depend on each other.
#pragma once
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace perilune::formulation {

/// One point of a motion. An integrator proposes q and v; what becomes of them, and a and lambda, is the formulation's.
/// u = q' is v itself but for forms that add something to it.
struct Node {
  double t = 0;
  double *q = nullptr, *v = nullptr, *a = nullptr;  // n each
  double* lambda = nullptr;                         // m
  double *u = nullptr, *mu = nullptr;               // n and m; u = v and mu absent where the form has no own u
  double* proposed = nullptr;                       // 2 n: q and v before a projection, of forms that project
};

/// Which tangents of a node somebody reads, beside those of what later nodes are proposed by.
struct TangentsRead {
  std::vector<char> motions, accelerations;  // of coordinates: of position or velocity, of acceleration
  bool multipliers = false;                  // of any of them
};

/// Derivatives of a node in `count` directions, interleaved: entry i of direction k stands at i * count + k.
struct TangentNode {
  double* z = nullptr;   // dq (n), dv (n) and the directions of the data, stacked
  double* x = nullptr;   // da (n), dlambda (m), stacked
  double* u = nullptr;   // du (n): z + n * count where the form has no own u
  double* mu = nullptr;  // dmu (m)
  /// Others are not found where that is cheaper. Null: all are read.
  const TangentsRead* read = nullptr;
};

/// Adjoints of a node's numbers, for one objective.
struct AdjointNode {
  double* z = nullptr;                     // of q (n), v (n) and the data, stacked
  double *a = nullptr, *lambda = nullptr;  // n, m
  double *u = nullptr, *mu = nullptr;      // n, m; u = z + n where the form has no own u
};

/// How nodes that are found together depend on their own velocities and accelerations:
///   v_i = v*_i + sum_j v_from_a(i, j) a_j,   q_i = q*_i + sum_j q_from_u(i, j) u_j + sum_j q_from_a(i, j) a_j
/// with the proposals q*, v*. Row-major; the integrator's weights times h, h and h^2.
struct Coupling {
  int size = 1;
  double h = 0;  // of the step
  std::vector<double> v_from_a, q_from_u, q_from_a;

  explicit Coupling(int s = 1)
      : size(s), v_from_a(static_cast<std::size_t>(s * s)), q_from_u(v_from_a), q_from_a(v_from_a) {}
  double va(int i, int j) const { return v_from_a[static_cast<std::size_t>(i * size + j)]; }
  double qu(int i, int j) const { return q_from_u[static_cast<std::size_t>(i * size + j)]; }
  double qa(int i, int j) const { return q_from_a[static_cast<std::size_t>(i * size + j)]; }
  /// Weight of a_j in q_i where u = v.
  double q_total(int i, int j) const {
    double sum = qa(i, j);
    for (int k = 0; k < size; ++k) sum += qu(i, k) * va(k, j);
    return sum;
  }
};

/// Sets q and v of nodes found together from their u and a and the proposals: q* and v* of each node, in order (2 n
/// each).
void place(const Coupling& coupling, const double* proposals, std::size_t n, std::span<const Node> x);

/// Coefficients of a Rosenbrock method (Hairer and Wanner, Solving Ordinary Differential Equations II, IV.7, eq. 7.25),
/// with arrays of size stages, or stages^2 and row-major with entries below the diagonal only. The increments u_i of
///   y' = f(t, y),  0 = R(t, y),  J and f_t those at the start,
/// follow from  u_i / (gamma h) - J u_i = f(t + time_i h, Y_i) + sum_j c_ij u_j / h + h of_time_i f_t  and the same for
/// R without the terms in 1 / h, where  Y_i = y + sum_j a_ij u_j.
struct RosenbrockScheme {
  int stages = 0;
  double gamma = 0;
  std::vector<double> a, c, time, of_time;
  double stage_weight(int i, int j) const { return a[static_cast<std::size_t>(i * stages + j)]; }
  double rate_weight(int i, int j) const { return c[static_cast<std::size_t>(i * stages + j)]; }
};

/// A variational step (Ebrahimi 2019, (10)-(17)): the Lagrangian is taken at t + alpha h.
struct VariationalScheme {
  double alpha = 0.5;
  bool operator==(const VariationalScheme&) const = default;
};

/// What a step goes by that has equations of its own.
using StepScheme = std::variant<const RosenbrockScheme*, VariationalScheme>;

}  // namespace perilune::formulation
