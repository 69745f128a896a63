// SPDX-License-Identifier: MIT
// The formulations whose state are all coordinates and velocities: penalty, index 1, index 3, augmented Lagrangian.
#pragma once
#include <memory>
#include <vector>

#include "formulation/absolute/coupled_matrix.hpp"
#include "formulation/absolute/dynamics.hpp"
#include "formulation/motion.hpp"
#include "formulation/projection.hpp"
#include "formulation/step_solver.hpp"

namespace perilune::formulation {

class AbsoluteMotion final : public Motion {
 public:
  AbsoluteMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data,
                 const Formulation& formulation);

  const System& system() const override { return *system_; }
  const Data& data() const override { return *data_; }

  Memory memory() override;
  void set_memory(const Memory& memory) override;
  void forget_matrix() override {
    kept_.reset();
    is_kept_factored_ = false;
  }

  void point(const Node& x) override;
  bool points_in_lanes(const PointChain& chain) override;
  void solve(const Coupling& coupling, std::span<const Node> x, double tolerance) override;
  const system::Workspace& workspace(std::size_t i) const override {
    return is_own_step_ ? step_solver_->workspace(i) : nodes_[i]->workspace();
  }
  double pivot_ratio() const override { return dynamics().pivot_ratio(); }
  std::span<const double> factor_numbers() const override { return dynamics().factor_numbers(); }
  void linearize_point(const Node& x, Here here, std::span<const double> factor) override;
  void tangent_point(int count, const TangentNode& y) override;
  void adjoint_point(const AdjointNode& y) override;
  void linearize_group(const Coupling& coupling, std::span<const Node> x) override;
  void tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) override;
  void adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) override;
  bool projects() const override { return projection_ != nullptr; }
  Projection* projection() override { return projection_.get(); }
  StepSolver* step_solver(const StepScheme& scheme) override;
  bool has_residuals() const override { return !projection_; }
  std::span<const ResidualWeights> residual_weights() const override { return {&weights_, 1}; }

 private:
  Dynamics& dynamics() { return *nodes_.front(); }
  const Dynamics& dynamics() const { return *nodes_.front(); }
  /// Before points are found.
  void expect_points();
  /// As many Dynamics and room as a group needs.
  void prepare(int group_size);
  void set_law(const ConstraintLaw& law);
  /// Linearizes at all nodes of a group and factors the matrix of their accelerations and multipliers.
  void factor_group(const Coupling& coupling, std::span<const Node> x, bool with_data);
  /// Whether the matrix of an earlier step may serve for this one, and is factored now.
  bool take_up_matrix(const Coupling& coupling);
  /// Accelerations and multipliers of the nodes, taken down or put back.
  void note_guess(std::span<const Node> x);
  void return_to_guess(std::span<const Node> x);
  /// Keeps the matrix just factored for later steps.
  void keep_matrix(const Coupling& coupling);
  /// Another matrix of groups of this size is about to be factored.
  void forget_factors(int size) { is_kept_factored_ = is_kept_factored_ && kept_->size != size; }
  /// The largest change of an acceleration, and the largest acceleration after it, at least 1.
  struct Correction {
    double size = 0, of = 1;
  };
  /// Turns the residuals in x_ into what is to be subtracted from accelerations and multipliers.
  Correction correction(const Coupling& coupling, std::span<const Node> x);
  /// How large that is, relative: the larger one of accelerations, and of forces of constraints beside the largest
  /// force.
  double relative_size(const Correction& found, std::span<const Node> x);
  /// Rounding errors of positions stop the accelerations from converging further: where the constraints ask for
  /// positions, and where forces are stiff.
  bool is_rounding(const Coupling& coupling, std::span<const Node> x, double correction) const;
  [[noreturn]] void fail(const Coupling& coupling, std::span<const Node> x, int iterations, double correction);

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  Formulation formulation_;
  ConstraintLaw point_law_;
  std::vector<std::unique_ptr<Dynamics>> nodes_;  // one per node of a group; the first also finds points
  std::unique_ptr<Projection> projection_;        // for forms that do so
  std::unique_ptr<CoupledMatrix> matrix_;         // of groups of several nodes
  std::unique_ptr<StepSolver> step_solver_;       // once asked for, and what it goes by
  StepScheme scheme_;
  bool is_own_step_ = false;  // what was found last
  int matrix_size_ = 0;
  std::shared_ptr<KeptMatrix> kept_;
  bool is_kept_factored_ = false;  // and nothing else since
  MatrixService service_;
  std::vector<double> base_, x_, residual_, guess_, forces_, many_;
  ResidualWeights weights_;
};

}  // namespace perilune::formulation
