// SPDX-License-Identifier: MIT
// How the nodes of a step depend on its length and on the time where it starts, from the equations: the tangents of the
// plan, with the derivatives of its powers of h, and those of forces and constraints by time.
#pragma once
#include <span>
#include <vector>

#include "integrator/march.hpp"
#include "system/measure.hpp"

namespace perilune::integrator {

/// The tangents of a group of the step attempted last, from those of its proposals: finds the matrices of its nodes and
/// solves with them. `start`: of the node before the step. `by_length`: how the step's length changes with each
/// direction, for what is not in the proposals; null where it does not.
void find_group_tangents(const March& march, std::size_t g, Motion::Here here, int count,
                         const formulation::TangentNode& start, std::span<const Node> nodes,
                         std::span<const formulation::TangentNode> tangents, const double* by_length = nullptr);

class StepSlopes {
 public:
  /// By the length of the step, with its start kept; or by the time of its start, with what is known there and the
  /// length kept.
  enum class By { Length, Start };
  /// Of the step attempted last. Its nodes stay; what the motion remembers of earlier steps does not.
  StepSlopes(const March& march, By by);
  /// Derivatives of t, q, v, a and lambda of a node of the step or before it.
  system::MotionPoint operator[](int i) const;
  /// That of the step's length.
  double of_length() const { return by_ == By::Length ? 1 : 0; }

 private:
  const formulation::TangentNode& tangent(int i) const { return i < 0 ? tangents_.back() : tangents_[at(i)]; }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Node node(int i) const;
  void combine(const std::vector<Link>& links, Part to, double* out);
  /// Velocities that the plan and its coupling make for the nodes of a group, node by node.
  std::vector<double> proposed_velocities(std::size_t g, std::span<const Node> nodes) const;
  /// What nodes found together owe to the powers of h in their coupling.
  void add_coupling(std::size_t g, std::span<const Node> nodes, std::span<const formulation::TangentNode> tangents);

  const March& march_;
  By by_;
  std::size_t n_;
  std::vector<double> storage_;
  std::vector<formulation::TangentNode> tangents_;  // of the nodes of the step, and one more for all before it
};

}  // namespace perilune::integrator
