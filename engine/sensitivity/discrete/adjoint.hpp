// SPDX-License-Identifier: MIT
// What the discrete and the continuous adjoint share: terminal values, gradients gathered on the way, and the way back
// through assembly and the parameter tape.
#pragma once
#include <vector>

#include "error.hpp"
#include "sensitivity/gradient.hpp"
#include "sensitivity/seeds.hpp"

namespace perilune::sensitivity {

struct AdjointBundle {
  std::vector<std::vector<double>> q, v;        // [objective][coordinate]: adjoint of the state
  std::vector<double> times;                    // [objective]: of the time of that state, which later ones follow
  std::vector<std::vector<double>> data;        // [objective][datum]: gradient with respect to the data, so far
  std::vector<std::vector<double>> parameters;  // [objective][parameter]: explicit dependence, so far

  AdjointBundle() = default;
  /// All zero.
  explicit AdjointBundle(const Problem& problem);
  /// Starts with the terminal parts at the end of the run (Zhu 2014, eq. 3.88), and the stop condition if there is one.
  AdjointBundle(const Problem& problem, const Evaluation& run, Dynamics& dynamics);

  /// Gathers weight times what the seeds hold for data and parameters.
  void add_integrals(std::size_t objective, const Seeds& seeds, double weight = 1);
  /// The data of another system from here on: nothing is known of them yet.
  void change_data(const System& system);
  /// From the adjoint of the initial state to the gradient: initial conditions, data, parameters.
  Gradient finish(const Problem& problem, const Evaluation& run, const std::vector<int>& over);

  template <class Archive>
  friend void archive_fields(Archive& archive, AdjointBundle& bundle) {
    archive(bundle.q, bundle.v, bundle.times, bundle.data, bundle.parameters);
  }
};

/// Solves (I - gamma f_y)^T x = b for y = (q, v), with the matrix that Dynamics::factor_shifted(gamma) made.
class ImplicitStepAdjoint {
 public:
  explicit ImplicitStepAdjoint(Dynamics& dynamics);
  /// In place: (b_q, b_v) becomes (x_q, x_v); data += gamma f_d^T x.
  void solve(double gamma, double* q, double* v, double* data);

 private:
  Dynamics& dynamics_;
  std::vector<double> w_, z_;
};

}  // namespace perilune::sensitivity
