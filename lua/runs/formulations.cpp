// SPDX-License-Identifier: MIT
// Formulations as objects of scripts.
#include "base/guard.hpp"
#include "runs/specs.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

namespace {

using formulation::Formulation;

int penalty(lua_State* L) {
  Args args(L);
  const formulation::Penalty value{args.plain_number("alpha"), args.plain_number("xi"), args.plain_number("omega"),
                                   args.boolean("project")};
  return push_spec(L, args, "formulation", Formulation(value));
}

int index1(lua_State* L) {
  Args args(L);
  const formulation::Index1 value{args.plain_number("alpha"), args.plain_number("beta"), args.boolean("project")};
  return push_spec(L, args, "formulation", Formulation(value));
}

int index2(lua_State* L) {
  Args args(L);
  return push_spec(L, args, "formulation", Formulation(formulation::Index2{args.boolean("project")}));
}

int augmented_lagrangian(lua_State* L) {
  Args args(L);
  const int index = args.integer("index");
  if (index != 1 && index != 3) args.fail("index must be 1 or 3, got " + std::to_string(index));
  const formulation::AugmentedLagrangian value{index, args.plain_number("alpha"), args.plain_number("xi"),
                                               args.plain_number("omega"), args.boolean("project")};
  return push_spec(L, args, "formulation", Formulation(value));
}

Field project_field() {
  return {.name = "project",
          .type = Type::Boolean,
          .text = "end every step on the constraints, in positions and velocities (index 3 always does)",
          .fallback = "false"};
}

template <class F>
int plain_formulation(lua_State* L) {
  Args args(L);
  return push_spec(L, args, "formulation", Formulation(F{}));
}

constexpr std::string_view formulation_example =
    "local mbs = require \"perilune\"\n"
    "local m = mbs.model { gravity = {0, -9.81} }\n"
    "local A = m:ground { at = {0, 0} }\n"
    "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
    "m:distance { A, P }\n"
    "for _, form in ipairs { mbs.penalty { alpha = 1e7 }, mbs.index1 { alpha = 10, beta = 10 },\n"
    "  mbs.augmented_lagrangian {}, mbs.maggi {} } do\n"
    "  print(form, m:simulate { t = 1, formulation = form })\n"
    "end";
constexpr std::string_view implicit_example =
    "local mbs = require \"perilune\"\n"
    "local m = mbs.model { gravity = {0, -9.81} }\n"
    "local A = m:ground { at = {0, 0} }\n"
    "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
    "m:distance { A, P }\n"
    "for _, form in ipairs { mbs.index3 {}, mbs.index2 {}, mbs.stabilized_index1 {} } do\n"
    "  local run = m:simulate { t = 1, formulation = form, integrator = mbs.trapezoidal { step = 1e-3 } }\n"
    "  print(form, run:at(\"constraint.drift\", 1))\n"
    "end";

}  // namespace

std::span<const Constructor> formulation_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.penalty",
       .object = "penalty",
       .returns = "formulation",
       .summary = "Penalty formulation (Zhu 2014, eq. 2.16): M q'' + Phi_q^T alpha (Phi'' + 2 xi omega Phi' +\n"
                  "omega^2 Phi) = Q. Redundant constraints and singular positions are allowed. Solved without the\n"
                  "loss of digits that a large alpha usually brings.",
       .fields = {number_field("alpha", "penalty factor", "by constraint", "1e9", Range::Positive),
                  number_field("xi", "damping ratio of the constraint violation", unitless, "1", Range::NonNegative),
                  number_field("omega", "natural frequency of the constraint violation", "1/s", "10",
                               Range::NonNegative),
                  project_field()},
       .example = formulation_example,
       .see_also = {"index1", "simulate"},
       .function = guarded<penalty>},
      {.name = "mbs.index1",
       .object = "index1",
       .returns = "formulation",
       .summary = "Index-1 formulation with Lagrange multipliers and Baumgarte's stabilization (Zhu 2014, eq. 2.15):\n"
                  "Phi'' + 2 alpha Phi' + beta^2 Phi = 0. With both 0 the constraints drift.",
       .fields = {number_field("alpha", "damping of the constraint violation", "1/s", "0", Range::NonNegative),
                  number_field("beta", "frequency of the constraint violation", "1/s", "0", Range::NonNegative),
                  project_field()},
       .example = formulation_example,
       .see_also = {"penalty", "simulate"},
       .function = guarded<index1>},
      {.name = "mbs.index3",
       .object = "index3",
       .returns = "formulation",
       .summary = "Index-3 formulation (Zhu 2014, eq. 2.3): every step ends exactly on the constraints. For implicit\n"
                  "integrators. Accelerations and multipliers are found anew at the end of a step, since those of\n"
                  "the step itself do not converge. With adaptive steps, which control the errors of positions\n"
                  "alone, the velocities are projected onto the constraints, too; constant steps are as published.",
       .example = implicit_example,
       .see_also = {"augmented_lagrangian", "stabilized_index1", "trapezoidal", "generalized_alpha", "variational"},
       .function = guarded<plain_formulation<formulation::Index3>>},
      {.name = "mbs.index2",
       .object = "index2",
       .returns = "formulation",
       .summary = "Index-2 formulation: every step ends with velocities on the constraints (Phi' = 0), as exact as\n"
                  "positions are. These drift by the errors of the steps; project = true puts them back. For\n"
                  "implicit integrators. Accelerations and multipliers are found anew at the end of a step.",
       .fields = {project_field()},
       .example = implicit_example,
       .see_also = {"index3", "stabilized_index1", "index1", "simulate"},
       .function = guarded<index2>},
      {.name = "mbs.augmented_lagrangian",
       .object = "augmented_lagrangian",
       .returns = "formulation",
       .summary = "Augmented Lagrangian formulation (Bayo and Ledesma 1996): multipliers by iteration from those of a\n"
                  "penalty, so that the result does not depend on alpha, and redundant constraints are allowed.\n"
                  "index = 1 stabilizes the constraints like mbs.penalty; index = 3, for implicit integrators, puts\n"
                  "positions on the constraints and projects velocities and accelerations after every step.",
       .fields = {Field{"index", Type::Integer, "1 or 3", "", "1", Range::Positive},
                  number_field("alpha",
                               "penalty factor of the iteration; 0: by the masses and lengths of the mechanism",
                               "by constraint", "0", Range::NonNegative),
                  number_field("xi", "damping ratio of the constraint violation, index 1", unitless, "1",
                               Range::NonNegative),
                  number_field("omega", "natural frequency of it, index 1", "1/s", "10", Range::NonNegative),
                  project_field()},
       .example = implicit_example,
       .see_also = {"penalty", "index3", "simulate"},
       .function = guarded<augmented_lagrangian>},
      {.name = "mbs.stabilized_index1",
       .object = "stabilized_index1",
       .returns = "formulation",
       .summary = "Stabilized index-1 formulation (Schaffer 2005, eq. 4.20): q' = v - Phi_q^T mu keeps positions and\n"
                  "velocities on the constraints. For implicit integrators of first-order equations.",
       .example = implicit_example,
       .see_also = {"index3", "augmented_lagrangian", "radau", "simulate"},
       .function = guarded<plain_formulation<formulation::StabilizedIndex1>>},
      {.name = "mbs.maggi",
       .object = "maggi",
       .returns = "formulation",
       .summary = "Maggi's formulation (Zhu 2014, eqs. 2.23 to 2.27): the motion of independent coordinates, chosen\n"
                  "among those of the model and changed on the way where necessary; the others follow from the\n"
                  "constraints exactly. Redundant constraints are left out, as the motion does not depend on them.",
       .example = formulation_example,
       .see_also = {"coordinate_partitioning", "index1", "simulate"},
       .function = guarded<plain_formulation<formulation::Maggi>>},
      {.name = "mbs.coordinate_partitioning",
       .object = "coordinate_partitioning",
       .returns = "formulation",
       .summary = "Coordinate partitioning (Wehage and Haug 1982; Schaffer 2005): as mbs.maggi, with accelerations\n"
                  "and multipliers from the index-1 equations.",
       .example = formulation_example,
       .see_also = {"maggi", "index1", "simulate"},
       .function = guarded<plain_formulation<formulation::CoordinatePartitioning>>},
      {.name = "mbs.joint_coordinates",
       .object = "joint_coordinates",
       .returns = "formulation",
       .summary =
           "Independent coordinates are those of the joints, and of what floats. Bodies on hinges, slides, welds,\n"
           "sleeves, screws, ball, universal and planar joints, with drivers of their angles and displacements,\n"
           "are found by recursions from body to body, several times as fast as otherwise with explicit\n"
           "integrators. There may be loops, and other constraints between bodies, such as rods: joints that make a\n"
           "tree are chosen, and all else closes it. What is left goes by mbs.coordinate_partitioning, of which the\n"
           "run warns with the reason. The default of spatial bodies, and of planar ones with redundant constraints,\n"
           "with explicit integrators, unless more than 32 constraints close loops or the method of a gradient is\n"
           "continuous. Other loops of planar bodies take less time by mbs.index1 { project = true }.",
       .example = formulation_example,
       .see_also = {"coordinate_partitioning", "dormand_prince", "simulate"},
       .function = guarded<plain_formulation<formulation::JointCoordinates>>},
  };
  return constructors;
}

}  // namespace perilune::lua
