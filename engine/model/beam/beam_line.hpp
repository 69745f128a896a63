// SPDX-License-Identifier: MIT
// Where a beam lies as declared: its nodes, the lengths of its elements, and where a share of it is.
#pragma once
#include <string>
#include <vector>

#include "model/model.hpp"

namespace perilune::model {

/// What a user says of it.
struct BeamCourse {
  std::vector<Vector> through;  // points from its first end to its last (m), two at least; a straight line through two
  int elements = 1;             // in all
  Vector nodes_at;              // of a straight one: ascending shares of its length, between 0 and 1, to have nodes at
};

/// The expressions are of parameters. What a course asks for is kept when parameters change, so that the line and all
/// that follows from it may be differentiated.
struct BeamLine {
  std::vector<Vector> positions, directions;  // of the nodes: m, and unit vectors along the line
  Vector lengths;                             // of the elements, along the line (m)
  Vector shares;                              // of the length up to each node, from 0 to 1
  Symbol length;                              // m
  std::vector<std::size_t> wanted;  // the nodes at `nodes_at`, or at the points that a curved line goes through
  bool is_straight = true;
};

/// Nodes that are wanted part the line; the elements are given to the parts so that the longest ones are as short as
/// they can be, and have equal lengths within each. Through three points and more goes a smooth line: at an inner point
/// it has the direction of the circle through that and its neighbours, at an end that of the circle through the first
/// (last) three, unless it is a ring, which goes on there as everywhere; between points the cubic with these directions
/// that comes closest to an arc, whose lengths are by quadrature. Throws Error naming the owner where points coincide
/// or turn back, or shares do not ascend.
BeamLine lay_line(Model& model, const std::string& owner, const BeamCourse& course);

/// The weight (m) with which each node stands for the line around it: exact for quadratic functions along it, whatever
/// the lengths of the elements, and Gregory's rule (Simpson's) where they are equal. Needs two elements.
Vector node_weights(const BeamLine& line);

struct BeamSpot {
  std::size_t element;
  Symbol x;  // share of its length, from 0 to 1
};
/// At a share of the whole length; where two elements meet, in the first of them. Keeps the requirement that it stays
/// in this element when parameters change. Throws Error naming the owner unless it is from 0 to 1.
BeamSpot spot_at(Model& model, const std::string& owner, const BeamLine& line, const Symbol& share);

}  // namespace perilune::model
