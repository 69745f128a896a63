// SPDX-License-Identifier: MIT
// Kernel of laws of one form: generalized forces computed by a tape. Which laws share one: law_batches.hpp.
#pragma once
#include <algorithm>

#include "expr/input_slopes.hpp"
#include "expr/tape.hpp"
#include "model/element/kernel.hpp"
#include "model/model.hpp"

namespace perilune::model {

/// An element's data are the parameters that it reads, or what its law has of its own; coordinates are those it reads
/// or acts on. Forces may read accelerations and multipliers.
class LawKernel final : public Kernel {
 public:
  /// Of one element, whose data are its own.
  LawKernel(const Model& model, const Element& element);
  /// Of elements like `first`. inputs: t, q, v, a where it is read, the multipliers that are read, data.
  LawKernel(const Graph& graph, const std::vector<NodeId>& inputs, const std::vector<NodeId>& law,
            const Element& first);

  int coordinate_count() const override { return nq_; }
  int constraint_count() const override { return 0; }
  int data_count() const override { return nd_; }
  bool has_time_datum() const override { return has_time_datum_; }
  bool has_mass() const override { return false; }
  bool reads_accelerations() const override { return na_ > 0; }
  int read_count() const override { return nr_; }
  bool is_constant() const override { return false; }
  std::size_t scratch_size() const override {
    const auto work = static_cast<std::size_t>(tape_.size());
    return work + std::max(work, felt_.size());
  }

  void evaluate(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks) const override;
  void linearize(const Batch& batch, const Kinematics& at, const double* data, const Blocks& blocks,
                 bool with_data) const override;
  Symbols symbolic_residual(const Symbols& q, const Symbols& v, const Symbols& a, const Symbols& reads,
                            const expr::Symbol& t, const Symbols& d) const override;
  ElementBlocks by_automatic_differentiation(const Kinematics& at, const double* data) const override;
  ElementBlocks by_complex_step(const Kinematics& at, const double* data) const override;

  const expr::Tape& tape() const { return tape_; }

 private:
  /// Runs the tape at the e-th element; returns its work array in blocks.scratch, where the constants are.
  double* run(const Batch& batch, std::size_t e, const Kinematics& at, const double* data, double* work) const;
  /// What the i-th input of the tape is at one state of one element.
  double input(int i, const Kinematics& at, const double* data) const;
  /// Where the derivative of the i-th residual by the tape's j-th input belongs; null where nowhere.
  double* place(ElementBlocks& blocks, int i, int j) const;

  expr::Tape tape_;  // inputs: t, q, v, a if some is read, lambda that are read, data
  int nq_, na_, nr_, nd_;
  expr::InputSlopes felt_;  // by a and lambda
  bool has_time_datum_;
};

}  // namespace perilune::model
