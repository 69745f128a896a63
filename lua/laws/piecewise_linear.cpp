// SPDX-License-Identifier: MIT
// Tables with straight lines between their points, whose ordinates may be design variables: shapes of controls.
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "error.hpp"
#include "values/args.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::Op;
using expr::Symbol;

constexpr const char* kind = "piecewise_linear";

struct PolylineHandle {
  ModelPtr model;  // of ordinates that are expressions; nullptr if all are numbers
  std::vector<double> x;
  model::Vector y;
};

// While a law is checked with numbers, ordinates are numbers too.
Operand ordinate(const PolylineHandle& handle, std::size_t i) {
  const Symbol& y = handle.y[i];
  if (y.is_number()) return constant(y.number());
  const expr::NodeId node = y.in(handle.model->engine->graph());
  if (const Tracing* tracing = Tracing::numeric(handle.model)) return constant(tracing->value(node));
  return {handle.model, node, 0};
}

// y_0 + sum_i (y_i+1 - y_i) / h_i (r_i - r_i+1) with the ramps r_i = max(x - x_i, 0), each of which has one kink.
int call_polyline(lua_State* L) {
  const PolylineHandle& handle = own_userdata<PolylineHandle>(L);
  const Operand x = check_operand(L, 2, kind);
  const auto ramp = [&](std::size_t i) {
    return binary(L, Op::Max, binary(L, Op::Sub, x, constant(handle.x[i])), constant(0));
  };
  Operand sum = ordinate(handle, 0), here = ramp(0);
  for (std::size_t i = 0; i + 1 < handle.x.size(); ++i) {
    const Operand next = ramp(i + 1);
    const Operand rise = binary(L, Op::Sub, ordinate(handle, i + 1), ordinate(handle, i));
    const Operand slope = binary(L, Op::Div, rise, constant(handle.x[i + 1] - handle.x[i]));
    sum = binary(L, Op::Add, sum, binary(L, Op::Mul, slope, binary(L, Op::Sub, here, next)));
    here = next;
  }
  return push_operand(L, sum);
}

int index_polyline(lua_State* L) {
  own_userdata<PolylineHandle>(L);
  const std::string key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : described_value(L, 2);
  lua_getiuservalue(L, 1, 1);
  if (lua_getfield(L, -1, key.c_str()) == LUA_TNIL) {
    throw Error("a piecewise_linear has no field '" + key + "'\nit has: x, y; it is called as a function of x");
  }
  copy_list(L);
  return 1;
}

int refuse_assignment(lua_State*) { throw Error("a piecewise_linear cannot be changed; make another one"); }

int polyline_text(lua_State* L) {
  const PolylineHandle& handle = own_userdata<PolylineHandle>(L);
  const std::string text = "piecewise_linear of " + std::to_string(handle.x.size()) +
                           " points from x = " + number_text(handle.x.front()) + " to " + number_text(handle.x.back());
  lua_pushlstring(L, text.data(), text.size());
  return 1;
}

int piecewise_linear(lua_State* L) {
  Args args(L);
  PolylineHandle made{nullptr, args.numbers("x"), args.ordinates("y")};
  args.check_all_read();
  made.model = args.model();
  if (made.x.size() < 2) args.fail("x needs at least 2 points, got " + std::to_string(made.x.size()));
  if (made.x.size() != made.y.size()) {
    args.fail("x and y must be as long as each other, got " + std::to_string(made.x.size()) + " abscissas and " +
              std::to_string(made.y.size()) + " ordinates");
  }
  for (std::size_t i = 0; i + 1 < made.x.size(); ++i) {
    if (made.x[i] < made.x[i + 1]) continue;
    args.fail("x must increase, but x[" + std::to_string(i + 1) + "] = " + number_text(made.x[i]) + " is followed by " +
              number_text(made.x[i + 1]));
  }
  if (push_metatable<PolylineHandle>(L, kind)) {
    constexpr luaL_Reg functions[] = {{"__call", guarded<call_polyline>},
                                      {"__index", guarded<index_polyline>},
                                      {"__newindex", guarded<refuse_assignment>},
                                      {"__tostring", guarded<polyline_text>},
                                      {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
  }
  lua_pop(L, 1);
  push_userdata(L, kind, std::move(made), 1);
  args.push_properties();
  lua_setiuservalue(L, -2, 1);
  return 1;
}

}  // namespace

std::span<const Constructor> piecewise_linear_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.piecewise_linear",
       .object = "piecewise_linear",
       .summary =
           "A tabulated function with straight lines between its points, held beyond them. It works on numbers\n"
           "and on expressions, so in every law: of s.t it is the shape of a control, whose ordinates are design\n"
           "variables if they are parameters. Adaptive runs end steps at its points. It costs as much as it has\n"
           "points; mbs.spline has no kinks.",
       .fields =
           {{.name = "x", .type = Type::Numbers, .text = "abscissas, increasing", .unit = "yours", .required = true},
            {.name = "y",
             .type = Type::Ordinates,
             .text = "ordinates, one for each",
             .unit = "yours",
             .required = true}},
       .equations = "f(x) = y_i + (y_i+1 - y_i) (x - x_i) / (x_i+1 - x_i) between x_i and x_i+1; y_1 before, y_n after",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {0, 0}, mass = 1 }\n"
                  "local u = {}\n"
                  "for i = 1, 5 do u[i] = m:param { \"u\" .. i, 3 - i, unit = \"N\" } end\n"
                  "local thrust = mbs.piecewise_linear { x = {0, 0.5, 1, 1.5, 2}, y = u }\n"
                  "m:force { \"thrust\", on = P, law = function(s) return thrust(s.t), 0 end }\n"
                  "local far = m:objective { terminal = P.x }\n"
                  "print(m:gradient { far, over = u, t = 2 })",
       .see_also = {"spline", "where", "saturate"},
       .function = guarded<piecewise_linear>},
  };
  return constructors;
}

}  // namespace perilune::lua
