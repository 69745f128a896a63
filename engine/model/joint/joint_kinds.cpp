// SPDX-License-Identifier: MIT
#include "model/joint/joint_kinds.hpp"

#include <algorithm>

namespace perilune::model {

namespace {

constexpr int x = 0, y = 1, z = 2;

constexpr EndNeeds axis_of_a{.axis_a = true}, axes_of_both{.axis_a = true, .axis_b = true};

std::string elementary(std::string_view here) {
  return "Elementary constraints (Schaffer 2005, eqs. 4.38, 4.46 and 4.58): coincidence r_b - r_a = 0, dot-1\n"
         "f.g = 0 for an axis f of a and g of b, dot-2 f.(r_b - r_a) = 0. Here: " +
         std::string(here);
}

/// A whole script with an arm in space.
std::string with_arm(std::string_view statements) {
  return "local mbs = require \"perilune\"\n"
         "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
         "local arm = m:body { \"arm\", mass = 2, inertia = {0.01, 0.17, 0.17}, at = {0.5, 0, 0} }\n" +
         std::string(statements);
}

std::vector<JointKind> make_kinds() {
  std::vector<JointKind> list;
  list.push_back(
      {.name = "revolute",
       .planar = {{.coincidence = true, .angle = true}},
       .spatial = {{.coincidence = true,
                    .dot1 = {{x, z}, {y, z}},
                    .angle = true,
                    .ends = {.axis_a = true, .axis_b = true, .instead = "m:spherical { ... }"}}},
       .mark = Mark::Pin,
       .summary =
           "A hinge between two bodies, at a position of space where both are in the declared configuration;\n"
           "or between two places or markers on them; or at a given place of one of them. b turns against a\n"
           "about the axis, counter-clockwise seen against it; in the plane about z. A whole body takes over the\n"
           "axes of the other end as declared, so that angle is 0 there, however the body is turned; a place or a\n"
           "marker keeps its own axes, and between two of them angle is what is declared.",
       .axis = {"direction in space at the start (spatial models)"},
       .rub = Rub::Hinge,
       .equations = elementary("coincidence, and z_b normal to x_a and y_a. In the plane: coincidence."),
       .example = with_arm("m:revolute { \"pivot\", m.ground, arm, at = {0, 0, 0}, axis = \"y\" }\n"
                           "print(m:signal \"pivot.angle\", m:signal \"pivot.force_z\")"),
       .see_also = {"marker", "spherical", "cylindrical", "torsion_spring", "driver"}});
  list.push_back(
      {.name = "translational",
       .planar = {{.dot2 = {y}, .equal_angle = true, .displacement = true, .ends = axes_of_both}},
       .spatial = {{.dot1 = {{x, z}, {y, z}, {y, x}}, .dot2 = {x, y}, .displacement = true, .ends = axes_of_both}},
       .mark = Mark::Slider,
       .summary =
           "A slider: b moves along the axis of a and does not turn against it. In space the axis is the z axis\n"
           "of the markers, in the plane their x axis.",
       .axis = {"direction of sliding in space at the start", "axis of the markers; x in the plane"},
       .rub = Rub::Slide,
       .equations = elementary("dot-2 with x_a and y_a, z_b normal to x_a and y_a, x_b normal to y_a. In the plane: "
                               "dot-2 with y_a, and equal angles."),
       .example = with_arm("m:translational { \"rail\", m.ground, arm, at = {0, 0, 0}, axis = \"x\" }"),
       .see_also = {"cylindrical", "revolute", "point_on_line", "driver"}});
  list.push_back(
      {.name = "cylindrical",
       .spatial =
           {{.dot1 = {{x, z}, {y, z}}, .dot2 = {x, y}, .angle = true, .displacement = true, .ends = axes_of_both}},
       .mark = Mark::Sleeve,
       .summary = "b slides along the axis of a and turns about it (spatial).",
       .axis = {"direction in space at the start"},
       .rub = Rub::Sleeve,
       .equations = elementary("dot-2 with x_a and y_a, z_b normal to x_a and y_a."),
       .example = with_arm("m:cylindrical { \"sleeve\", m.ground, arm, at = {0, 0, 0}, axis = \"x\" }"),
       .see_also = {"screw", "revolute", "translational"}});
  list.push_back(
      {.name = "screw",
       .spatial = {{.dot1 = {{x, z}, {y, z}},
                    .dot2 = {x, y},
                    .angle = true,
                    .displacement = true,
                    .thread = true,
                    .ends = axes_of_both}},
       .mark = Mark::Nut,
       .summary = "b turns about the axis of a and moves along it by the lead per turn (spatial). A positive\n"
                  "lead is a right-handed thread.",
       .axis = {"direction in space at the start"},
       .relation = {"N", "multiplier of the thread: its push against growth of the displacement"},
       .rub = Rub::Thread,
       .equations = "a cylindrical joint, and displacement - lead / (2 pi) angle = 0 from the declared\n"
                    "position. The reaction is that of the cylindrical joint and of the thread: along the\n"
                    "axis the force -lambda and the torque lead / (2 pi) lambda on b.",
       .example = with_arm("m:screw { \"thread\", m.ground, arm, at = {0, 0, 0}, axis = \"z\", lead = 0.01 }"),
       .see_also = {"cylindrical", "rack_and_pinion"}});
  list.push_back({.name = "spherical",
                  .spatial = {{.coincidence = true}},
                  .mark = Mark::Ball,
                  .summary = "A ball joint: keeps two places together and leaves all rotations free (spatial).",
                  .rub = Rub::Ball,
                  .equations = elementary("coincidence."),
                  .example = "local mbs = require \"perilune\"\n"
                             "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                             "local top = m:body { \"top\", mass = 1, inertia = {1, 1, 0.5}, at = {0, 0, 1} }\n"
                             "m:spherical { \"tip\", m:ground { at = {0, 0, 0} }, top:point { 0, 0, -1 } }",
                  .see_also = {"coincidence", "revolute", "universal"}});
  list.push_back(
      {.name = "universal",
       .spatial = {{.coincidence = true,
                    .dot1 = {{z, z}},
                    .ends = {.axis_a = true, .axis_b = true, .own_axis_b = true}}},
       .mark = Mark::Cross,
       .summary =
           "A Cardan joint (spatial): the places of a and b coincide in the middle of a cross, which has one arm\n"
           "along the axis of a and the other along axis_b of b; the two stay at a right angle.",
       .axis = {"arm of the cross in a: direction in space at the start"},
       .axis_b = {"arm of the cross in b, normal to axis", "z axis of marker b"},
       .rub = Rub::Cross,
       .equations = elementary("coincidence, and z_a normal to z_b."),
       .example = with_arm("m:universal { \"cross\", m.ground, arm, at = {0, 0, 0}, axis = \"y\", axis_b = \"z\" }"),
       .see_also = {"spherical", "revolute"}});
  list.push_back(
      {.name = "constant_velocity",
       .spatial = {{.coincidence = true,
                    .no_twist = true,
                    .ends = {.axis_a = true, .axis_b = true, .bent_axis_b = true}}},
       .mark = Mark::Ball,
       .summary =
           "A constant-velocity joint of two shafts (spatial), such as Rzeppa's: their places coincide, and at any\n"
           "bend both turn equally fast. The shafts are the axis of a and that of b, or axis_b in a bent joint.\n"
           "Whole bodies have no twist as declared; that of two markers is to be less than a right angle.",
       .axis = {"shaft of a: direction in space at the start"},
       .axis_b = {"shaft of b, where the joint is bent", "that of a; z axis of marker b"},
       .relation = {"N m", "multiplier of the twist; the torque is along the bisector of the shafts"},
       .equations =
           "coincidence r_b - r_a = 0, and x_a.y_b - y_a.x_b = 0: -4 e0 e3 of the Euler parameters of b\n"
           "against a. On the branch e3 = 0 their relative angular velocity has no component along z_a + z_b, so that\n"
           "both shafts turn equally fast; the branch e0 = 0 is half a turn away.",
       .example = with_arm("m:constant_velocity { \"joint\", m.ground, arm, at = {0, 0, 0}, axis = \"x\" }"),
       .see_also = {"universal", "spherical", "revolute"}});
  const EndNeeds agreement{.axis_a = true, .axis_b = true, .any_direction = true};
  list.push_back(
      {.name = "weld",
       .planar = {{.coincidence = true, .equal_angle = true, .ends = agreement}},
       .spatial = {{.coincidence = true, .dot1 = {{x, z}, {y, z}, {y, x}}, .agreeing = {x, y, z}, .ends = agreement}},
       .mark = Mark::Clamp,
       .summary = "Fixes b to a. Two bodies, or places without axes, keep their declared relative pose;\n"
                  "markers are brought to coincide.",
       .equations = elementary("coincidence, z_b normal to x_a and y_a, x_b normal to y_a. In the plane: coincidence "
                               "and equal angles."),
       .example = with_arm("m:weld { \"clamp\", m.ground, arm, at = {0, 0, 0} }"),
       .see_also = {"marker", "revolute"}});
  list.push_back(
      {.name = "planar",
       .spatial = {{.dot1 = {{x, z}, {y, z}}, .dot2 = {z}, .ends = axes_of_both}},
       .mark = Mark::Table,
       .summary = "b moves in the plane through a's place that is normal to the axis, and turns about the normal only\n"
                  "(spatial).",
       .axis = {"normal of the plane in space at the start"},
       .rub = Rub::Table,
       .equations = elementary("dot-2 with z_a, and z_b normal to x_a and y_a."),
       .example = with_arm("m:planar { \"table\", m.ground, arm, at = {0, 0, 0}, axis = \"z\" }"),
       .see_also = {"point_on_plane", "revolute"}});
  list.push_back(
      {.name = "point_on_line",
       .planar = {{.dot2 = {y}, .displacement = true, .ends = axis_of_a}},
       .spatial = {{.dot2 = {x, y}, .displacement = true, .ends = axis_of_a}},
       .mark = Mark::Bead,
       .summary =
           "The place b stays on the line through a's place along a's axis; b's body may turn freely. b may be a\n"
           "point. In the plane the line is the x axis of a's marker.",
       .axis = {"the line's direction in space at the start", "axis of the marker; x in the plane"},
       .rub = Rub::Bead,
       .equations = elementary("dot-2 with x_a and y_a. In the plane: dot-2 with y_a."),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local bead = m:point { \"bead\", at = {1, -1}, mass = 1 }\n"
                  "m:point_on_line { \"wire\", m:ground { at = {0, 0} }, bead, axis = {1, -1} }",
       .see_also = {"translational", "point_on_plane", "dot2"}});
  list.push_back(
      {.name = "point_on_plane",
       .spatial = {{.dot2 = {z}, .ends = axis_of_a}},
       .mark = Mark::Foot,
       .summary = "The place b stays in the plane through a's place normal to a's axis (spatial). b may be a point.",
       .axis = {"normal of the plane in space at the start"},
       .rub = Rub::Foot,
       .equations = elementary("dot-2 with z_a."),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0, -9.81} }\n"
                  "local puck = m:point { \"puck\", at = {1, 0, 0}, velocity = {0, 1, 0}, mass = 1 }\n"
                  "m:point_on_plane { \"table\", m:ground { at = {0, 0, 0} }, puck, axis = \"z\" }",
       .see_also = {"planar", "point_on_line", "dot2"}});
  list.push_back({.name = "parallel_axes",
                  .spatial = {{.dot1 = {{x, z}, {y, z}}, .ends = {.position = false, .axis_a = true, .axis_b = true}}},
                  .summary = "An axis of b stays parallel to an axis of a (spatial).",
                  .axis = {"direction in space at the start"},
                  .equations = elementary("z_b normal to x_a and y_a."),
                  .example = with_arm("m:parallel_axes { \"upright\", m.ground, arm, axis = \"z\" }"),
                  .see_also = {"perpendicular_axes", "dot1"}});
  list.push_back(
      {.name = "perpendicular_axes",
       .spatial = {{.dot1 = {{z, z}}, .ends = {.position = false, .axis_a = true, .axis_b = true, .own_axis_b = true}}},
       .summary = "An axis of b stays normal to an axis of a (spatial).",
       .axis = {"direction of a in space at the start"},
       .axis_b = {"direction of b", "z axis of marker b"},
       .equations = elementary("z_a normal to z_b."),
       .example = with_arm("m:perpendicular_axes { \"square\", m.ground, arm, axis = \"z\", axis_b = \"x\" }"),
       .see_also = {"parallel_axes", "dot1"}});
  return list;
}

}  // namespace

const std::vector<JointKind>& joint_kinds() {
  static const std::vector<JointKind> kinds = make_kinds();
  return kinds;
}

const JointKind* find_joint_kind(std::string_view name) {
  const auto& all = joint_kinds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const JointKind& kind) { return kind.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string no_such_joint(int dimension) {
  return std::string("there is no such joint in a ") + (dimension == 2 ? "planar" : "spatial") + " model";
}

}  // namespace perilune::model
