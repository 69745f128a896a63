// SPDX-License-Identifier: MIT
// Integrators as objects of scripts.
#include "base/guard.hpp"
#include "base/suggest.hpp"
#include "runs/specs.hpp"
#include "schema/schema.hpp"

namespace perilune::lua {

namespace {

using integrator::Integrator;

int rk4(lua_State* L) {
  Args args(L);
  return push_spec(L, args, "integrator", Integrator(integrator::Rk4{args.plain_number("step")}));
}

integrator::Tolerances tolerances(Args& args) {
  const integrator::Tolerances value{args.plain_number("relative_tolerance"), args.plain_number("absolute_tolerance"),
                                     args.plain_number("initial_step"), args.plain_number("max_step")};
  if (!(value.max_step > 0)) args.fail("max_step must be positive, got " + number_text(value.max_step));
  return value;
}

int dormand_prince(lua_State* L) {
  Args args(L);
  const int order = args.integer("order");
  if (order != 5 && order != 8) args.fail("order must be 5 or 8, got " + std::to_string(order));
  const integrator::DormandPrince value{tolerances(args), order};
  return push_spec(L, args, "integrator", Integrator(value));
}

int trapezoidal(lua_State* L) {
  Args args(L);
  const integrator::Trapezoidal value{args.plain_number("step"), args.plain_number("tolerance")};
  return push_spec(L, args, "integrator", Integrator(value));
}

int sdirk4(lua_State* L) {
  Args args(L);
  const integrator::Sdirk4 value{args.plain_number("step"), args.plain_number("tolerance")};
  return push_spec(L, args, "integrator", Integrator(value));
}

int radau(lua_State* L) {
  Args args(L);
  const int order = args.integer("order");
  if (order != 3 && order != 5) args.fail("order must be 3 or 5, got " + std::to_string(order));
  const integrator::Radau value{order, args.plain_number("step"), tolerances(args), args.plain_number("tolerance")};
  return push_spec(L, args, "integrator", Integrator(value));
}

int bdf(lua_State* L) {
  Args args(L);
  const int order = args.integer("max_order");
  if (order > 5) args.fail("max_order must be between 1 and 5, got " + std::to_string(order));
  const integrator::Bdf value{order, args.plain_number("step"), tolerances(args), args.plain_number("tolerance")};
  return push_spec(L, args, "integrator", Integrator(value));
}

int rosenbrock(lua_State* L) {
  Args args(L);
  const int order = args.integer("order");
  if (order != 3 && order != 4) args.fail("order must be 3 or 4, got " + std::to_string(order));
  const integrator::Rosenbrock value{order, args.plain_number("step"), tolerances(args)};
  return push_spec(L, args, "integrator", Integrator(value));
}

int newmark(lua_State* L) {
  Args args(L);
  const integrator::Newmark value{args.plain_number("step"), args.plain_number("beta"), args.plain_number("gamma"),
                                  args.plain_number("tolerance")};
  return push_spec(L, args, "integrator", Integrator(value));
}

int hht(lua_State* L) {
  Args args(L);
  const integrator::Hht value{args.plain_number("step"), args.plain_number("alpha"), args.plain_number("tolerance")};
  if (value.alpha < -1.0 / 3 || value.alpha > 0) {
    args.fail("alpha must be between -1/3 and 0, got " + number_text(value.alpha));
  }
  return push_spec(L, args, "integrator", Integrator(value));
}

int generalized_alpha(lua_State* L) {
  Args args(L);
  const integrator::GeneralizedAlpha value{args.plain_number("step"), args.plain_number("rho"),
                                           args.plain_number("tolerance")};
  if (value.rho > 1) args.fail("rho must be between 0 and 1, got " + number_text(value.rho));
  return push_spec(L, args, "integrator", Integrator(value));
}

int variational(lua_State* L) {
  Args args(L);
  const integrator::Variational value{args.plain_number("step"), args.plain_number("alpha"),
                                      args.plain_number("tolerance")};
  if (value.alpha > 1) args.fail("alpha must be between 0 and 1, got " + number_text(value.alpha));
  return push_spec(L, args, "integrator", Integrator(value));
}

constexpr std::string_view integrator_example =
    "local mbs = require \"perilune\"\n"
    "local m = mbs.model { gravity = {0, -9.81} }\n"
    "local A = m:ground { at = {0, 0} }\n"
    "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
    "m:distance { A, P }\n"
    "for _, method in ipairs { mbs.rk4 { step = 0.01 }, mbs.dormand_prince {}, mbs.trapezoidal { step = 0.01 },\n"
    "  mbs.sdirk4 { step = 0.01 }, mbs.radau {}, mbs.bdf {}, mbs.rosenbrock {}, mbs.generalized_alpha { step = 0.01 },"
    "\n"
    "  mbs.variational { step = 0.01 } } do\n"
    "  print(method, m:simulate { t = 1, integrator = method })\n"
    "end";

Field step_field() { return number_field("step", "step size", "s", "1e-3", Range::Positive); }
Field newton_field() {
  return number_field("tolerance", "relative size of the last Newton correction", unitless, "1e-11", Range::Positive);
}
/// Of adaptive methods, after the given ones.
std::vector<Field> with_tolerances(std::vector<Field> fields) {
  fields.push_back(number_field("relative_tolerance", "relative to each coordinate and velocity", unitless, "1e-8",
                                Range::Positive));
  fields.push_back(number_field("absolute_tolerance", "for each coordinate and velocity", "m, rad, m/s, rad/s", "1e-10",
                                Range::Positive));
  fields.push_back(number_field("initial_step", "0: chosen from the tolerances", "s", "0", Range::NonNegative));
  fields.push_back(Field{"max_step", Type::PlainNumber, "largest step", "s", "inf", Range::Any});
  return fields;
}

}  // namespace

std::span<const Constructor> integrator_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "mbs.rk4",
       .object = "rk4",
       .returns = "integrator",
       .summary = "The classical Runge-Kutta method of order 4 with a fixed step; the last step ends exactly.",
       .fields = {step_field()},
       .example = integrator_example,
       .see_also = {"dormand_prince", "trapezoidal", "simulate"},
       .function = guarded<rk4>},
      {.name = "mbs.dormand_prince",
       .object = "dormand_prince",
       .returns = "integrator",
       .summary =
           "Dormand and Prince's methods of order 5 or 8 with adaptive steps. A local error counts against\n"
           "absolute_tolerance + relative_tolerance |y|. That of order 8 takes twice the work for a step, but a\n"
           "fifth of the steps for seven digits, and less the more are wanted: smooth motions, their ends and\n"
           "integrals, and gradients of these. Between such long steps values have fewer digits (velocities some\n"
           "ten tolerances off), and so have extrema over time: there order 5, or a max_step.",
       .fields = with_tolerances({Field{"order", Type::Integer, "5 or 8", "", "5", Range::Positive}}),
       .example = integrator_example,
       .see_also = {"rk4", "trapezoidal", "simulate"},
       .function = guarded<dormand_prince>},
      {.name = "mbs.trapezoidal",
       .object = "trapezoidal",
       .returns = "integrator",
       .summary = "The implicit trapezoidal rule of order 2 with a fixed step (Zhu 2014, eq. 2.5), by Newton's method\n"
                  "with the exact Jacobian.",
       .fields = {step_field(), newton_field()},
       .example = integrator_example,
       .see_also = {"rk4", "dormand_prince", "simulate"},
       .function = guarded<trapezoidal>},
      {.name = "mbs.sdirk4",
       .object = "sdirk4",
       .returns = "integrator",
       .summary =
           "A diagonally implicit Runge-Kutta method of order 4 in five stages with a fixed step, for stiff\n"
           "mechanisms: what is much faster than the step dies out (L-stable). By Newton's method. Its order is\n"
           "2 with mbs.stabilized_index1 and 1 with the forms of index 3, as its inner stages are of order 1:\n"
           "use radau there. Gradients by the discrete methods.",
       .fields = {step_field(), newton_field()},
       .example = integrator_example,
       .see_also = {"trapezoidal", "dormand_prince", "simulate"},
       .function = guarded<sdirk4>},
      {.name = "mbs.radau",
       .object = "radau",
       .returns = "integrator",
       .summary =
           "Radau IIA of order 5 (three stages) or 3 (two), for stiff mechanisms: L-stable, the order holds for\n"
           "stiff ones too. Adaptive by default; a step > 0 makes it constant. By Newton's method on all stages\n"
           "together.",
       .fields = with_tolerances({Field{"order", Type::Integer, "5 or 3", "", "5", Range::Positive},
                                  number_field("step", "constant step; 0: adaptive", "s", "0", Range::NonNegative),
                                  newton_field()}),
       .example = integrator_example,
       .see_also = {"sdirk4", "dormand_prince", "simulate"},
       .function = guarded<radau>},
      {.name = "mbs.bdf",
       .object = "bdf",
       .returns = "integrator",
       .summary =
           "Backward differentiation formulas with a fixed leading coefficient, for stiff mechanisms. Adaptive in\n"
           "order (1 to max_order) and step by default; a step > 0 makes both constant, after a start by Radau IIA.\n"
           "Orders 3 to 5 are not A-stable: what swings fast without any damping shortens their steps; there\n"
           "max_order = 2 passes over it.",
       .fields = with_tolerances({Field{"max_order", Type::Integer, "1 to 5", "", "5", Range::Positive},
                                  number_field("step", "constant step; 0: adaptive", "s", "0", Range::NonNegative),
                                  newton_field()}),
       .example = integrator_example,
       .see_also = {"radau", "sdirk4", "simulate"},
       .function = guarded<bdf>},
      {.name = "mbs.rosenbrock",
       .object = "rosenbrock",
       .returns = "integrator",
       .summary = "Rosenbrock methods of order 4 (RODAS) or 3: linearly implicit, one matrix per step and no\n"
                  "iteration. For stiff dampers; against stiff springs use mbs.radau, since their steps shrink there.\n"
                  "Adaptive by default; a step > 0 makes it constant. With mbs.penalty, mbs.index1 and\n"
                  "mbs.augmented_lagrangian of index 1.",
       .fields = with_tolerances({Field{"order", Type::Integer, "4 or 3", "", "4", Range::Positive},
                                  number_field("step", "constant step; 0: adaptive", "s", "0", Range::NonNegative)}),
       .example = integrator_example,
       .see_also = {"radau", "bdf", "simulate"},
       .function = guarded<rosenbrock>},
      {.name = "mbs.newmark",
       .object = "newmark",
       .returns = "integrator",
       .summary = "Newmark's method with a fixed step, for the second-order equations. beta = 1/4, gamma = 1/2 is of\n"
                  "order 2 and damps nothing; gamma > 1/2 damps and is of order 1.",
       .fields = {step_field(),
                  number_field("beta", "weight of the new acceleration in the displacement", unitless, "0.25",
                               Range::Positive),
                  number_field("gamma", "weight of the new acceleration in the velocity", unitless, "0.5",
                               Range::Positive),
                  newton_field()},
       .example = integrator_example,
       .see_also = {"hht", "generalized_alpha", "trapezoidal", "simulate"},
       .function = guarded<newmark>},
      {.name = "mbs.hht",
       .object = "hht",
       .returns = "integrator",
       .summary =
           "The method of Hilber, Hughes and Taylor with a fixed step: order 2, and damping of high frequencies.",
       .fields = {step_field(),
                  number_field("alpha", "damping, from -1/3 to 0 (none)", unitless, "-0.05", Range::Finite),
                  newton_field()},
       .example = integrator_example,
       .see_also = {"generalized_alpha", "newmark", "simulate"},
       .function = guarded<hht>},
      {.name = "mbs.generalized_alpha",
       .object = "generalized_alpha",
       .returns = "integrator",
       .summary =
           "Generalized-alpha with a fixed step, in the form of Arnold and Bruels (2007) for constrained systems:\n"
           "order 2, with the least damping of low frequencies for a given one of high frequencies.",
       .fields = {step_field(),
                  number_field("rho", "what a step leaves of very high frequencies, 0 to 1", unitless, "0.8",
                               Range::NonNegative),
                  newton_field()},
       .example = integrator_example,
       .see_also = {"hht", "newmark", "simulate"},
       .function = guarded<generalized_alpha>},
      {.name = "mbs.variational",
       .object = "variational",
       .returns = "integrator",
       .summary =
           "The variational integrator with a fixed step (Ebrahimi 2019, section 3.1): the motion of a discrete\n"
           "Lagrangian, with momenta of its own. Linear and angular momenta are kept to rounding where forces keep\n"
           "them, and the energy errs by the square of the step without any drift, however long the run. Order 2\n"
           "for alpha = 0.5, else 1. Constraints of positions and velocities hold at every mesh point; integrals\n"
           "are taken by the middle of each step. Damps nothing, not\n"
           "even what a stiff damper stops within a step: mbs.radau {} does. With mbs.index3 {}, or no form given.\n"
           "Needs a constant mass matrix, or bodies with Euler parameters and alpha = 0.5.",
       .fields = {step_field(),
                  number_field("alpha", "where between its ends a step takes the Lagrangian, 0 to 1", unitless, "0.5",
                               Range::NonNegative),
                  newton_field()},
       .example = integrator_example,
       .see_also = {"generalized_alpha", "trapezoidal", "natural_body", "beam", "simulate"},
       .function = guarded<variational>},
  };
  return constructors;
}

}  // namespace perilune::lua
