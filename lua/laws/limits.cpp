// SPDX-License-Identifier: MIT
// Limits and dead zones as functions of laws.
#include "base/guard.hpp"
#include "error.hpp"
#include "model/force/control.hpp"
#include "schema/schema.hpp"
#include "values/operand.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

using expr::Op;

namespace {

Operand less_than(lua_State* L, const Operand& a, const Operand& b) { return binary(L, Op::Less, a, b); }

// A controller cannot know of what cuts its output off behind it, and goes on integrating.
void refuse_wind_up(const Operand& x) {
  if (!x.is_symbol()) return;
  const model::Model& engine = *x.model->engine;
  const std::string controller = model::winding_up(engine, expr::Symbol(engine.graph(), x.node));
  if (controller.empty()) return;
  throw Error("mbs.saturate of '" + x.text() + "': the integral of pid \"" + controller +
              "\" would wind up while its output is cut off\ngive the controller itself lower and upper, with which " +
              "it takes its integral back (anti-windup)");
}

int saturate(lua_State* L) {
  constexpr const char* user = "mbs.saturate";
  const Operand x = check_operand(L, 1, user), lower = check_operand(L, 2, user), upper = check_operand(L, 3, user);
  if (!lower.is_symbol() && !upper.is_symbol() && !(lower.number < upper.number) && !Tracing::is_sampling()) {
    throw Error("mbs.saturate: lower must be below upper, got " + number_text(lower.number) + " and " +
                number_text(upper.number));
  }
  refuse_wind_up(x);
  const Operand below_upper = where(L, less_than(L, upper, x), upper, x);
  return push_operand(L, where(L, less_than(L, x, lower), lower, below_upper));
}

int dead_zone(lua_State* L) {
  constexpr const char* user = "mbs.dead_zone";
  const Operand x = check_operand(L, 1, user), width = check_operand(L, 2, user);
  if (!width.is_symbol() && !(width.number >= 0) && !Tracing::is_sampling()) {
    throw Error("mbs.dead_zone: width must not be negative, got " + number_text(width.number));
  }
  const Operand below = binary(L, Op::Add, x, width), above = binary(L, Op::Sub, x, width);
  const Operand not_below = where(L, less_than(L, constant(0), above), above, constant(0));
  return push_operand(L, where(L, less_than(L, below, constant(0)), below, not_below));
}

}  // namespace

std::span<const Function> limit_functions() {
  static const std::vector<Function> functions = {
      {.name = "mbs.saturate",
       .signature = "mbs.saturate(x, lower, upper)",
       .arguments = {{"x", numeric, "the argument", "any"},
                     {"lower", numeric, "the least result", "that of x"},
                     {"upper", numeric, "the largest result", "that of x"}},
       .returns = numeric,
       .summary = "x between its limits. Adaptive runs end steps where a limit is reached and left. Of the output of\n"
                  "an m:pid with an integral and without limits it is refused: the integral would wind up.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:force { \"motor\", on = P, law = function(s)\n"
                  "  return mbs.saturate(-40 * s.x - 8 * s.vx, -3, 3), 0\n"
                  "end }",
       .see_also = {"dead_zone", "rate_limit", "pid", "where"},
       .function = guarded<saturate>},
      {.name = "mbs.dead_zone",
       .signature = "mbs.dead_zone(x, width)",
       .arguments = {{"x", numeric, "the argument", "any"},
                     {"width", numeric, "half of the zone, which is from -width to width", "that of x"}},
       .returns = numeric,
       .summary = "0 where |x| <= width, beyond it x - width or x + width: play, or an error that is not worth the\n"
                  "effort. Adaptive runs end steps at its ends.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:force { \"loose\", on = P, law = function(s) return -100 * mbs.dead_zone(s.x, 0.01), 0 end }",
       .see_also = {"saturate", "where"},
       .function = guarded<dead_zone>},
  };
  return functions;
}

}  // namespace perilune::lua
