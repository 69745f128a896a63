// SPDX-License-Identifier: MIT
// The stabilized index-1 form (Schaffer 2005, eq. 4.20), for implicit first-order integrators:
//   q' = u,  v' = a,  u = v - Phi_q^T mu,  M a + Phi_q^T lambda = Q,  Phi_q v + Phi_t = 0,  Phi = 0
// mu is zero but for the error of the step; it gives positions and velocities the freedom to satisfy both constraints.
#pragma once
#include <memory>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/motion.hpp"
#include "formulation/stabilized/stabilized_equations.hpp"

namespace perilune::formulation {

class StabilizedMotion final : public Motion {
 public:
  StabilizedMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data);

  const System& system() const override { return *system_; }
  const Data& data() const override { return *data_; }
  bool has_own_rate() const override { return true; }

  Memory memory() override;
  void set_memory(const Memory& memory) override;

  /// u = v, mu = 0, and accelerations and multipliers by the index-1 equations: those of an implicit step carry errors
  /// of lower order than its positions and velocities.
  void point(const Node& x) override;
  void solve(const Coupling& coupling, std::span<const Node> x, double tolerance) override;
  /// Of points only, with which all steps end.
  const system::Workspace& workspace(std::size_t) const override { return dynamics_.workspace(); }
  double pivot_ratio() const override { return dynamics_.pivot_ratio(); }
  std::span<const double> factor_numbers() const override { return dynamics_.factor_numbers(); }
  void linearize_point(const Node& x, Here here, std::span<const double> factor) override;
  void tangent_point(int count, const TangentNode& y) override;
  void adjoint_point(const AdjointNode& y) override;
  void linearize_group(const Coupling& coupling, std::span<const Node> x) override;
  void tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) override;
  void adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) override;

 private:
  std::size_t coordinates() const { return static_cast<std::size_t>(n()); }
  std::size_t multipliers() const { return static_cast<std::size_t>(m()); }
  std::size_t unknowns() const { return 2 * (coordinates() + multipliers()); }
  /// Equations, matrix and room for a group.
  void prepare(int group_size);
  StabilizedMatrix& matrix(const Coupling& coupling) { return *matrices_[static_cast<std::size_t>(coupling.size)]; }
  void factor_group(const Coupling& coupling, std::span<const Node> x, bool with_data);
  /// Subtracts the correction in x_; how large it is in u and a, relative, or 0 when it is mere rounding.
  double correct(const Coupling& coupling, std::span<const Node> x) const;

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  Dynamics dynamics_;                                        // of points
  std::vector<std::unique_ptr<StabilizedEquations>> nodes_;  // one per node of a group
  std::vector<std::unique_ptr<StabilizedMatrix>> matrices_;  // by the size of the group
  std::vector<double> base_, x_, many_;
};

}  // namespace perilune::formulation
