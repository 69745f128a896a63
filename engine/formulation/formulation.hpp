// The formulations offered, as plain descriptions. Both solve, at acceleration level,
//   M a + Phi_q^T lambda = Q,   Phi'' + c1 Phi' + c0 Phi = kappa lambda
// with kappa = 1 / alpha for the penalty form and 0 for the index-1 form.
#pragma once
#include <string>
#include <variant>

namespace perilune::formulation {

/// Zhu 2014, eq. 2.16: lambda* = alpha (Phi'' + 2 xi omega Phi' + omega^2 Phi). Eliminating lambda* gives the familiar
/// (M + Phi_q^T alpha Phi_q) a = ...; solving with lambda* kept is the same equation without the loss of digits that a
/// large alpha causes there. Redundant constraints are allowed.
struct Penalty {
  double alpha = 1e9;
  double xi = 1;
  double omega = 10;  // 1/s
};

/// Zhu 2014, eqs. 2.8 and 2.15: Phi'' + 2 alpha Phi' + beta^2 Phi = 0; both 0 gives the plain index-1 form, which
/// drifts.
struct Index1 {
  double alpha = 0;  // 1/s
  double beta = 0;   // 1/s
};

using Formulation = std::variant<Penalty, Index1>;

struct Stabilization {
  double rate;        // c1
  double position;    // c0
  double compliance;  // kappa
};

inline Stabilization stabilization(const Formulation& formulation) {
  if (const auto* p = std::get_if<Penalty>(&formulation)) {
    return {2 * p->xi * p->omega, p->omega * p->omega, 1 / p->alpha};
  }
  const Index1& f = std::get<Index1>(formulation);
  return {2 * f.alpha, f.beta * f.beta, 0};
}

inline std::string name_of(const Formulation& formulation) {
  if (std::holds_alternative<Penalty>(formulation)) return "penalty";
  const Index1& f = std::get<Index1>(formulation);
  return f.alpha == 0 && f.beta == 0 ? "index1" : "index1 (Baumgarte)";
}

}  // namespace perilune::formulation
