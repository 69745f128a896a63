// Pages of help about values that scripts get rather than make: runs.
#include "schema.hpp"

namespace perilune::lua {

std::span<const Topic> value_topics() {
  static constexpr std::string_view example =
      "local mbs = require \"perilune\"\n"
      "local m = mbs.model { gravity = {0, -9.81} }\n"
      "local P = m:point { \"P\", at = {0, 1}, velocity = {1, 5}, mass = 1 }\n"
      "local run = m:simulate { t = 1 }\n"
      "print(run, run.steps, run.t, run.reason)\n"
      "print(run:at(\"P.y\", 0.5), #run:times(), m.last_run:at(\"P.x\", 1))";
  static const std::vector<Topic> topics = {
      {.name = "run",
       .summary =
           "What m:simulate, m:kinematics and m:equilibrium return: a motion, or one instant of rest. Its methods\n"
           "read it: run:times(), run:values(signal), run:at(signal, time), run:csv(file), run:json(file),\n"
           "run:svg(file), run:plot(signals), run:gnuplot(file), run:view(file), run:vtk(file). print(run) says\n"
           "how it went. m:simulate { from = run } goes on from its end.",
       .fields = {{"t", "s", "time at its end"},
                  {"reason", "", "why it ended, as a text"},
                  {"warnings", "", "list of texts, about singular positions for example"},
                  {"objectives", "", "table of their values by name"},
                  {"steps", "", "number of accepted steps", "rejected, evaluations, factorizations"},
                  {"jacobians", "", "derivatives of the equations of implicit steps"},
                  {"newton_iterations", "", "of implicit integrators and of statics"},
                  {"seconds", "s", "processor time"},
                  {"moved", "m or rad", "largest change of a coordinate by assembly"},
                  {"residual", "N or N m", "largest force that is left", "", "of an equilibrium"},
                  {"stable", "", "true, false, or nil where unknown", "", "of an equilibrium"}},
       .example = example,
       .see_also = {"simulate", "kinematics", "equilibrium", "times", "values", "at", "csv", "svg", "plot", "view",
                    "last_run"}},
      {.name = "last_run",
       .summary =
           "The run of the last m:simulate or m:kinematics, as m.last_run: also of one that failed on the way or\n"
           "was interrupted, with the motion so far; nil before the first.",
       .example = example,
       .see_also = {"run", "simulate"}}};
  return topics;
}

}  // namespace perilune::lua
