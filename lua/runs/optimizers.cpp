// SPDX-License-Identifier: MIT
// The optimizers of m:optimize.
#include "base/guard.hpp"
#include "runs/specs.hpp"
#include "values/expression.hpp"

namespace perilune::lua {

namespace {

int lbfgsb(lua_State* L) {
  Args args(L);
  optimize::Options options;
  options.projected_gradient = args.plain_number("projected_gradient");
  options.relative_decrease = args.plain_number("relative_decrease");
  options.max_evaluations = args.integer("max_evaluations");
  options.memory = args.integer("memory");
  options.check_gradient = args.boolean("check_gradient");
  return push_spec(L, args, "optimizer", Optimizer(options));
}

int trust_region(lua_State* L) {
  Args args(L);
  optimize::TrustRegionOptions options;
  options.projected_gradient = args.plain_number("projected_gradient");
  options.relative_decrease = args.plain_number("relative_decrease");
  options.max_evaluations = args.integer("max_evaluations");
  return push_spec(L, args, "optimizer", Optimizer(options));
}

int push_constrained(lua_State* L, optimize::ConstrainedMethod method) {
  Args args(L);
  optimize::ConstrainedOptions options;
  options.method = method;
  options.kkt = args.plain_number("kkt");
  options.feasibility = args.plain_number("feasibility");
  options.max_evaluations = args.integer("max_evaluations");
  return push_spec(L, args, "optimizer", Optimizer(options));
}

int slsqp(lua_State* L) { return push_constrained(L, optimize::ConstrainedMethod::Slsqp); }
int moving_asymptotes(lua_State* L) { return push_constrained(L, optimize::ConstrainedMethod::Mma); }
int ccsaq(lua_State* L) { return push_constrained(L, optimize::ConstrainedMethod::Ccsaq); }
int penalized(lua_State* L) { return push_constrained(L, optimize::ConstrainedMethod::AugmentedLagrangian); }

int cobyla(lua_State* L) {
  Args args(L);
  optimize::ConstrainedOptions options;
  options.method = optimize::ConstrainedMethod::Cobyla;
  options.step = args.plain_number("step");
  if (options.step >= 1) args.fail("step must be below 1, got " + number_text(options.step));
  options.feasibility = args.plain_number("feasibility");
  options.max_evaluations = args.integer("max_evaluations");
  return push_spec(L, args, "optimizer", Optimizer(options));
}

std::vector<Field> constrained_fields() {
  return {number_field("kkt", "stop where multipliers leave at most this share of the gradient", unitless, "1e-8",
                       Range::NonNegative),
          number_field("feasibility", "by how much a limit may be violated, over its scale", unitless, "1e-8",
                       Range::Positive),
          Field{"max_evaluations", Type::Integer, "stop after so many gradients", "", "1000", Range::Positive}};
}

constexpr std::string_view constrained_example =
    "local mbs = require \"perilune\"\n"
    "local m = mbs.model { gravity = {0, -9.81} }\n"
    "local vx = m:param { \"vx\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
    "local vy = m:param { \"vy\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
    "local P = m:point { \"P\", at = {0, 0}, velocity = {vx, vy}, mass = 1 }\n"
    "local miss = m:objective { \"miss\", terminal = (P.x - 4)^2 + (P.y - 1)^2 }\n"
    "for _, how in ipairs { mbs.slsqp {}, mbs.mma {}, mbs.ccsaq {}, mbs.auglag {} } do\n"
    "  vx.value, vy.value = 3, 3\n"
    "  local best = m:optimize { minimize = miss, t = 1, optimizer = how,\n"
    "                            subject_to = { { \"speed\", vx^2 + vy^2, max = 40, unit = \"m^2/s^2\" } } }\n"
    "  print(how, best.final, best.constraints.speed.multiplier)\n"
    "end";

}  // namespace

std::span<const Constructor> optimizer_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.lbfgsb",
       .object = "lbfgsb",
       .returns = "optimizer",
       .summary = "L-BFGS-B: minimization within the bounds of the parameters. A simulation that fails counts as a\n"
                  "step too long; the best point is kept whatever happens.",
       .fields = {number_field("projected_gradient", "stop below this, in scaled variables", unitless, "1e-8",
                               Range::NonNegative),
                  number_field("relative_decrease", "stop when two decreases in a row are below", unitless, "1e-14",
                               Range::NonNegative),
                  Field{"max_evaluations", Type::Integer, "stop after so many gradients", "", "1000", Range::Positive},
                  Field{"memory", Type::Integer, "corrections kept", "", "10", Range::Positive},
                  Field{"check_gradient", Type::Boolean, "compare with a difference at the start", "", "false"}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local v = m:param { \"v\", 1, unit = \"m/s\", min = 0, max = 5 }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 0}, mass = 1 }\n"
                  "local miss = m:objective { terminal = (P.x - 2)^2 }\n"
                  "local best = m:optimize { minimize = miss, over = { v }, t = 1, optimizer = mbs.lbfgsb {} }\n"
                  "print(best, v.value)",
       .see_also = {"optimize", "gradient", "trust_region", "slsqp"},
       .function = guarded<lbfgsb>},
      {.name = "mbs.trust_region",
       .object = "trust_region",
       .returns = "optimizer",
       .summary = "Newton's method within the bounds of the parameters: exact products of the second derivatives with\n"
                  "directions, as m:hessian has them, and conjugate gradients in a trust region. Near a minimum every\n"
                  "step doubles the digits, and a saddle point or a maximum is left; where there is neither slope\n"
                  "nor a way down, least_curvature tells whether it is a minimum (greatest_curvature, whether it is\n"
                  "the maximum that was asked for). It takes a fraction of the steps of\n"
                  "mbs.lbfgsb {}, but a product costs up to two gradients and every step as many products as there\n"
                  "are parameters at most: in runs it is seldom the cheaper one. Without a formulation it takes\n"
                  "mbs.maggi {}, as m:hessian does.",
       .fields = {number_field("projected_gradient", "stop below this, in scaled variables", unitless, "1e-8",
                               Range::NonNegative),
                  number_field("relative_decrease", "stop when two decreases in a row are below", unitless, "1e-14",
                               Range::NonNegative),
                  Field{"max_evaluations", Type::Integer, "stop after so many gradients and products", "", "1000",
                        Range::Positive}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, 0} }\n"
                  "local v = m:param { \"v\", 1, unit = \"m/s\", min = 0, max = 5 }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {v, 0}, mass = 1 }\n"
                  "local miss = m:objective { terminal = (P.x - 2)^4 + (P.x - 2)^2 }\n"
                  "local best = m:optimize { minimize = miss, over = { v }, t = 1, optimizer = mbs.trust_region {} }\n"
                  "print(best, best.products, best.least_curvature)",
       .see_also = {"optimize", "hessian", "lbfgsb"},
       .function = guarded<trust_region>},
      {.name = "mbs.slsqp",
       .object = "slsqp",
       .returns = "optimizer",
       .summary =
           "Sequential quadratic programming for m:optimize with subject_to (NLopt's SLSQP, by Kraft). Variables,\n"
           "objective and limits are scaled; a simulation that fails counts as a step too long; what ends early\n"
           "is restarted, and the last digits come from Newton's method where values do not show them any more.\n"
           "The best point that keeps the limits is what is returned, whatever happens.",
       .fields = constrained_fields(),
       .example = constrained_example,
       .see_also = {"optimize", "mma", "ccsaq", "auglag", "cobyla", "lbfgsb"},
       .function = guarded<slsqp>},
      {.name = "mbs.mma",
       .object = "mma",
       .returns = "optimizer",
       .summary = "Moving asymptotes (NLopt's MMA, by Svanberg), for many parameters and limits, none of them an\n"
                  "equality. It needs more runs than mbs.slsqp, and no matrix of the size of the parameters.",
       .fields = constrained_fields(),
       .example = constrained_example,
       .see_also = {"optimize", "slsqp", "ccsaq"},
       .function = guarded<moving_asymptotes>},
      {.name = "mbs.ccsaq",
       .object = "ccsaq",
       .returns = "optimizer",
       .summary = "As mbs.mma, with quadratic approximations in place of asymptotes (NLopt's CCSAQ, by Svanberg).",
       .fields = constrained_fields(),
       .example = constrained_example,
       .see_also = {"optimize", "slsqp", "mma"},
       .function = guarded<ccsaq>},
      {.name = "mbs.auglag",
       .object = "auglag",
       .returns = "optimizer",
       .summary =
           "An augmented Lagrangian of the limits, minimized by L-BFGS (NLopt's AUGLAG, by Birgin and Martinez).\n"
           "An objective that falls without end outside of the limits is not held by it.",
       .fields = constrained_fields(),
       .example = constrained_example,
       .see_also = {"optimize", "slsqp"},
       .function = guarded<penalized>},
      {.name = "mbs.cobyla",
       .object = "cobyla",
       .returns = "optimizer",
       .summary = "Linear models on a simplex of points (NLopt's COBYLA, by Powell), with subject_to or without: runs\n"
                  "alone, no gradients, for objectives that have none or jump. It takes many runs, some hundred for a\n"
                  "few parameters, and comes to as many digits as step says; where gradients exist the others are\n"
                  "better. A search is begun again from its end, until that finds nothing better; at a kink along\n"
                  "which the objective falls, or where simulations fail, it may end early all the same: try other\n"
                  "starts. There is no certificate: the result has neither kkt nor multipliers.",
       .fields = {number_field("step", "the last steps over the first, which are a tenth of the scale of a parameter",
                               unitless, "1e-6", Range::Positive),
                  number_field("feasibility", "by how much a limit may be violated, over its scale", unitless, "1e-6",
                               Range::Positive),
                  Field{"max_evaluations", Type::Integer, "stop after so many runs", "", "1000", Range::Positive}},
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { gravity = {0, -9.81} }\n"
                  "local vx = m:param { \"vx\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
                  "local vy = m:param { \"vy\", 3, unit = \"m/s\", min = 0, max = 20 }\n"
                  "local P = m:point { \"P\", at = {0, 0}, velocity = {vx, vy}, mass = 1 }\n"
                  "local far = m:objective { \"far\", terminal = -P.x }\n"
                  "print(m:optimize { minimize = far, t = 1, optimizer = mbs.cobyla {},\n"
                  "  subject_to = { { \"speed\", vx^2 + vy^2, max = 40, unit = \"m^2/s^2\" } } })",
       .see_also = {"optimize", "slsqp", "sweep"},
       .function = guarded<cobyla>},
  };
  return constructors;
}

}  // namespace perilune::lua
