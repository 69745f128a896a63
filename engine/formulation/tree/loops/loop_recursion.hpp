// SPDX-License-Identifier: MIT
// The equations of motion of a mechanism with loops in joint coordinates: those of a tree of its links, and the
// constraints that close the loops. These make some of the tree's coordinates dependent on the others, by Newton's
// method, which is here: in space and in the plane it is the same. LoopSweeps has what the links do. Rows that follow
// from others are left out, with multiplier zero.
#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "formulation/tree/loops/cuts.hpp"
#include "formulation/tree/recursion.hpp"
#include "linalg/dense_lu.hpp"

namespace perilune::formulation {

class LoopRecursion : public Recursion {
 public:
  /// Behind the independent coordinates and n + i for each row that is left out, n + m + n + i for each coordinate of
  /// the tree that the loops make dependent: which of a ball joint's Euler parameters are the tree's own is not to be
  /// seen from the others.
  std::optional<std::vector<int>> choose(const Node& x) final;
  bool serves(const Node& x) final;
  void set(const std::vector<int>& choice) final;
  bool complete(const Node& x) final;
  double pivot_ratio() const final { return pivot_ratio_; }

 protected:
  /// A coordinate of the tree that rows may depend on.
  struct Column {
    int coordinate = 0;
    std::size_t link = 0;
    bool is_angle = false;  // of a joint, from what it hangs on; all others are in space
  };

  /// As Cuts has owners and parents.
  LoopRecursion(std::shared_ptr<const system::System> system, std::shared_ptr<const system::Data> data,
                const Closers& closers, const std::map<int, Cuts::Place>& owners, const std::vector<int>& parents)
      : system_(std::move(system)), data_(std::move(data)), cuts_(*system_, closers, owners, parents) {}

  /// Without its loops.
  virtual Recursion& tree() = 0;
  /// Lists columns_, of the tree's independent coordinates, ascending.
  virtual void list_columns(const std::vector<int>& of_tree) = 0;
  /// Finds slopes_ and sizes_ where the tree has been placed and cuts_ are evaluated.
  virtual void find_slopes(const Node& x) = 0;

  std::shared_ptr<const system::System> system_;
  std::shared_ptr<const system::Data> data_;
  Cuts cuts_;
  std::vector<Column> columns_;  // by links
  std::vector<int> kept_;        // rows
  Eigen::MatrixXd slopes_;       // J: of rows by columns
  std::vector<double> sizes_;    // that rows would have if nothing cancelled

 private:
  int n() const { return system_->coordinate_count(); }
  int m() const { return system_->constraint_count(); }
  int redundant_at(const Node& x) const;
  /// Where the tree has been placed: all rows, and how they depend on the columns.
  bool look(const Node& x);
  bool look_at_copy(const Node& x);
  bool close(const Node& x);
  bool factor();
  struct Corrections {
    double of_places = 0, of_rates = 0;  // the largest
  };
  /// Corrects the dependent places, if asked to, and velocities by what rows say last.
  Corrections correct(const Node& x, bool with_places);
  bool hold_left_out(double reach, double speed) const;

  std::vector<int> left_out_;                         // rows
  std::vector<std::size_t> dependent_, independent_;  // columns
  bool is_set_ = false;
  std::vector<double> q_, v_;                // before they are changed
  std::optional<linalg::DenseLu> closing_;   // J of kept rows, divided by these sizes, by dependent columns, and a 1
  std::vector<double> matrix_, steps_;       // of it and for it
  double pivot_ratio_ = 1, best_ratio_ = 0;  // the latter since the last choice
};

}  // namespace perilune::formulation
