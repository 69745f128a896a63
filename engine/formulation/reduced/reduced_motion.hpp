// SPDX-License-Identifier: MIT
// The formulations in independent coordinates: Maggi and coordinate partitioning. Nodes carry all coordinates and lie
// on the constraints; of a proposal only the independent part counts, the dependent part is a guess. The dependent part
// is found by Newton's method, so that neither positions nor velocities drift.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "formulation/motion.hpp"
#include "formulation/reduced/recursive_points.hpp"
#include "formulation/reduced/reduced_node.hpp"
#include "linalg/dense_lu.hpp"

namespace perilune::formulation {

class ReducedMotion final : public Motion {
 public:
  ReducedMotion(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, const Formulation& formulation);

  const System& system() const override { return *system_; }
  const Data& data() const override { return *data_; }

  void choose(const Node& start, double h) override;
  Choice choice() const override { return choice_; }
  void set_choice(const Choice& choice) override;
  Memory memory() override;
  void set_memory(const Memory& memory) override;

  void point(const Node& x) override { find_point(x, true); }
  void point_on_the_way(const Node& x) override { find_point(x, false); }
  const std::vector<int>* proposed() const override { return recursive_.proposed(); }
  void solve(const Coupling& coupling, std::span<const Node> x, double tolerance) override;
  const system::Workspace& workspace(std::size_t i) const override {
    return i == 0 ? recursive_.visited(nodes_[0]->dynamics()) : nodes_[i]->dynamics().workspace();
  }
  const std::string& remark() const override { return recursive_.remark(); }
  bool evaluates_nodes() const override { return !recursive_.found_last(); }
  double pivot_ratio() const override {
    return recursive_.found_last() ? recursive_.pivot_ratio() : node().pivot_ratio();
  }
  std::span<const double> factor_numbers() const override;
  void linearize_point(const Node& x, Here here, std::span<const double> factor) override;
  bool differentiates_without_multipliers() const override {
    return !is_by_slopes() && recursive_.differentiates_without_multipliers();
  }
  void tangent_point(int count, const TangentNode& y) override;
  void adjoint_point(const AdjointNode& y) override;
  void linearize_group(const Coupling& coupling, std::span<const Node> x) override;
  void tangent_group(const Coupling& coupling, int count, std::span<const TangentNode> y) override;
  void adjoint_group(const Coupling& coupling, std::span<const AdjointNode> y) override;
  bool has_residuals() const override { return true; }
  void keep_residual_weights() override { keeps_weights_ = true; }
  std::span<const ResidualWeights> residual_weights() const override { return weights_; }

 private:
  int d() const { return partition_ ? static_cast<int>(partition_->independent.size()) : 0; }
  /// Unknown accelerations of a node in a group: the independent ones, and those of rolling coordinates, whose
  /// positions the steps integrate.
  int p() const { return partition_ ? d() + static_cast<int>(partition_->rolling.size()) : 0; }
  /// Accelerations of points by R; else by the bordered matrix, which redundant constraints make singular.
  bool is_by_slopes() const { return has_reduced_points_ || (partition_ && !partition_->left_out.empty()); }
  ReducedNode& node() { return *nodes_.front(); }
  const ReducedNode& node() const { return *nodes_.front(); }
  void find_point(const Node& x, bool with_multipliers);
  /// Phi_q where the motion from `start` will be after a time, as far as the velocities tell.
  void look_ahead(const Node& start, double time);
  /// Accelerations and multipliers by R and S, where forces read zeros for them if they read them at all.
  void solve_by_slopes(const Node& x);
  /// From the accelerations and multipliers where forces read zeros to those that fit the forces.
  void solve_implicitly(const Node& x);
  /// As many nodes and as much room as a group needs.
  void prepare(int size);
  /// The independent positions and velocities of all nodes from the proposals in base_ and their accelerations in z_;
  /// then everything else about the nodes, and the residuals.
  void settle(const Coupling& coupling, std::span<const Node> x);
  /// Factors M delta_ij + v_from_a(i, j) C_i + q_total(i, j) K_i in independent coordinates, and below, for a group,
  /// the rows by which rolling accelerations follow. A point has M alone.
  void factor_point(const Node& x);
  void factor_group(const Coupling& coupling, std::span<const Node> x);
  void factor(linalg::DenseLu& lu, bool is_point, std::span<const Node> x);
  /// Where lu_[number] is to be factored, with zeros in matrix_. There is none before: recursions need none.
  linalg::DenseLu& dense(int number, int rows);
  /// Brings nodes to where they were found: system evaluated, constraints factored, R known.
  void revisit(ReducedNode& node, const Node& x);
  void tangent(const Coupling& coupling, bool has_weights, int count, std::span<const TangentNode> y);
  void adjoint(const Coupling& coupling, bool has_weights, std::span<const AdjointNode> y);
  /// The point of the last linearize_point() in all coordinates, unless that has been done.
  void linearize_in_full();
  /// Zero weights of R, Phi and Phi' for this many nodes.
  void clear_weights(std::size_t nodes);
  /// Weights of node i that adjoint() found: adds those of R; those of Phi and Phi' from the adjoints z of the node's q
  /// and v, of which the adjoints of the proposals are left.
  void add_weights(std::size_t i, std::span<const double> w);
  void complete_adjoint(std::size_t i, double* z);
  [[noreturn]] void fail(const Coupling& coupling, std::span<const Node> x, int iterations, double correction);

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  Formulation formulation_;
  bool has_reduced_points_;
  Choice choice_;
  std::shared_ptr<const Partition> partition_;
  std::vector<std::unique_ptr<ReducedNode>> nodes_;   // one per node of a group; the first also finds points
  std::vector<std::unique_ptr<linalg::DenseLu>> lu_;  // of points, then by size of the group
  linalg::DenseLu* last_lu_ = nullptr;                // of the matrix factored last
  RecursivePoints recursive_;
  struct Linearized {
    Node x;
    Here here = Here::Again;
    std::span<const double> factor = {};
    bool is_by_recursion = false, is_full = false;
  };
  Linearized linearized_;
  bool keeps_weights_ = false;
  std::vector<double> ahead_;   // q
  bool is_on_the_way_ = false;  // the last point was found without its own matrices, which derivatives need
  std::vector<double> matrix_, base_, z_, residual_;
  std::vector<double> many_, dz_, dv_, pairs_;
  std::vector<double> weight_numbers_;
  std::array<ResidualWeights, 3> weights_;
  const Coupling uncoupled_{1};
};

}  // namespace perilune::formulation
