// SPDX-License-Identifier: MIT
// The adjoint of what is carried across a boundary of a finished motion, as few numbers as tell it.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "sensitivity/discrete/backward.hpp"
#include "sensitivity/independent_coordinates/partition.hpp"

namespace perilune::sensitivity {

/// What mesh points keep to exactly, so that their freedoms tell their adjoints.
enum class Kept { Nothing, Positions, Both };

/// A finished motion, or a phase of one, which all its intervals read.
struct RecordedMotion {
  const Problem& problem;
  const Evaluation& run;
  NodeRecord& nodes;
  Kept kept;
};

/// The numbers that tell the adjoint of what is carried across a boundary: those of its blocks, but fewer for mesh
/// points that keep to the constraints. Blocks of one kind are told by their differences up to the highest: the steps
/// of multistep methods weigh points before them with large weights of both signs, whose rounding would be that of the
/// motion's own changes and not of the changes from point to point.
class CarriedNumbers {
 public:
  CarriedNumbers(const RecordedMotion& motion, const Carried& carried);
  Eigen::Index count() const { return count_; }
  /// Gives them to a column: one of the rings of the sweep.
  void set(Backward& backward, std::size_t o, const Eigen::VectorXd& numbers) const;
  /// Takes them from a column; what falls upon the data that the constraints read is added.
  Eigen::VectorXd take(Backward& backward, std::size_t o, double* data) const;
  /// The adjoints of the blocks themselves, of which the numbers tell what counts for first derivatives: second ones
  /// want these, as the freedoms that the numbers are those of change with the parameters.
  Eigen::VectorXd whole(Backward& backward, std::size_t o) const;
  void set_whole(Backward& backward, std::size_t o, const Eigen::VectorXd& whole) const;

 private:
  using What = Carried::What;
  struct History {
    Eigen::Index size = 0;
    std::vector<Carried::Block> blocks;  // from the last node to the first
  };
  struct Point {
    Point(const RecordedMotion& motion, const Carried::Block& of_q, const std::optional<Carried::Block>& of_v);
    Eigen::Index size() const { return (v ? 2 : 1) * partition.freedoms(); }
    Carried::Block q;
    std::optional<Carried::Block> v;
    LinearizedMotion linearized;
    Partition partition;
  };

  /// Calls visit(block, its size) for each, in one order.
  template <class Visit>
  void visit_blocks(const Visit& visit) const;

  std::deque<Point> points_;  // does not move them: partitions refer to their neighbours
  std::map<What, History> histories_;
  Eigen::Index count_ = 0;
};

}  // namespace perilune::sensitivity
