// SPDX-License-Identifier: MIT
// Kernel of one constraint stated as an expression, Phi(q, t, d) = 0: drivers, couplings and constraints of the user.
#pragma once
#include "expr/tape.hpp"
#include "model/element/kernel.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// The element's coordinates and data (parameters) are those that the expression reads.
class RelationKernel final : public Kernel {
 public:
  RelationKernel(const Model& model, const Element& element);

  int coordinate_count() const override { return nq_; }
  int constraint_count() const override { return 1; }
  int data_count() const override { return nd_; }
  bool has_time_datum() const override { return has_time_datum_; }
  bool has_mass() const override { return false; }
  bool is_constant() const override { return false; }
  std::size_t scratch_size() const override;

  void evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const override;
  void linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                 bool with_data) const override;
  Symbols symbolic_constraints(const Symbols& q, const expr::Symbol& t, const Symbols& d) const override;
  Symbols symbolic_constraint_rates(const Symbols& q, const Symbols& v, const expr::Symbol& t,
                                    const Symbols& d) const override;
  ElementBlocks by_automatic_differentiation(const Kinematics& at, const double* data) const override;
  ElementBlocks by_complex_step(const Kinematics& at, const double* data) const override;

 private:
  /// Values along the motion and their gradient: the Taylor coefficients of the adjoints are the rates of the gradient.
  template <class Curve>
  void sweep(const Batch& batch, const Kinematics& at, const double* data, Curve* work, Curve* adjoint) const;

  expr::Tape tape_;  // inputs: t, q, data
  int nq_, nd_;
  bool has_time_datum_;
};

}  // namespace perilune::model
