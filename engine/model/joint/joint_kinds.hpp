// SPDX-License-Identifier: MIT
// The kinds of joints. What declares a joint, checks its arguments, explains it or draws it reads the list here, so
// that a joint is in one place.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/joint/rubbing.hpp"
#include "model/mark.hpp"

namespace perilune::model {

/// What a joint needs of its ends.
struct EndNeeds {
  bool position = true;           // not only directions
  bool axis_a = false;            // axes on a
  bool axis_b = false;            // axes on b
  bool own_axis_b = false;        // b's axis is the field axis_b, not that of a
  bool bent_axis_b = false;       // b's axis may be given as axis_b, and is else that of a; nothing twists on the way
  bool any_direction = false;     // the axes only have to agree, as in a weld
  std::string_view instead = {};  // what a script uses with a point, which has no axes
};

/// The elementary constraints of a joint between the markers a and b (Schaffer 2005, eqs. 4.38, 4.46 and 4.58), and the
/// relative coordinates that it leaves free. Axes: 0 is x, 1 is y, 2 is z.
struct JointRecipe {
  bool coincidence = false;                    // r_B - r_A = 0
  std::vector<std::pair<int, int>> dot1 = {};  // axis of a normal to axis of b
  std::vector<int> dot2 = {};                  // r_B - r_A normal to the axis of a
  bool no_twist = false;                       // x_a.y_b - y_a.x_b = 0
  bool equal_angle = false;                    // planar
  bool angle = false;                          // free, about z
  bool displacement = false;                   // free, along z of a (x in the plane)
  bool thread = false;                         // the displacement follows the angle by a lead
  /// Axes that must be less than a right angle apart as declared: the constraints hold as well half a turn away, which
  /// would be the nearer solution from there.
  std::vector<int> agreeing = {};
  EndNeeds ends = {};
};

/// What help says of a field for a direction; without a text the joint has no such field.
struct AxisText {
  std::string_view text = {};
  std::string_view fallback = "z axis of the markers";
};

/// What help says of the multiplier of a constraint that is stated as an expression, such as a thread; empty: none is.
struct MultiplierText {
  std::string_view unit = {}, text = {};
};

struct JointKind {
  std::string_view name;
  std::optional<JointRecipe> planar = {}, spatial = {};  // nullopt: there is none in such models
  Mark mark = Mark::None;
  std::string_view summary;
  AxisText axis = {}, axis_b = {};
  MultiplierText relation = {};
  Rub rub = Rub::Nowhere;
  std::string equations, example;
  std::vector<std::string_view> see_also = {};

  const std::optional<JointRecipe>& recipe(int dimension) const { return dimension == 2 ? planar : spatial; }
};

/// In the order of the reference.
const std::vector<JointKind>& joint_kinds();
/// nullptr if there is none of this name.
const JointKind* find_joint_kind(std::string_view name);
/// "there is no such joint in a planar model"
std::string no_such_joint(int dimension);

}  // namespace perilune::model
