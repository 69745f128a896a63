// SPDX-License-Identifier: MIT
// m:accuracy: objectives with the error that steps leave in them.
#include <algorithm>
#include <cmath>

#include "base/guard.hpp"
#include "base/named_values.hpp"
#include "base/table_fields.hpp"
#include "error.hpp"
#include "format/text.hpp"
#include "runs/experiment.hpp"
#include "runs/phases.hpp"
#include "sensitivity/discretization_error.hpp"

namespace perilune::lua {

namespace {

using sensitivity::DiscretizationError;

/// The largest of the errors against what was asked for.
double excess(const DiscretizationError& found, double accuracy) {
  return *std::max_element(found.errors.begin(), found.errors.end()) / accuracy;
}

/// Digits up to that of the error's first one.
std::string value_text(double value, double error) {
  const double digits = value != 0 && error > 0 ? std::ceil(std::log10(std::abs(value) / error)) + 1 : 6;
  return format::significant(value, static_cast<int>(std::clamp(digits, 1.0, 17.0)));
}

std::string steps_text(const integrator::Integrator& integrator) {
  const double step = integrator::fixed_step(integrator);
  if (step > 0) return "step = " + format::significant(step, 4);
  const integrator::Tolerances& t = *integrator::tolerances_of(integrator);
  return "relative_tolerance = " + format::significant(t.relative, 3) +
         ", absolute_tolerance = " + format::significant(t.absolute, 3);
}

int accuracy(lua_State* L) {
  Args args(L);
  simulation::Problem problem = read_problem(args, L);
  bool is_list = false;
  problem.objectives = read_objectives(args, L, "objective", is_list);
  const bool is_wanted = args.given("accuracy");
  double wanted = 0;
  if (is_wanted) {
    wanted = args.plain_number("accuracy");
  } else {
    args.value("accuracy");
  }
  args.check_all_read();
  const std::vector<double> parameters = args.model()->parameter_values();
  DiscretizationError found = sensitivity::discretization_error(problem, parameters);
  int tries = 1;
  constexpr int most_tries = 12;
  while (is_wanted && excess(found, wanted) > 1 && !found.is_rounding && tries < most_tries) {
    // An adaptive method's error falls slower than its tolerances.
    const double share = std::clamp(0.3 * std::pow(excess(found, wanted), -1.2), 1e-4, 0.3);
    problem.integrator = sensitivity::finer(problem.integrator, 0.5, share);
    found = sensitivity::discretization_error(problem, parameters);
    ++tries;
  }
  print_warnings(L, found.warnings);
  std::string text;
  lua_newtable(L);
  lua_newtable(L);  // values
  lua_newtable(L);  // errors
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    const std::string& name = problem.objectives[k]->name;
    lua_pushnumber(L, found.values[k]);
    lua_setfield(L, -3, name.c_str());
    lua_pushnumber(L, found.errors[k]);
    lua_setfield(L, -2, name.c_str());
    text += (k ? "\n" : "") + name + " = " + value_text(found.values[k], found.errors[k]) + " +- " +
            format::significant(found.errors[k], 2);
  }
  refuse_other_names(L);
  lua_setfield(L, -3, "errors");
  refuse_other_names(L);
  lua_setfield(L, -2, "values");
  const double step = integrator::fixed_step(problem.integrator);
  if (step > 0) {
    set_number(L, "step", step);
  } else {
    set_number(L, "relative_tolerance", integrator::tolerances_of(problem.integrator)->relative);
    set_number(L, "absolute_tolerance", integrator::tolerances_of(problem.integrator)->absolute);
  }
  set_integer(L, "steps", found.statistics.steps);
  text += "\n  " + integrator::name_of(problem.integrator) + " with " + steps_text(problem.integrator) + ": " +
          std::to_string(found.statistics.steps) + " steps, compared with " +
          std::to_string(found.finer_statistics.steps);
  const bool reaches = !is_wanted || excess(found, wanted) <= 1;
  lua_pushboolean(L, reaches);
  lua_setfield(L, -2, "reached");
  if (!reaches) {
    std::vector<std::string> warnings{"the accuracy of " + format::significant(wanted, 3) + " was not reached: " +
                                      (found.is_rounding
                                           ? "tolerances are at what rounding allows"
                                           : std::to_string(tries) + " times finer steps did not bring it there")};
    if (!found.is_rounding && step > 0) warnings[0] += "; an adaptive integrator goes further";
    print_warnings(L, warnings);
    text += "\n  warning: " + warnings[0];
  }
  set_text(L, "text", text);
  print_as_text(L, "perilune.accuracy");
  return 1;
}

}  // namespace

std::span<const Constructor> accuracy_constructors() {
  static const std::vector<Constructor> constructors = {
      {.name = "model:accuracy",
       .object = "accuracy",
       .returns = "table",
       .summary =
           "Objectives with the error that the steps of the run leave in them: psi = 0.726877 +- 3e-7. The error is\n"
           "the difference to a run with about a quarter of the step, or a hundredth of the tolerances. With\n"
           "accuracy it makes the steps finer until every error is at most that, and says which they are. Returns\n"
           "a printable table: values and errors by name, step or relative_tolerance and absolute_tolerance, steps,\n"
           "reached.",
       .positional = {{.name = "objective", .type = Type::Objective, .text = "of m:objective", .required = true}},
       .fields = with_settings({{.name = "accuracy",
                                 .type = Type::PlainNumber,
                                 .text = "the largest error that is good enough",
                                 .unit = "the objective's",
                                 .fallback = "none: the steps stay",
                                 .range = Range::Positive},
                                phases_field()}),
       .example = "local mbs = require \"perilune\"\n"
                  "local m = mbs.model { \"pendulum\", gravity = {0, -9.81} }\n"
                  "local P = m:point { \"P\", at = {1, 0}, mass = 1 }\n"
                  "m:distance { m:ground { at = {0, 0} }, P }\n"
                  "local depth = m:objective { \"depth\", integral = function(s) return -P.y(s) end }\n"
                  "print(m:accuracy { depth, t = 2, integrator = mbs.rk4 { step = 0.02 } })\n"
                  "local found = m:accuracy { depth, t = 2, integrator = mbs.rk4 { step = 0.02 }, accuracy = 1e-9 }\n"
                  "print(found.step, found.errors.depth)",
       .see_also = {"simulate", "objective", "gradient", "dormand_prince"},
       .function = guarded<accuracy>},
  };
  return constructors;
}

}  // namespace perilune::lua
