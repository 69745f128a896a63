// SPDX-License-Identifier: MIT
#include "runs/specs.hpp"

#include <algorithm>
#include <limits>

#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "base/userdata.hpp"
#include "error.hpp"

namespace perilune::lua {

namespace {

using formulation::Formulation;
using integrator::Integrator;
using sensitivity::Method;

int spec_tostring(lua_State* L) {
  lua_pushstring(L, own_userdata<Spec>(L).text.c_str());
  return 1;
}

int spec_index(lua_State* L) {
  const std::string& text = own_userdata<Spec>(L).text;
  lua_getiuservalue(L, 1, 1);
  lua_pushvalue(L, 2);
  if (lua_gettable(L, -2) != LUA_TNIL) return 1;
  throw Error(text.substr(0, text.find(' ')) + " has no field '" + luaL_tolstring(L, 2, nullptr) + "'");
}

int spec_newindex(lua_State* L) { throw Error(own_userdata<Spec>(L).text + " cannot be changed; make another one"); }

}  // namespace

int push_spec(lua_State* L, Args& args, const char* kind, decltype(Spec::value) value, const std::string& items) {
  args.check_all_read();
  const Constructor& entry = args.constructor();
  std::string text(entry.short_name());
  lua_newtable(L);
  lua_pushlstring(L, text.data(), text.size());
  lua_setfield(L, -2, "name");
  std::string list = items.empty() ? "" : " " + items;
  for (const Field& field : entry.fields) {
    std::string shown;
    if (field.type == Type::Boolean) {
      lua_pushboolean(L, args.boolean(field.name));
      shown = args.boolean(field.name) ? "true" : "false";
    } else if (field.type == Type::String) {
      const std::string word = args.text(field.name);
      lua_pushlstring(L, word.data(), word.size());
      shown = '"' + word + '"';
    } else {
      const double number = args.plain_number(field.name);
      lua_pushnumber(L, number);
      shown = number_text(number);
    }
    lua_setfield(L, -2, std::string(field.name).c_str());
    list += (list.empty() ? " " : ", ") + std::string(field.name) + " = " + shown;
  }
  text += " {" + list + (list.empty() ? "}" : " }");
  if (push_metatable<Spec>(L, kind)) {
    constexpr luaL_Reg functions[] = {{"__index", guarded<spec_index>},
                                      {"__newindex", guarded<spec_newindex>},
                                      {"__tostring", guarded<spec_tostring>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, kind, Spec{std::move(value), std::move(text)}, 1);
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

namespace {

int finite_difference(lua_State* L) {
  Args args(L);
  const int levels = args.integer("richardson");
  if (levels > 8) args.fail("richardson must be at most 8, got " + std::to_string(levels));
  return push_spec(L, args, "method", Method(sensitivity::FiniteDifference{args.plain_number("step"), levels}));
}

/// Of the backward or forward integration of the published equations; those of the motion unless one is given.
std::optional<integrator::Tolerances> own_tolerances(Args& args) {
  const double relative = args.plain_number("relative_tolerance"), absolute = args.plain_number("absolute_tolerance");
  if (relative == 0 && absolute == 0) return std::nullopt;
  const integrator::Tolerances usual;
  return integrator::Tolerances{relative > 0 ? relative : usual.relative, absolute > 0 ? absolute : usual.absolute};
}

int adjoint(lua_State* L) {
  Args args(L);
  const sensitivity::DiscreteAdjoint value{args.integer("checkpoints"), args.integer("intervals"),
                                           args.integer("threads")};
  return push_spec(L, args, "method", Method(value));
}

int direct(lua_State* L) {
  Args args(L);
  return push_spec(L, args, "method", Method(sensitivity::DiscreteDirect{args.integer("threads")}));
}

int continuous_direct(lua_State* L) {
  Args args(L);
  const sensitivity::ContinuousDirect value{own_tolerances(args)};
  return push_spec(L, args, "method", Method(value));
}

int continuous_adjoint(lua_State* L) {
  Args args(L);
  static const std::vector<std::string> forms = {
      "default", "first_order_explicit", "first_order_implicit", "second_order", "approach1", "approach2"};
  const std::string form = args.text("form");
  const auto found = std::find(forms.begin(), forms.end(), form);
  if (found == forms.end()) {
    std::string list;
    for (const std::string& each : forms) list += (list.empty() ? "\"" : ", \"") + each + "\"";
    args.fail("form must be one of " + list + ", got \"" + form + "\"" + did_you_mean(closest(form, forms)));
  }
  const sensitivity::ContinuousAdjoint value{static_cast<sensitivity::AdjointForm>(found - forms.begin()),
                                             own_tolerances(args)};
  return push_spec(L, args, "method", Method(value));
}

int piecewise_adjoint(lua_State* L) {
  Args args(L);
  const sensitivity::PiecewiseAdjoint value{args.integer("intervals"), args.boolean("pipeline"),
                                            args.integer("threads")};
  return push_spec(L, args, "method", Method(value));
}

Field threads_field(std::string_view text) { return {"threads", Type::Integer, text, "", "0", Range::NonNegative}; }

constexpr std::string_view method_example =
    "local mbs = require \"perilune\"\n"
    "local m = mbs.model { gravity = {0, -9.81} }\n"
    "local L = m:param { \"L\", 1, unit = \"m\", min = 0.1 }\n"
    "local A = m:ground { at = {0, 0} }\n"
    "local P = m:point { \"P\", at = {L, 0}, mass = 1 }\n"
    "m:distance { A, P }\n"
    "local cost = m:objective { integral = P.y^2 }\n"
    "for _, how in ipairs { mbs.adjoint {}, mbs.direct {}, mbs.finite_difference { richardson = 2 } } do\n"
    "  print(m:gradient { cost, t = 1, method = how })\n"
    "end";

constexpr std::string_view piecewise_example =
    "local mbs = require \"perilune\"\n"
    "local m = mbs.model { gravity = {0, -9.81} }\n"
    "local L = m:param { \"L\", 1, unit = \"m\", min = 0.1 }\n"
    "local A = m:ground { at = {0, 0} }\n"
    "local P = m:point { \"P\", at = {L, 0}, mass = 1 }\n"
    "m:distance { A, P }\n"
    "local cost = m:objective { integral = P.y^2 }\n"
    "print(m:gradient { cost, t = 1, method = mbs.piecewise_adjoint { intervals = 8 },\n"
    "                   formulation = mbs.stabilized_index1 {}, integrator = mbs.radau {} })";

}  // namespace

template <class T>
T read_spec(Args& args, lua_State* L, std::string_view field, const T& fallback) {
  const int index = args.value(field);
  if (index == 0) return fallback;
  const Spec* spec = test_userdata<Spec>(L, index);
  if (!spec || !std::holds_alternative<T>(spec->value)) args.fail_value(field, index);
  T value = std::get<T>(spec->value);
  lua_settop(L, index - 1);
  return value;
}

template Formulation read_spec(Args&, lua_State*, std::string_view, const Formulation&);
template Integrator read_spec(Args&, lua_State*, std::string_view, const Integrator&);
template Method read_spec(Args&, lua_State*, std::string_view, const Method&);
template Optimizer read_spec(Args&, lua_State*, std::string_view, const Optimizer&);
template optimize::Design read_spec(Args&, lua_State*, std::string_view, const optimize::Design&);

std::span<const Constructor> method_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.finite_difference",
       .object = "finite_difference",
       .returns = "method",
       .summary = "Gradient by central differences of whole simulations on the same step sequence, several of which\n"
                  "go along at once. richardson = n halves the step n times and extrapolates.",
       .fields = {number_field("step", "change of a parameter, times its size or 1", unitless, "1e-4", Range::Positive),
                  Field{"richardson", Type::Integer, "levels of extrapolation", "", "0", Range::NonNegative}},
       .example = method_example,
       .see_also = {"adjoint", "direct", "gradient"},
       .function = guarded<finite_difference>},
      {.name = "mbs.direct",
       .object = "direct",
       .returns = "method",
       .summary =
           "Discrete direct gradient: the steps themselves differentiated forward, all parameters at once.\n"
           "Exact to rounding; the cost grows with the number of parameters. Threads share the parameters, as\n"
           "the processes of mpirun do, and each simulates the motion: the same bits for any number of them. One\n"
           "alone does motions in phases and the augmented Lagrangian.",
       .fields = {{"threads", Type::Integer, "at most; 0: as many as OMP_NUM_THREADS or the machine allow", "", "1",
                   Range::NonNegative}},
       .example = method_example,
       .see_also = {"adjoint", "continuous_direct", "gradient"},
       .function = guarded<direct>},
      {.name = "mbs.adjoint",
       .object = "adjoint",
       .returns = "method",
       .summary = "Discrete adjoint gradient: the steps themselves differentiated backward. Exact to rounding; the\n"
                  "cost does not depend on the number of parameters.",
       .fields = {Field{
                      "checkpoints", Type::Integer,
                      "states of the run to keep, for long runs: memory does not grow with the steps then, which are\n"
                      "repeated, on a second thread ahead of the way back; 0 keeps all nodes",
                      "", "0", Range::NonNegative},
                  Field{"intervals", Type::Integer,
                        "of time that are solved in parallel: while the motion goes on, for forms that keep to the\n"
                        "constraints and one-step methods, else behind it; 0: one sweep, back from the end, as\n"
                        "where more than 32 freedoms make intervals slower",
                        "", "0", Range::NonNegative},
                  threads_field("for intervals, steps repeated, and from eight objectives on for these, at most; 0: as\n"
                                "many as OMP_NUM_THREADS or the machine allow")},
       .example = method_example,
       .see_also = {"direct", "continuous_adjoint", "gradient"},
       .function = guarded<adjoint>},
      {.name = "mbs.continuous_direct",
       .object = "continuous_direct",
       .returns = "method",
       .summary =
           "The published tangent equations of the formulation (Zhu 2014, eqs. 3.10, 3.13, 3.19 and 3.27; Schaffer\n"
           "2005, eq. 4.113) integrated along the interpolated motion. Converges at the integrator's order.",
       .fields = {number_field("relative_tolerance", "of its own integration; 0: as the motion's", unitless, "0",
                               Range::NonNegative),
                  number_field("absolute_tolerance", "of its own integration; 0: as the motion's",
                               "that of each adjoint or tangent", "0", Range::NonNegative)},
       .example = method_example,
       .see_also = {"direct", "continuous_adjoint", "gradient"},
       .function = guarded<continuous_direct>},
      {.name = "mbs.continuous_adjoint",
       .object = "continuous_adjoint",
       .returns = "method",
       .summary =
           "The published adjoint equations of the formulation integrated backward along the interpolated motion.\n"
           "Converges at the integrator's order. Forms: penalty and maggi (Zhu 2014, sections 3.2.3, 3.2.4)\n"
           "first_order_explicit, first_order_implicit, second_order; index1 (3.2.2) and index2\n"
           "first_order_explicit, approach1, approach2; index3 (3.2.1) and stabilized_index1 (Schaffer 2005,\n"
           "eq. 4.194) second_order and, in independent coordinates, first_order_explicit. Where velocities are\n"
           "constrained, maggi has no second_order, and stabilized_index1 the other alone.",
       .fields = {Field{"form", Type::String, "which unknowns; the first that the formulation has", "", "default"},
                  number_field("relative_tolerance", "of its own integration; 0: as the motion's", unitless, "0",
                               Range::NonNegative),
                  number_field("absolute_tolerance", "of its own integration; 0: as the motion's",
                               "that of each adjoint or tangent", "0", Range::NonNegative)},
       .example = method_example,
       .see_also = {"adjoint", "continuous_direct", "gradient"},
       .function = guarded<continuous_adjoint>},
      {.name = "mbs.piecewise_adjoint",
       .object = "piecewise_adjoint",
       .returns = "method",
       .summary =
           "The continuous adjoint of mbs.stabilized_index1 over intervals of time, solved in parallel while the\n"
           "motion goes on (Schaffer 2005, chapter 5). Any number of threads (OMP_NUM_THREADS) gives the same bits.\n"
           "With d freedoms it solves 2 d + 1 adjoints in place of one, so that it pays with few freedoms. The\n"
           "motion may be by any form that keeps to the constraints: maggi, coordinate_partitioning, project = true.",
       .fields = {Field{"intervals", Type::Integer, "of time, at most as many as steps; 0: 40, or one for each step",
                        "", "0", Range::NonNegative},
                  {.name = "pipeline",
                   .type = Type::Boolean,
                   .text = "whether intervals are solved while the motion goes on, or all behind it",
                   .fallback = "true"},
                  threads_field("for the intervals, at most; 0: as many as OMP_NUM_THREADS or the machine allow")},
       .example = piecewise_example,
       .see_also = {"continuous_adjoint", "adjoint", "stabilized_index1", "gradient"},
       .function = guarded<piecewise_adjoint>},
  };
  return constructors;
}

}  // namespace perilune::lua
