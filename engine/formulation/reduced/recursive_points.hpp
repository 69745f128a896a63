// SPDX-License-Identifier: MIT
// Points of a motion in joint coordinates that recursions find, where the mechanism is a tree, without evaluating the
// system. The first one is measured by the system's own equations.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formulation/absolute/dynamics.hpp"
#include "formulation/node.hpp"
#include "formulation/tree/recursion.hpp"

namespace perilune::formulation {

class RecursivePoints {
 public:
  /// `wanted`: else there never is a tree.
  RecursivePoints(std::shared_ptr<const System> system, std::shared_ptr<const Data> data, bool wanted)
      : system_(std::move(system)), data_(std::move(data)), is_sought_(!wanted) {}

  /// Sought at the first position that comes, where joints are closed; null where there is none.
  Recursion* tree(const double* q);
  /// Why there is none: a sentence, or empty.
  const std::string& remark() const { return remark_; }
  void set_choice(const std::vector<int>& choice);

  /// False where there is no tree, or where its recursion fails: the general way says why then.
  /// Without multipliers these are NaN.
  bool find(const Node& x, Dynamics& dynamics, bool with_multipliers);
  /// Derivatives at a point, as Recursion has them; false where there is no tree.
  bool linearize(const Node& x, Dynamics& dynamics, bool was_just_found);
  bool adjoint(const Node& x, const AdjointNode& y) { return tree_->adjoint(x, y); }
  bool tangent(const Node& x, int count, const TangentNode& y) { return tree_->tangent(x, count, y); }
  /// As Recursion has it, at points that are found here.
  bool differentiates_without_multipliers() const { return tree_ && tree_->differentiates_without_multipliers(); }
  /// As Motion::proposed().
  const std::vector<int>* proposed() const { return tree_ ? tree_->proposed() : nullptr; }
  /// Whether the last point was found here.
  bool found_last() const { return found_last_; }
  /// Of what closed its loops.
  double pivot_ratio() const { return tree_->pivot_ratio(); }
  /// The next one is not.
  void forget() {
    found_last_ = false;
    leave();
  }
  /// What the system says at that point: evaluated now, unless it has been.
  const system::Workspace& visited(Dynamics& dynamics) const;
  /// The system is evaluated somewhere else.
  void leave() { unvisited_.reset(); }

 private:
  bool satisfies_equations(const Node& x, Dynamics& dynamics) const;
  void set_remark(const std::string& why);

  std::shared_ptr<const System> system_;
  std::shared_ptr<const Data> data_;
  std::unique_ptr<Recursion> tree_;
  std::vector<int> choice_;
  std::vector<double> again_;  // q, v, a and lambda of the point that is linearized
  std::string remark_;
  bool is_sought_, is_checked_ = false, found_last_ = false;
  mutable std::optional<Node> unvisited_;  // where the system has not been evaluated yet
};

}  // namespace perilune::formulation
