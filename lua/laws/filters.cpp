// SPDX-License-Identifier: MIT
// Limits of rates, and lags: objects with states between a controller and what it drives.
#include "model/force/filters.hpp"

#include "base/guard.hpp"
#include "values/args.hpp"
#include "values/expression_field.hpp"

namespace perilune::lua {

namespace {

using expr::Symbol;

Symbol read_input(Args& args, lua_State* L) {
  args.name();
  return {args.engine().graph(), read_expression(args, L, "input", true)};
}

int rate_limit(lua_State* L) {
  Args args(L);
  const Symbol rising = args.number("rate"), falling = args.optional_number("falling_rate").value_or(rising);
  const model::RateLimit limit{args.number("time_constant"), rising, falling, args.optional_number("at")};
  const Symbol input = read_input(args, L);
  add_rate_limit(args.engine(), args.name(), input, limit);
  args.finish();
  return 1;
}

int filter(lua_State* L) {
  Args args(L);
  const std::optional<Symbol> lag = args.optional_number("time_constant"),
                              frequency = args.optional_number("natural_frequency"),
                              damping = args.optional_number("damping"), start = args.optional_number("at");
  if (lag && (frequency || damping)) {
    args.fail(
        "time_constant is of a filter of first order, natural_frequency and damping are of one of second order; "
        "give either");
  }
  if (!lag && !frequency) args.fail("give time_constant (first order), or natural_frequency and damping (second)");
  if (frequency && !damping) args.fail_missing("damping");
  const Symbol input = read_input(args, L);
  if (lag) {
    add_filter(args.engine(), args.name(), input, model::FirstOrderFilter{*lag, start});
  } else {
    add_filter(args.engine(), args.name(), input, model::SecondOrderFilter{*frequency, *damping, start});
  }
  args.finish();
  return 1;
}

Field input_field() {
  return {.name = "input",
          .type = Type::Integrand,
          .text = "x: a function of the state, or an expression of signals",
          .unit = "yours",
          .required = true};
}

Field start_field() {
  return {.name = "at", .text = "y at the start", .unit = "that of the input", .fallback = "the input as declared"};
}

}  // namespace

std::span<const Constructor> filter_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:rate_limit",
       .object = "rate_limit",
       .summary = "A signal that follows its input with a limited rate, as a valve or a motor with its drive does:\n"
                  "within the limits it lags by the time constant. Adaptive runs end steps where a limit is reached\n"
                  "and left. It begins at the input's value for the declared positions and velocities.",
       .naming = Naming::Required,
       .fields = {input_field(),
                  {.name = "rate",
                   .text = "the largest rate of the output",
                   .unit = "input / s",
                   .range = Range::Positive,
                   .required = true},
                  {.name = "falling_rate",
                   .text = "the largest rate downwards, a positive number",
                   .unit = "input / s",
                   .fallback = "rate",
                   .range = Range::Positive},
                  {.name = "time_constant",
                   .text = "T, short against the motion",
                   .unit = "s",
                   .range = Range::Positive,
                   .required = true},
                  start_field()},
       .signals = {{"output", "", "y"}, {"input", "", "x"}, {"rate", "", "y', per s"}},
       .equations = "y' = (x - y) / T between -falling_rate and rate; y(0) = at, without it x(0)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "local valve = m:rate_limit { \"valve\", input = function(s) return -40 * P.x - 8 * P.vx end,\n"
                  "                             rate = 200, time_constant = 0.01 }\n"
                  "m:force { \"ram\", on = P, law = function(s) return valve.output, 0 end }",
       .see_also = {"filter", "saturate", "pid"},
       .function = guarded<rate_limit>},
      {.name = "model:filter",
       .object = "filter",
       .summary = "A low-pass filter of first order (time_constant) or of second order (natural_frequency, damping).\n"
                  "It begins at rest, at the input's value for the declared positions and velocities.",
       .naming = Naming::Required,
       .fields = {input_field(),
                  {.name = "time_constant", .text = "T", .unit = "s", .fallback = "none", .range = Range::Positive},
                  {.name = "natural_frequency",
                   .text = "w, undamped",
                   .unit = "rad/s",
                   .fallback = "none",
                   .range = Range::Positive},
                  {.name = "damping",
                   .text = "zeta, the damping ratio",
                   .unit = "1",
                   .fallback = "none",
                   .range = Range::NonNegative},
                  start_field()},
       .signals = {{"output", "", "y"}, {"input", "", "x"}, {"rate", "", "y', per s"}},
       .equations = "first order: T y' = x - y; second order: y'' = w^2 (x - y) - 2 zeta w y', y'(0) = 0;\n"
                    "y(0) = at, without it x(0)",
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {0, 1}, mass = 1 }\n"
                  "m:spring { m:ground { at = {0, 0} }, P, stiffness = 100 }\n"
                  "local sensor = m:filter { \"sensor\", input = P.y, natural_frequency = 300, damping = 0.7 }\n"
                  "local smooth = m:filter { \"smooth\", input = sensor.output, time_constant = 0.05 }\n"
                  "m:force { \"damper\", on = P, law = function(s) return 0, -20 * smooth.rate end }",
       .see_also = {"rate_limit", "state", "pid"},
       .function = guarded<filter>},
  };
  return constructors;
}

}  // namespace perilune::lua
