// SPDX-License-Identifier: MIT
// What changes at the ticks of a clock and is held between them: digital controllers.
#include "model/force/sampled.hpp"

#include "base/guard.hpp"
#include "base/userdata.hpp"
#include "laws/si_unit.hpp"
#include "model/signals.hpp"
#include "values/args.hpp"
#include "values/trace.hpp"

namespace perilune::lua {

namespace {

void set_next_of(lua_State* L, Args& args, const std::string& name, int function) {
  const TraceRequest request{args.model(),
                             "next value of sampled \"" + name + "\"",
                             {{"value", args.engine().signal(name + ".value")}},
                             {"next"},
                             true};
  const expr::Symbol next = traced(L, function, request)[0];
  args.engine().record().defined_at = script_line(L);
  set_next(args.engine(), name, next);
}

int sampled(lua_State* L) {
  Args args(L);
  const double period = args.plain_number("period"), first = args.plain_number("first");
  const expr::Symbol at = args.number("at");
  const std::string unit = si_unit(args);
  const int next = args.function("next");
  add_sampled(args.engine(), args.name(), at, unit, period, first);
  if (next) set_next_of(L, args, args.name(), next);
  args.finish();
  return 1;
}

int set_next(lua_State* L) {
  Args args(L);
  const std::string name = test_userdata<Object>(L, 1)->name;
  if (has_signal(args.engine(), name + ".next")) args.fail("sampled \"" + name + "\" has its next value already");
  const int next = args.function("next");
  args.check_all_read();
  set_next_of(L, args, name, next);
  return 0;
}

}  // namespace

std::span<const Constructor> sampled_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:sampled",
       .object = "sampled",
       .summary = "A number of a digital controller: it takes its next value at the ticks of a clock, and is held\n"
                  "between them (zero-order hold). The next value reads s.value, which is the one before the tick,\n"
                  "and every signal; all that tick at one time read what the others were before. What is declared\n"
                  "later can be read if it is set later, by z:set_next { function(s) ... end }. Steps end at ticks.",
       .naming = Naming::Required,
       .fields =
           {{.name = "period",
             .text = "time from tick to tick",
             .unit = "s",
             .range = Range::Positive,
             .required = true},
            {.name = "next", .type = Type::Law, .text = "returns the value after a tick", .unit = "the unit given"},
            {.name = "at", .text = "value before the first tick", .unit = "the unit given", .fallback = "0"},
            {.name = "first", .text = "time of the first tick", .unit = "s", .fallback = "0"},
            {.name = "unit", .type = Type::String, .text = "shown with the value, an SI unit", .fallback = ""}},
       .signals = {{"value", "", "z, in its unit"},
                   {"next", "", "what it would become at a tick now; once it is set"},
                   {"integral", "", "of z over time from the start"}},
       .equations = "z(t) = z_k for t_k < t < t_(k+1), t_k = first + k period; z_k = next(z_(k-1), q, q', q'', lambda) "
                    "at t_k.",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local k, d = m:param { \"k\", 40, unit = \"N/m\" }, m:param { \"d\", 9, unit = \"N s/m\" }\n"
                  "local P = m:point { \"P\", at = {0.1, 0}, mass = 1 }\n"
                  "local u = m:sampled { \"u\", period = 0.02, unit = \"N\",\n"
                  "  next = function(s) return -k * P.x - d * P.vx end }\n"
                  "m:force { on = P, law = function(s) return u.value, 0 end }\n"
                  "local cost = m:objective { integral = P.x ^ 2 }\n"
                  "print(m:gradient { cost, over = {k, d}, t = 2 })",
       .see_also = {"set_next", "pid", "state", "force", "phase"},
       .function = guarded<sampled>},
      {.name = "sampled:set_next",
       .object = "set_next",
       .returns = "nil",
       .summary = "Sets what becomes, at a tick, of a sampled number that was declared without that: numbers that\n"
                  "read each other are declared first.",
       .positional = {{.name = "next",
                       .type = Type::Law,
                       .text = "returns the value after a tick",
                       .unit = "the unit given",
                       .required = true}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local a = m:sampled { \"a\", at = 1, period = 0.1 }\n"
                  "local b = m:sampled { \"b\", period = 0.1, next = function(s) return a.value end }\n"
                  "a:set_next { function(s) return s.value + b.value end } -- Fibonacci's numbers\n"
                  "m:point { \"P\", at = {0, 0}, mass = 1 }\n"
                  "print(m:simulate({ t = 1 }):at(a.value, 1))",
       .see_also = {"sampled"},
       .function = guarded<set_next>}};
  return constructors;
}

}  // namespace perilune::lua
