// SPDX-License-Identifier: MIT
// First-order states and controllers.
#include "model/force/control.hpp"
#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "laws/si_unit.hpp"
#include "model/signals.hpp"
#include "values/args.hpp"
#include "values/expression_field.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

void set_rate_of(lua_State* L, Args& args, const std::string& name, int function) {
  expr::Graph& graph = args.engine().graph();
  const TraceRequest request{args.model(),
                             "rate of state \"" + name + "\"",
                             {{"value", args.engine().signal(name + ".value")}},
                             {"rate"},
                             true};
  const Symbol rate = traced(L, function, request)[0];
  graph.set_origin(script_line(L));
  set_state_rate(args.engine(), name, rate);
}

int state(lua_State* L) {
  Args args(L);
  const Symbol at = args.number("at");
  const std::string unit = si_unit(args);
  const int rate = args.function("rate");
  add_state(args.engine(), args.name(), at, unit);
  if (rate) set_rate_of(L, args, args.name(), rate);
  args.finish();
  return 1;
}

int set_rate(lua_State* L) {
  Args args(L);
  const std::string name = test_userdata<Object>(L, 1)->name;
  if (has_signal(args.engine(), name + ".rate")) args.fail("state \"" + name + "\" has its rate already");
  const int law = args.function("law");
  args.check_all_read();
  set_rate_of(L, args, name, law);
  return 0;
}

int pid(lua_State* L) {
  Args args(L);
  model::PidGains gains{args.number("kp"),
                        args.number("ki"),
                        args.number("kd"),
                        nullptr,
                        args.optional_number("lower"),
                        args.optional_number("upper"),
                        args.optional_number("tracking")};
  const std::optional<Symbol> filter = args.optional_number("filter");
  if (filter) gains.filter = &*filter;
  if (filter && !args.given("kd")) args.fail("filter is for the rate of the error; give kd as well, or leave it out");
  const bool integrates = !gains.integral.is_number() || gains.integral.number() != 0;
  if (gains.tracking && !(integrates && (gains.lower || gains.upper))) {
    args.fail(
        "tracking is the time constant of anti-windup; give ki and a limit (lower, upper) as well, or leave it out");
  }
  args.name();
  const Symbol error(args.engine().graph(), read_expression(args, L, "error", false));
  add_pid(args.engine(), args.name(), error, gains);
  args.finish();
  return 1;
}

}  // namespace

std::span<const Constructor> control_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:state",
       .object = "state",
       .summary = "A first-order state z, a number that changes by z' = rate. The rate reads z as s.value, and every\n"
                  "signal; what is declared later can be read if the rate is set later, by\n"
                  "z:set_rate { function(s) ... end }.",
       .naming = Naming::Required,
       .fields = {{.name = "at", .text = "value at the start", .unit = "the unit given", .fallback = "0"},
                  {.name = "unit", .type = Type::String, .text = "shown with the value, an SI unit", .fallback = ""},
                  {.name = "rate", .type = Type::Law, .text = "returns z'", .unit = "the unit given, per s"}},
       .signals = {{"value", "", "z, in its unit"},
                   {"rate", "", "z', per s; once it is set"},
                   {"integral", "", "of z over time from the start"}},
       .equations = "z' = rate(z, q, q', t), z(0) = at. z is kept as the velocity of a coordinate of unit inertia.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local T = m:param { \"T\", 0.5, unit = \"s\", min = 0 }\n"
                  "local P = m:point { \"P\", at = {0, 1}, mass = 1 }\n"
                  "local lag = m:state { \"lag\", at = 1, rate = function(s) return (P.y - s.value) / T end }\n"
                  "m:force { on = P, law = function(s) return 0, -10 * lag.value end }",
       .see_also = {"set_rate", "pid", "force"},
       .function = guarded<state>},
      {.name = "state:set_rate",
       .object = "set_rate",
       .returns = "nil",
       .summary = "Sets the rate of a state that was declared without one: states that read each other are declared\n"
                  "first, and get their rates afterwards.",
       .positional = {{.name = "law",
                       .type = Type::Law,
                       .text = "returns z'",
                       .unit = "the unit given, per s",
                       .required = true}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local prey, hunter = m:state { \"prey\", at = 2 }, m:state { \"hunter\", at = 1 }\n"
                  "prey:set_rate { function(s) return prey.value - prey.value * hunter.value end }\n"
                  "hunter:set_rate { function(s) return prey.value * hunter.value - hunter.value end }",
       .see_also = {"state"},
       .function = guarded<set_rate>},
      {.name = "model:pid",
       .object = "pid",
       .summary =
           "A controller: from an error e, wanted less actual, it makes the signal output, which a force or torque\n"
           "law applies. Gains that are left out are zero. The rate of e is that of its expression, which must\n"
           "not read velocities then; a filter smooths it. With limits the output stays between them, and the\n"
           "integral is taken back meanwhile (anti-windup by back-calculation); without limits nothing that cuts\n"
           "the output off behind the controller stops the integral, and mbs.saturate refuses it.",
       .naming = Naming::Required,
       .fields = {{.name = "error",
                   .type = Type::Integrand,
                   .text = "e: a function of the state, or an expression of signals",
                   .unit = "yours",
                   .required = true},
                  {.name = "kp", .text = "proportional gain", .unit = "output / e", .fallback = "0"},
                  {.name = "ki", .text = "integral gain", .unit = "output / (e s)", .fallback = "0"},
                  {.name = "kd", .text = "derivative gain", .unit = "output s / e", .fallback = "0"},
                  {.name = "filter",
                   .text = "time constant of the derivative",
                   .unit = "s",
                   .fallback = "none",
                   .range = Range::Positive},
                  {.name = "lower", .text = "the least output", .unit = "output", .fallback = "none"},
                  {.name = "upper", .text = "the largest output", .unit = "output", .fallback = "none"},
                  {.name = "tracking",
                   .text = "time constant of the anti-windup, which a limit together with ki always has",
                   .unit = "s",
                   .fallback = "kp / ki",
                   .range = Range::Positive}},
       .signals = {{"output", "", "what the controller asks for, within its limits"},
                   {"unlimited", "", "the sum before the limits", "", "if a limit is given"},
                   {"error", "", "e"},
                   {"integral", "", "I, of e over time", "", "if ki is given"},
                   {"derivative", "", "rate of e, filtered if so", "", "if kd is given"}},
       .equations =
           "output = kp e + ki I + kd D, I' = e, I(0) = 0; D = e', or with filter = T: T D' = e' - D, D(0) = 0\n"
           "with limits: v = kp e + ki I + kd D, output u = v between lower and upper,\n"
           "I' = e + (u - v) / (ki tracking) (Astrom and Hagglund, Advanced PID Control, 2006, chapter 3)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local kp = m:param { \"kp\", 40, unit = \"N/m\" }\n"
                  "local P = m:point { \"P\", at = {0, 0}, mass = 1 }\n"
                  "local ctl = m:pid { \"ctl\", error = function(s) return 1 - P.y end, kp = kp, ki = 20, kd = 8,\n"
                  "                    lower = 0, upper = 30 }\n"
                  "m:force { \"lift\", on = P, law = function(s) return 0, ctl.output end }",
       .see_also = {"state", "saturate", "rate_limit", "filter", "lqr", "force", "torque"},
       .function = guarded<pid>},
  };
  return constructors;
}

}  // namespace perilune::lua
