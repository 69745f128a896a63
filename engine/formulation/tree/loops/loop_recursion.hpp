// SPDX-License-Identifier: MIT
// The equations of motion of a mechanism with loops in joint coordinates: those of a tree of its links, and the
// constraints that close the loops. These make some of the tree's coordinates dependent on the others, by Newton's
// method; their multipliers follow from
//   (J M^-1 J^T) lambda = J a_0 + Phi'' at a = 0
// with the accelerations a_0 of the tree alone. What a row of J^T does to the tree is one sweep inwards over the links
// that it holds and those that they hang on: with its push pi on the joints, J M^-1 J^T = sum of pi^T D^-1 pi over
// joints (Featherstone, Rigid Body Dynamics Algorithms, 2008, sections 7.3 and 8.5, by the factors of the articulated
// bodies). Rows that follow from others are left out, with multiplier zero.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "formulation/tree/loops/cuts.hpp"
#include "formulation/tree/tree_recursion.hpp"
#include "linalg/dense_lu.hpp"

namespace perilune::formulation {

class LoopRecursion final : public Recursion {
 public:
  LoopRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                const JointTree& tree);

  /// Behind the independent coordinates and n + i for each row that is left out, n + m + n + i for each coordinate of
  /// the tree that the loops make dependent: which of a ball joint's Euler parameters are the tree's own is not to be
  /// seen from the others.
  std::optional<std::vector<int>> choose(const Node& x) override;
  bool serves(const Node& x) override;
  void set(const std::vector<int>& choice) override;
  bool complete(const Node& x) override;
  bool point(const Node& x, bool with_multipliers) override;
  double pivot_ratio() const override { return pivot_ratio_; }

 private:
  using Vector3d = Eigen::Vector3d;
  using State = TreeRecursion::State;
  /// A coordinate of the tree that rows may depend on, and how its link moves by it where what it hangs on rests.
  struct Column {
    int coordinate = 0;
    std::size_t link = 0;
    bool is_angle = false;
    Vector3d turn = Vector3d::Zero(), move = Vector3d::Zero();
  };
  struct Wrench {
    Vector3d moment, force;
    double moments = 0, forces = 0;  // sums of sizes, where the vectors may cancel
  };
  /// What a row that is kept does to a link of its path, with all that hangs on it: the wrench, that on the joint's own
  /// freedoms, and D^-1 times it.
  struct Push {
    Wrench wrench;
    Eigen::Matrix<double, 6, 1> own, moved;
    int freedoms = 0;
  };

  // loop_recursion.cpp
  int n() const { return system_->coordinate_count(); }
  int m() const { return system_->constraint_count(); }
  void list_columns(const std::vector<int>& of_tree);
  int redundant_at(const Node& x) const;
  /// Where the tree has been placed: all rows, and how they depend on the columns.
  bool look(const Node& x);
  bool look_at_copy(const Node& x);
  bool close(const Node& x);
  bool factor();
  /// Corrects the dependent places, if asked to, and velocities by what rows say last; returns the largest correction
  /// of places.
  double correct(const Node& x, bool with_places);
  bool hold_left_out(double reach, double speed) const;
  // loop_slopes.cpp
  void find_columns(const Node& x);
  void find_columns_of(std::size_t link, const Node& x);
  void find_slopes(const Node& x);
  /// Of everything that a row pulls at: moment and force on each link of its path, and nothing of what hangs on it.
  void set_wrenches(const Cuts::Row& row, const Node& x);
  // loop_forces.cpp
  void push(std::size_t number, const Cuts::Row& row, const Node& x);
  bool find_multipliers(const Node& x);
  void apply();

  std::shared_ptr<const system::System> system_;
  std::shared_ptr<const system::Data> data_;
  TreeRecursion tree_;
  Cuts cuts_;
  std::vector<char> is_on_path_;           // links
  std::vector<std::size_t> first_column_;  // of each link, and behind the last
  std::vector<Column> columns_;
  std::vector<int> kept_, left_out_;                  // rows
  std::vector<std::size_t> dependent_, independent_;  // columns
  bool is_set_ = false;
  std::vector<double> q_, v_;                // before they are changed
  Eigen::MatrixXd slopes_;                   // J: of rows by columns
  std::vector<double> sizes_;                // that rows would have if nothing cancelled
  std::optional<linalg::DenseLu> closing_;   // J of kept rows, divided by these sizes, by dependent columns, and a 1
  std::vector<double> matrix_, steps_;       // of it and for it
  double pivot_ratio_ = 1, best_ratio_ = 0;  // the latter since the last choice
  Eigen::VectorXd reaction_, all_reactions_;
  std::vector<Wrench> wrenches_;           // of one row, by its path
  std::vector<std::vector<Push>> pushes_;  // by kept rows and their paths
  Eigen::MatrixXd response_;               // J M^-1 J^T
  Eigen::LLT<Eigen::MatrixXd> of_response_;
  std::vector<Eigen::LLT<Eigen::Matrix<double, 6, 6>>> floating_;  // of links without a joint
};

}  // namespace perilune::formulation
