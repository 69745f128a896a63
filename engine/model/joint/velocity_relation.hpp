// SPDX-License-Identifier: MIT
// Kernel of one constraint on velocities stated as an expression, Psi(q, v, t, d) = A(q, t, d) v - b(q, t, d) = 0,
// which need not be the rate of any constraint on positions (nonholonomic). By d'Alembert's principle its reaction acts
// along A^T: the equations of motion have A^T kappa, never a derivative of Psi by q.
#pragma once
#include "expr/tape.hpp"
#include "model/element/kernel.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// The element's coordinates and data (parameters) are those that the expression reads.
class VelocityRelationKernel final : public Kernel {
 public:
  VelocityRelationKernel(const Model& model, const Element& element);

  int coordinate_count() const override { return nq_; }
  int constraint_count() const override { return 1; }
  int data_count() const override { return nd_; }
  bool has_time_datum() const override { return has_time_datum_; }
  bool constrains_velocities() const override { return true; }
  bool has_mass() const override { return false; }
  bool is_constant() const override { return false; }
  std::size_t scratch_size() const override;

  void evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const override;
  void linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                 bool with_data) const override;
  Symbols symbolic_constraint_rates(const Symbols& q, const Symbols& v, const expr::Symbol& t,
                                    const Symbols& d) const override;
  ElementBlocks by_automatic_differentiation(const Kinematics& at, const double* data) const override;
  ElementBlocks by_complex_step(const Kinematics& at, const double* data) const override;

 private:
  int in_v(int i) const { return 1 + nq_ + i; }
  int in_d(int j) const { return 1 + 2 * nq_ + j; }
  /// Psi along the motion and its gradient: what moves in the adjoints are the rates of the gradient.
  void sweep(const Batch& batch, const Kinematics& at, const double* data, expr::Dual* work, expr::Dual* adjoint) const;

  expr::Tape tape_;  // inputs: t, q, v, data
  int nq_, nd_;
  bool has_time_datum_;
};

}  // namespace perilune::model
