// SPDX-License-Identifier: MIT
// Where what rolls comes to rest. Forces balance in as many directions more as there are constraints on velocities,
//   Psi = A(q, t) v - b(q, t);
// of these places the one is taken to which a single backward Euler step of rolling leads from a place q0:
//   A(q) V(q, q0) = 0,
// V the velocities at q of what goes straight from q0 to q in one second: q - q0, and for the Euler parameters of a
// body those of turning all the way about one axis, e' = e (0, phi) / 2 with the rotation vector phi of e0^-1 e, whole
// turns included. Exact where the straight way is one of rolling, as that of a wheel along a line.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "analysis/constraint_solver.hpp"

namespace perilune::analysis {

class RollingWay {
 public:
  explicit RollingWay(std::shared_ptr<const System> system);

  /// Whether there is anything to ask here: the system has constraints on velocities.
  bool counts() const { return system_->constrains_velocities(); }

  /// The way begins here (n numbers), without any turns.
  void begin(const std::vector<double>& from);
  /// The same, and leads to q, where its velocities are known (V, n numbers; empty: without whole turns).
  void begin(const std::vector<double>& from, const std::vector<double>& q, const std::vector<double>& velocity);
  /// The place that is reached now, not far from the one before: whole turns are counted by such steps.
  void follow(const double* q);

  /// A V, its derivatives by q and q0, and with_data by the data, at a place near the one that is reached.
  void linearize(double t, const double* q, const Data& data, bool with_data);
  /// Of what was linearized: A V (m numbers, zeros for constraints on positions).
  const std::vector<double>& gap() const { return gap_; }
  /// (A V)_q - A in the mn pattern: what stands below beside the A that reactions have.
  const std::vector<double>& beside() const { return beside_; }
  /// low (m) -= (A V)_d dd + (A V)_q0 dq0.
  void subtract_load(const double* dd, const double* dq0, double* low) const;
  /// dbar -= (A V)_d^T low, from_bar (n) -= (A V)_q0^T low; from_bar may be null.
  void subtract_adjoint(const double* low, double* dbar, double* from_bar) const;

  /// V at q.
  std::vector<double> velocity(const double* q) const;
  /// A sentence for the user where the straight way to q is not one of rolling; else empty.
  std::string describe_slip(double t, const double* q, const Data& data);
  /// Throws NumericalError where a constraint asks for a velocity other than zero at q, and Error where it reads the
  /// axes of a body in natural coordinates, whose turns are not known here.
  void check_rest(double t, const double* q, const Data& data);

 private:
  using Four = std::array<double, 4>;
  using Block = std::array<double, 16>;  // row-major
  struct Turning {                       // of a body with Euler parameters
    std::array<int, 4> at;               // their numbers
    std::array<double, 3> turned{};      // phi where the way has come to (rad)
    Block by_place{}, by_start{};        // derivatives of e'
  };
  /// phi of the way to q; fills e', and the derivatives where asked for.
  std::array<double, 3> turn(const Turning& body, const double* q, Four& rate, Turning* derivatives) const;
  void evaluate_rows(double t, const double* q, const std::vector<double>& v, const Data& data, bool with_derivatives,
                     bool with_data);

  std::shared_ptr<const System> system_;
  int n_, m_;
  system::Workspace w_;
  std::vector<Turning> bodies_;
  std::vector<char> turns_;  // by coordinate: it is one of a body's Euler parameters
  std::vector<char> axes_;   // it is of an axis in natural coordinates
  std::vector<double> from_, zero_, multipliers_, gap_, beside_, jacobian_, by_data_;
};

}  // namespace perilune::analysis
