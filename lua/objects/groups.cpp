// SPDX-License-Identifier: MIT
// Bodies that are measured together.
#include "base/guard.hpp"
#include "model/beam/shear_beams.hpp"
#include "model/momenta.hpp"
#include "values/args.hpp"

namespace perilune::lua {

namespace {

int group(lua_State* L) {
  Args args(L);
  model::Members members;
  const auto add = [&](const std::string& name) {
    if (!members.insert(name).second) args.fail("\"" + name + "\" is given twice");
  };
  for (const Object* object : args.objects("member")) {
    if (object->place && object->place->kind == model::Place::Kind::Ground) args.fail("the ground has no mass");
    // The mass of a shear beam is in its nodes, which are bodies.
    const auto& beams = args.engine().record().shear_beams;
    const auto beam = beams.find(object->name);
    if (object->place) {
      add(object->place->name);
    } else if (beam != beams.end()) {
      for (const model::Place& node : beam->second->nodes) add(node.name);
    } else {
      add(object->name);
    }
  }
  args.name();
  args.check_all_read();
  add_group_signals(args.engine(), args.name(), members);
  args.finish();
  return 1;
}

}  // namespace

std::span<const Constructor> group_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:group",
       .object = "group",
       .summary = "Bodies, points, bars and beams that are measured together: their mass, centre of mass, momenta and\n"
                  "kinetic energy. It changes nothing in the motion.",
       .naming = Naming::Optional,
       .positional = {{.name = "member",
                       .type = Type::Massive,
                       .text = "a body, a point, a bar or a beam, with mass",
                       .required = true}},
       .repeats = true,
       .signals = {{"mass", "kg", "of all"},
                   {"com_x", "m", "centre of mass in space", "com_y, com_z"},
                   {"com_vx", "m/s", "its velocity", "com_vy, com_vz"},
                   {"momentum_x", "N s", "linear momentum", "momentum_y, momentum_z"},
                   {"angular_momentum", "N m s", "about the origin of space", "", "planar"},
                   {"angular_momentum_x", "N m s", "about the origin of space",
                    "angular_momentum_y, angular_momentum_z", "spatial"},
                   {"kinetic_energy", "J", "of all"}},
       .equations = "m = sum m_i, c = sum m_i c_i / m, p = m c', L = sum (m_i c_i x c_i' + J_i omega_i),\n"
                    "T = sum (m_i |c_i'|^2 + omega_i . J_i omega_i) / 2",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local arm = m:body { \"arm\", mass = 2, inertia = 0.1, at = {0.5, 0}, velocity = {1, 0} }\n"
                  "local load = m:point { \"load\", at = {1, 0}, mass = 3 }\n"
                  "local both = m:group { \"both\", arm, load }\n"
                  "m:simulate { t = 1 }:plot(\"both.com_y\", both.momentum_x)",
       .see_also = {"signal", "signals", "body"},
       .function = guarded<group>},
  };
  return constructors;
}

}  // namespace perilune::lua
