// SPDX-License-Identifier: MIT
// What a beam is loaded by along its length, at worst over a run.
#include <algorithm>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/table_fields.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "model/beam/flexible_lines.hpp"
#include "poll.hpp"
#include "runs/run.hpp"

namespace perilune::lua {

namespace {

model::FlexibleLine check_line(lua_State* L, const RunHandle& run) {
  const Object* beam = test_userdata<Object>(L, 2);
  if (!beam || beam->kind != "beam" || beam->model != run.model) {
    throw Error("envelope: expected a beam of the run's model, got " + described_value(L, 2));
  }
  for (model::FlexibleLine& line : flexible_lines(run.trajectory->model())) {
    if (line.name == beam->name) return std::move(line);
  }
  throw Error("envelope: beam \"" + beam->name + "\" was declared after the run was made; simulate again");
}

const model::LineQuantity& check_quantity(lua_State* L, const model::FlexibleLine& line) {
  std::vector<std::string> names;
  for (const model::LineQuantity& quantity : line.quantities) names.push_back(quantity.name);
  if (lua_type(L, 3) != LUA_TSTRING) {
    throw Error("envelope: expected the name of a quantity, such as \"moment\", got " + described_value(L, 3));
  }
  const std::string name = lua_tostring(L, 3);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return line.quantities[static_cast<std::size_t>(found - names.begin())];
  if (name == "stress") {
    throw Error("envelope: beam \"" + line.name +
                "\" has no stress: that needs a section with a fibre, such as mbs.round_section { ... }");
  }
  throw Error("envelope: beam \"" + line.name + "\" has no '" + name + "'" + suggestion_or_list(name, names, "it has"));
}

int envelope(lua_State* L) {
  const RunHandle& run = check_run(L, "envelope");
  const model::FlexibleLine line = check_line(L, run);
  const model::LineQuantity& quantity = check_quantity(L, line);
  expr::Graph& graph = run.model->engine->graph();
  const std::vector<double>& times = run.trajectory->times();
  std::vector<double> shares, least, most, t_least, t_most;
  Poll poll;
  for (std::size_t k = 0; k < line.shares.size(); ++k) {
    poll();
    shares.push_back(run.trajectory->evaluate(line.shares[k].in(graph)).front());
    const std::vector<double> values = run.trajectory->evaluate(quantity.values[k].in(graph));
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    least.push_back(*low);
    most.push_back(*high);
    t_least.push_back(times[static_cast<std::size_t>(low - values.begin())]);
    t_most.push_back(times[static_cast<std::size_t>(high - values.begin())]);
  }
  lua_createtable(L, 0, 6);
  for (const auto& [name, list] :
       {std::pair{"share", &shares}, {"least", &least}, {"most", &most}, {"t_least", &t_least}, {"t_most", &t_most}}) {
    push_list(L, *list);
    lua_setfield(L, -2, name);
  }
  lua_pushstring(L, quantity.unit.c_str());
  lua_setfield(L, -2, "unit");
  return 1;
}

}  // namespace

std::span<const Function> beam_envelope_functions() {
  static const std::vector<Function> functions = {
      {.name = "run:envelope",
       .signature = "run:envelope(beam, quantity)",
       .arguments = {{"beam", "perilune.object", "one of the run's model", unitless},
                     {"quantity", "string", "\"stress\", \"moment\" ...", unitless}},
       .returns = "table",
       .summary =
           "What a beam bears along its length over the whole run, as lists: share (of the length), the least\n"
           "and most value at the accepted steps, the times t_least and t_most of these; and the unit. The\n"
           "quantities: stress (Pa), the larger magnitude of both sides of the section, where that has a fibre;\n"
           "axial_force (N), moment (N m, in space its size), strain_energy (J/m), without damping; displacement\n"
           "(m), from where it is declared; speed (m/s). With kind = \"shear\" shear_force, in space shear_y,\n"
           "shear_z, torque, moment_y, moment_z, torsion_stress and von_mises of beam:station. Six places for\n"
           "each element, fewer for more than 40.",
       .example =
           "local mbs = require \"perilune\"\n"
           "local m = mbs.model { gravity = {0, -9.81} }\n"
           "local arm = m:beam { \"arm\", from = {0, 0}, to = {1, 0}, young = 7e10, density = 2700,\n"
           "  section = mbs.rectangular_section { width = 0.02, height = 0.01 } }\n"
           "m:clamp { arm.first, m.ground }\n"
           "local worst = m:simulate { t = 0.1, integrator = mbs.generalized_alpha { step = 0.001 } }:envelope(arm, "
           "\"stress\")\n"
           "print(worst.share[1], worst.most[1], worst.t_most[1])",
       .see_also = {"beam", "station", "objective", "chart"},
       .function = guarded<envelope>}};
  return functions;
}

}  // namespace perilune::lua
